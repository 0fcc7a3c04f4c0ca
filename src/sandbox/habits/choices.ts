import { ENDPOINT_NAMES, type EndpointName, isEndpointName } from '../../core/partner-api/endpoints.ts';
import { AMOUNT_FIELDS } from '../../core/partner-api/habits.ts';
import type { JsonValue } from '../../core/partner-api/json.ts';
import { compareDecimals, significantPlaces } from '../../core/swap/amount.ts';
import {
  choice,
  list,
  members,
  orNull,
  type Read,
  type ReadValue,
  readDecimal,
  readDuration,
  readObject,
  text,
  unknownName,
  whole,
  wrong,
} from '../json-file.ts';
import type { RateLimit } from '../limits/rate-limiter.ts';
import { MAX_FEE_PLACES } from '../prices/pair-terms.ts';

/** Forms of the times in a transaction; all of them are text. */
const TIME_FORMS = ['milliseconds', 'seconds', 'offset', 'plain', 'unix', 'unix-milliseconds'] as const;

/** Kinds of texts in a validation error; each is a template with `{field}` and, for a choice, `{values}`. */
export const VALIDATION_RULES = ['missing', 'string', 'empty', 'number', 'choice'] as const;

/** Templates of validation texts; an empty one means no text. */
export type ValidationTexts = Readonly<Record<(typeof VALIDATION_RULES)[number], string>>;

/**
 * Rules of a house that its quotes do not show: a deposit below five times the minimum fails and is refunded; the payout of
 * an order with a high risk score is short by a commission; a late deposit is overdue until support accepts it, hours later.
 */
export const HOUSE_RULES = ['house-minimum', 'aml-commission', 'late-by-support'] as const;

export type HouseRule = (typeof HOUSE_RULES)[number];

const MAX_PAGE = 10_000;
const MAX_BODY = 16 * 1024 * 1024;
const MAX_FEE = '50';

const success = whole(200, 299);
const limit = whole(1, MAX_PAGE);
const template: ReadValue<string> = (value, path) => (value === '' ? '' : text()(value, path));

const refusal = members({ status: whole(400, 599), message: text() }, 'member', ['status', 'message']);

/** Status and message of a refusal. */
export type Refused = Read<typeof refusal>;

const rateLimit: ReadValue<RateLimit> = (value, path) => {
  const [, count = '', window = ''] = /^([1-9][0-9]{0,6})\/([0-9]+[smhd])$/.exec(String(value)) ?? [];
  if (count === '') throw wrong(path, 'must be requests and a time, such as "120/60s"');
  const windowSeconds = Math.max(1, readDuration(window, path) / 1000);
  return { count: Number.parseInt(count, 10), windowSeconds };
};

const fee: ReadValue<string> = (value, path) => {
  const share = readDecimal(value, path);
  if (significantPlaces(share) <= MAX_FEE_PLACES && compareDecimals(share, MAX_FEE) <= 0) return share;
  throw wrong(path, `must be a percentage of at most ${MAX_FEE}, with up to ${MAX_FEE_PLACES} decimals`);
};

const extraFields: ReadValue<Readonly<Partial<Record<EndpointName, Readonly<Record<string, JsonValue>>>>>> = (
  value,
  path,
) =>
  Object.fromEntries(
    Object.entries(readObject(value, path)).map(([endpoint, fields]) => {
      if (!isEndpointName(endpoint)) throw unknownName(path, 'endpoint', endpoint, ENDPOINT_NAMES);
      return [endpoint, fieldsOf(fields, `${path}.${endpoint}`)] satisfies [EndpointName, object];
    }),
  );

function fieldsOf(value: JsonValue | undefined, path: string): Readonly<Record<string, JsonValue>> {
  const fields = readObject(value, path);
  const odd = Object.keys(fields).find((path) => !PATH.test(path));
  if (odd !== undefined) throw wrong(path, `has "${odd}", which is not a path such as pairs.deposit.icon`);
  return fields;
}

// Names are written as they are, so they must not need an escape.
const PATH = /^[A-Za-z0-9_$-]+(?:\[\])?(?:\.[A-Za-z0-9_$-]+(?:\[\])?)*$/;

const decisions = members(
  {
    /** Status of a successful GET. */
    readStatus: success,
    /** Status of a created transaction. */
    createStatus: success,
    /** Status of an updated refund address. */
    updateStatus: success,
    /** Coins on a page if `limit` is left out. */
    defaultLimit: limit,
    /** Largest `limit`; null for none. */
    maxLimit: orNull(limit),
    /** Response to a larger `limit`: a 400, or a page of the largest size. */
    overMaxLimit: choice('refuse', 'cut'),
    /** Listing if `method` is left out; `refuse` requires one. */
    defaultListing: choice('deposit', 'receive', 'refuse'),
    /** Payload that update-refund-address requires. */
    refundPayload: text(),
    /** Whether the payload of an endpoint other than the path's is accepted. */
    otherPayload: choice('refuse', 'accept'),
    /** Answer of get-coin-network for an unknown coin. */
    unknownCoin: refusal,
    /** Answer of a quote or a create for a pair that cannot be swapped. */
    unknownPair: refusal,
    /** Amounts that are JSON text; the others are numbers. Takes precedence over the habit `text-amounts`. */
    textAmounts: list(choice(...AMOUNT_FIELDS)),
    times: choice(...TIME_FORMS),
    duration: choice('clock', 'seconds', 'milliseconds'),
    /** Status code of a swap whose payout was sent and is not yet confirmed. */
    payoutSentCode: whole(0, 999),
    /** Time that a new swap waits for its deposit, in milliseconds. */
    depositWindow: members({ fixed: readDuration, float: readDuration }, 'rate type'),
    /** One confirmation on any network, in milliseconds. */
    confirmationTime: readDuration,
    /** Time between the last confirmation and the payout, in milliseconds. */
    exchangeTime: readDuration,
    rateLimit,
    /** Share of the rate that the service keeps, in percent. */
    fees: members({ fixed: fee, float: fee }, 'rate type'),
    /** Message of update-refund-address. */
    refundMessage: text(),
    /** Verb in the refusals of amounts outside the limits. */
    boundsVerb: choice('swap', 'exchange'),
    validationTexts: members(
      { missing: template, string: template, empty: template, number: template, choice: template },
      'rule',
    ),
    /** Largest request body in bytes. */
    maxBodyBytes: whole(1024, MAX_BODY),
    /** Fields beyond the API document, by endpoint and path; `[]` after a name goes into every item of a list. */
    extraFields,
    houseRules: list(choice(...HOUSE_RULES)),
  },
  'decision',
);

/** Bounds of the amount to send, for the assets of a pair: a coin on all networks, or `COIN:NETWORK`. */
const bounds = members(
  {
    from: text(),
    to: text(),
    min: readDecimal,
    /** Null if no amount is too large. */
    max: orNull(readDecimal),
  },
  'member',
  ['from', 'to', 'min', 'max'],
);

export type ChosenBounds = Read<typeof bounds>;

/**
 * Decisions of a service that differ from `assumptions.ts` and are more than yes or no, unlike habits. If absent, the
 * plain sandbox's decision applies.
 */
export type Choices = Read<typeof decisions> & { readonly bounds?: readonly ChosenBounds[] };

/** Reads the decisions of an overlay, its bounds aside. */
export const readOverlaySettings: typeof decisions = (value, path) => {
  const choices = decisions(value, path);
  const { defaultLimit, maxLimit } = choices;
  if (typeof maxLimit === 'number' && defaultLimit !== undefined && defaultLimit > maxLimit)
    throw wrong(`${path}.defaultLimit`, 'must not be above maxLimit');
  return choices;
};

/** Reads the bounds of one pair. */
export const readBounds: typeof bounds = (value, path) => {
  const read = bounds(value, path);
  const { min, max } = read;
  if (max !== null && compareDecimals(min, max) > 0) throw wrong(`${path}.max`, 'must not be below min');
  return read;
};
