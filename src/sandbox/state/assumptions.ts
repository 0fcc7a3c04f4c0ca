import type { HabitName } from '../../core/partner-api/habits.ts';
import { STATUS_CODES } from '../../core/partner-api/statuses.ts';
import type { Decimal } from '../../core/swap/amount.ts';
import type { RateType } from '../../core/swap/swap.ts';

/*
 * Every decision where the API document is silent: docs/partner-api.md#where-the-document-is-silent. A client must rely
 * on none of them; the OpenAPI document marks their consequences with `x-assumed`.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** HTTP status of a successful answer. */
export const OK_STATUS = 200;

/** HTTP status of a created transaction. */
export const CREATED_STATUS = 201;

/** Default page of the coin list. */
export const DEFAULT_PAGE = 1;

/** Default of `limit`: coins on a page. */
export const DEFAULT_LIMIT = 20;

/** Largest `limit`; a larger one is a 400. */
export const MAX_LIMIT = 100;

/** Default of `method`: 1, the coins that can be deposited. */
export const DEFAULT_METHOD = '1';

/** Length of an order number: capitals that cannot be guessed from another number. */
export const ORDER_NUMBER_LENGTH = 6;

/** Time that a new swap waits for its deposit, in milliseconds. */
export const DEPOSIT_WINDOW_MS: Readonly<Record<RateType, number>> = {
  fixed: 20 * MINUTE,
  float: 30 * MINUTE,
};

/** Time after its window in which a float swap still takes its deposit, in milliseconds. A fixed one never does. */
export const LATE_DEPOSIT_MS = 90 * MINUTE;

/** One confirmation on any network, in milliseconds; divided by the time scale. */
export const CONFIRMATION_MS = 2 * SECOND;

/** Time between the last confirmation and the payout, in milliseconds; divided by the time scale. */
export const EXCHANGE_MS = 5 * SECOND;

/** Clock of a sandbox with a seed, in milliseconds: where it begins, and what each request adds to it. */
export const SEEDED_CLOCK = { clockStart: Date.UTC(2026, 0, 1), clockTick: SECOND } as const;

/** Requests that one key may send in a window. */
export const RATE_LIMIT = { count: 120, windowSeconds: 60 } as const;

/** Largest request body, in bytes; a larger one is a 413. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Templates of the texts in a validation error. */
export const VALIDATION_TEXTS = {
  missing: '{field} should not be null or undefined',
  string: '{field} must be a string',
  empty: '{field} should not be empty',
  number: '{field} must be a number conforming to the specified constraints',
  choice: '{field} must be one of the following values: {values}',
} as const;

/** Share of the rate that the service keeps, in percent. */
export const FEES: Readonly<Record<RateType, Decimal>> = { float: '0.5', fixed: '1' };

/** Required content type of a request body; any other type, or an encoding, is a 415. */
export const BODY_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** Largest request line and headers together, in bytes; more is a 431. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** A second deposit stops a swap in these states, because a person has to decide what it was for. */
export const SECOND_DEPOSIT_STOPS: readonly number[] = [STATUS_CODES.CONFIRMATION, STATUS_CODES.EXCHANGING];

const { NEW, CONFIRMATION, EXCHANGING, PAID_OUT, SUCCESS, OVERDUE, ERROR, PAUSE, FROZEN, REFUND } =
  STATUS_CODES;

/** Every transition between status codes that can happen, and no other: docs/partner-api.md#transitions. */
export const TRANSITIONS: ReadonlyMap<number, readonly number[]> = new Map([
  [NEW, [CONFIRMATION, OVERDUE]],
  [CONFIRMATION, [EXCHANGING, ERROR, PAUSE, FROZEN]],
  [EXCHANGING, [PAID_OUT, ERROR, PAUSE, FROZEN]],
  [PAID_OUT, [SUCCESS]],
  [SUCCESS, []],
  [OVERDUE, [CONFIRMATION, REFUND]],
  [ERROR, [REFUND]],
  [PAUSE, [CONFIRMATION, EXCHANGING, REFUND]],
  [FROZEN, [CONFIRMATION, EXCHANGING, REFUND]],
  [REFUND, []],
]);

/** Decisions of the plain sandbox that a habit of a rough service reverses. */
export const PLAIN_DECISIONS: Readonly<Record<HabitName, string>> = {
  'text-amounts': 'amounts in responses are JSON numbers',
  doubles: "prices are rounded to the coin's decimals",
  'networks-required': "a network left out of a quote is the coin's first one",
  'exact-case': 'codes are accepted in any case',
  'no-maximum': 'there is always a largest amount',
  'expired-at': 'responses have the fields of the document and no others',
  'no-rate-headers': 'every response shows what is left of the rate limit, and a 429 how long to wait',
  unprocessable: 'a pair that cannot be swapped is a 404',
  'memo-required': 'a memo is not required, because the payout may go to a wallet that needs none',
  'receive-amount': 'depositAmount is the deposit, whatever lastSource says',
};

/** A status code that no document names; no transition leads to it, but an order of the laboratory may reach it. */
export const UNLISTED_STATUS = 77;

/** Payer of a payout's network fee: `receive` is amount x exchangeRate minus that fee. */
export const PAYOUT_FEE =
  'the network fee is deducted from the payout: receive = amount x exchangeRate - fee';

/** Required spelling of an endpoint's path. */
export const EXACT_PATH = 'exactly: one with .., %2e or %2d in it is a 404';

/** Place of the operators' faults in the order of the checks. */
export const FAULTS_COME = 'after key, payload and signature';
