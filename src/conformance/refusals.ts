import type { ApiRequest } from '../core/client/transport.ts';
import { textAt, writeJson } from '../core/partner-api/json.ts';
import { MESSAGES } from '../core/partner-api/messages.ts';
import {
  assumed,
  at,
  check,
  checkAnswer,
  differs,
  passIf,
  passIfNone,
  type Subject,
  type Verdict,
} from './check.ts';
import type { Probe, Reply } from './probe.ts';
import {
  INVALID_ORDER,
  NO_ADDRESS,
  NO_COIN,
  NO_ORDER,
  type OrderChange,
  orderRequest,
  outsideBounds,
  quoted,
} from './test-swap.ts';

/** Status and exact message of a refusal. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

export function refused(name: string, request: ApiRequest, { status, message }: Refusal): Subject {
  return checkAnswer(
    name,
    `${status} ${message}`,
    request,
    (reply) => reply.status === status && reply.body['message'] === message,
  );
}

/** Held if an answer is a refusal with one status and message; a 422 in its place is a known habit. */
export function refusedAs(reply: Reply, { status, message }: Refusal): Verdict {
  const isSame = reply.status === status && reply.body['message'] === message;
  return passIf(isSame, reply.words, reply.status === 422 ? 'unprocessable' : undefined);
}

/** A check that a request is invalid: a 400 with the body of a validation error. */
export function invalid(name: string, request: ApiRequest): Subject {
  const expected = `400 with a list of texts, error "${MESSAGES.BAD_REQUEST}"`;
  return check(name, expected, async (probe) => isValidationError(await probe.ask(request)));
}

function isValidationError(reply: Reply): Verdict {
  const { message, error } = reply.body;
  if (reply.status !== 400) return differs(reply.words);
  if (!Array.isArray(message) || message.length === 0) return differs(`${reply.words}, which is not a list`);
  if (!message.every((text) => typeof text === 'string'))
    return differs('the list contains values that are not text');
  return passIf(error === MESSAGES.BAD_REQUEST, `error is ${error === undefined ? 'missing' : 'another'}`);
}

/** Checks of the refusals of an amount outside its bounds; the document allows `exchange` in place of `swap`. */
export function outOfBoundsChecks(
  requestFor: (probe: Probe, which: 'below' | 'above') => Promise<ApiRequest>,
): Subject[] {
  const bound = (name: string, which: 'below' | 'above', message: string) =>
    check(name, `400 ${message}`, async (probe) => {
      const reply = await probe.ask(await requestFor(probe, which));
      const given = textAt(reply.json, 'message')?.replaceAll('exchange', 'swap');
      return passIf(reply.status === 400 && given === message, reply.words);
    });
  return [
    bound('below the minimum', 'below', MESSAGES.BELOW_MINIMUM),
    bound('above the maximum', 'above', MESSAGES.ABOVE_MAXIMUM),
  ];
}

const TEXT_AMOUNT = {
  endpoint: 'create-transaction',
  body: writeJson({ ...INVALID_ORDER, depositAmount: '1' }),
} as const;
/** Checks of the requests that create-transaction refuses. */
export const ORDER_REFUSAL_CHECKS = at(
  'create-transaction',
  invalid('no fields', { endpoint: 'create-transaction', body: '{}' }),
  invalid('an amount that is text', TEXT_AMOUNT),
  ...outOfBoundsChecks(async (probe, which) => {
    const amount = outsideBounds((await quoted(probe)).figures, which);
    return orderRequest(probe, { amount });
  }),
  refusedOrder('an invalid address', { address: NO_ADDRESS }, 400, MESSAGES.INVALID_WITHDRAWAL_ADDRESS),
  ...assumed(
    'unknown pair or network',
    refusedOrder('an unknown coin', { deposit: { coin: NO_COIN } }, 404, MESSAGES.NOT_FOUND),
  ),
);

function refusedOrder(name: string, change: OrderChange, status: number, message: string) {
  return check(name, `${status} ${message}`, async (probe) =>
    refusedAs(await probe.ask(await orderRequest(probe, change)), { status, message }),
  );
}

const MISSING_ID_REQUEST = { endpoint: 'get-transaction', query: {} } as const;

/** Checks of get-transaction's refusals; its fields are checked once an order exists. */
export const TRANSACTION_CHECKS = at(
  'get-transaction',
  refused(
    'an unknown order',
    { endpoint: 'get-transaction', query: { id: NO_ORDER } },
    { status: 404, message: MESSAGES.TRANSACTION_NOT_FOUND },
  ),
  invalid('no id', MISSING_ID_REQUEST),
  check('meaning of the texts for no id', 'null or undefined, a string, empty', idComplaints),
);

/** The document gives the meaning of the texts for a missing id, but not their wording. */
async function idComplaints(probe: Probe): Promise<Verdict> {
  const { body, words } = await probe.ask(MISSING_ID_REQUEST);
  const { message } = body;
  if (!Array.isArray(message)) return differs(words);
  const text = message.map(String).join('\n');
  const rules = { 'null or undefined': /null or undefined/i, 'a string': /string/i, empty: /empty/i };
  return passIfNone(
    Object.entries(rules).flatMap(([rule, pattern]) => (pattern.test(text) ? [] : [`no text about ${rule}`])),
  );
}
