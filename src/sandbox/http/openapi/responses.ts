import { ENDPOINTS, type EndpointName } from '../../../core/partner-api/endpoints.ts';
import type { HabitName } from '../../../core/partner-api/habits.ts';
import { MESSAGES } from '../../../core/partner-api/messages.ts';
import type { Choices } from '../../habits/choices.ts';
import type { Habits } from '../../habits/decisions.ts';
import {
  CREATED_STATUS,
  EXACT_PATH,
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  OK_STATUS,
  RATE_LIMIT,
} from '../../state/assumptions.ts';
import { FAILURE_TEXTS, UNPROCESSABLE, UNSUPPORTED_TYPE } from '../responses.ts';
import { decided, type Schema, schemaRef } from './schemas.ts';

interface Answers {
  readonly answer: Parameters<typeof schemaRef>[0];
  /** Texts of a 400 that are not lists of validation texts. */
  readonly refusals?: readonly string[];
  readonly notFound?: string;
  /** Habits with which it answers 422. */
  readonly unprocessable?: readonly HabitName[];
}

const ANSWERS: Readonly<Record<EndpointName, Answers>> = {
  'get-all-coins': { answer: 'CoinList' },
  'get-coin-network': { answer: 'CoinNetworks', notFound: MESSAGES.NOT_FOUND },
  'exchange-coin': {
    answer: 'Quote',
    refusals: [MESSAGES.BELOW_MINIMUM, MESSAGES.ABOVE_MAXIMUM],
    notFound: MESSAGES.NOT_FOUND,
    unprocessable: ['unprocessable', 'networks-required'],
  },
  'get-transaction': { answer: 'Transaction', notFound: MESSAGES.TRANSACTION_NOT_FOUND },
  'create-transaction': {
    answer: 'NewTransaction',
    refusals: [MESSAGES.BELOW_MINIMUM, MESSAGES.ABOVE_MAXIMUM, MESSAGES.INVALID_WITHDRAWAL_ADDRESS],
    notFound: MESSAGES.NOT_FOUND,
    unprocessable: ['unprocessable', 'exact-case'],
  },
  'update-refund-address': { answer: 'RefundUpdate', notFound: MESSAGES.TRANSACTION_NOT_FOUND },
};

/** Every answer of an operation, by status. */
export function responses(name: EndpointName, habits: Habits, choices: Choices): Schema {
  const { answer } = ANSWERS[name];
  const { count, windowSeconds } = choices.rateLimit ?? RATE_LIMIT;
  const limit = habits.has('no-rate-headers') ? {} : { headers: LIMIT_HEADERS };
  return {
    [name === 'create-transaction' ? CREATED_STATUS : OK_STATUS]: {
      ...response('Success', schemaRef(answer)),
      ...limit,
      'x-assumed': 'the status code',
    },
    ...refusals(name, habits, limit),
    ...preAuthResponses(name),
    429: {
      ...response(MESSAGES.RATE_LIMITED),
      ...limit,
      'x-assumed': `${count} requests in ${windowSeconds} seconds; ${decided(habits, 'no-rate-headers')['x-assumed']}`,
    },
    500: { ...response(FAILURE_TEXTS[name]), ...limit },
  };
}

function refusals(name: EndpointName, habits: Habits, limit: Schema): Schema {
  const { refusals: texts = [], notFound, unprocessable = [] } = ANSWERS[name];
  const invalid = { oneOf: [schemaRef('ValidationError'), schemaRef('Error')] };
  const wrongPath = `The path must match ${EXACT_PATH}`;
  const found = notFound === undefined ? wrongPath : `${notFound} ${wrongPath}`;
  const open = unprocessable.length === 0 ? {} : decided(habits, ...unprocessable);
  return {
    400: { ...response(['A list of validation texts', ...texts].join('; or '), invalid), ...limit },
    403: response(
      [MESSAGES.INVALID_PUBLIC_KEY, MESSAGES.INVALID_PAYLOAD, MESSAGES.INVALID_SIGNATURE].join(' '),
    ),
    404: { ...response(found), ...limit, ...open },
    ...(unprocessable.some((habit) => habits.has(habit))
      ? { 422: { ...response(UNPROCESSABLE), ...limit, ...open } }
      : {}),
  };
}

/** Answers to requests that fail before authentication; without a partner there is no rate limit. */
function preAuthResponses(name: EndpointName): Schema {
  const decision = (description: string, what: string) => ({ ...response(description), 'x-assumed': what });
  const ofBodies = {
    413: decision(`More than ${MAX_BODY_BYTES} bytes`, 'the limit'),
    415: decision(UNSUPPORTED_TYPE, 'the type is required, and no encoding is accepted'),
  };
  return {
    408: decision('The request was not complete in time', 'the time limit'),
    ...(ENDPOINTS[name].method === 'GET' ? {} : ofBodies),
    431: decision(`Request line and headers of more than ${MAX_HEADER_BYTES} bytes`, 'the limit'),
  };
}

function response(description: string, schema = schemaRef('Error')): Schema {
  return { description, content: { 'application/json': { schema } } };
}

const LIMIT_HEADERS: Schema = Object.fromEntries(
  [
    ['RateLimit-Limit', 'Requests that a key may send in a window'],
    ['RateLimit-Remaining', 'Requests left in this window'],
    ['RateLimit-Reset', 'Seconds until the window ends'],
    ['Retry-After', 'Seconds to wait after a 429'],
  ].map(([header = '', description]) => [header, { description, schema: { type: 'integer' } }]),
);
