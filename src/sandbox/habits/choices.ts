import type { EndpointName } from '../../partner-api/endpoints.ts';
import type { AmountField } from '../../partner-api/habits.ts';
import type { JsonValue } from '../../partner-api/json.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { RateType, Side } from '../../swap/swap.ts';
import type { RateLimit } from '../limits/rate-limiter.ts';

/** Status and message of a refusal. */
export interface Refused {
  readonly status: number;
  readonly message: string;
}

/** Bounds of the amount to send, for the assets of a pair: a coin on all networks, or `COIN:NETWORK`. */
export interface ChosenBounds {
  readonly from: string;
  readonly to: string;
  readonly min: Decimal;
  /** Null where no amount is too large. */
  readonly max: Decimal | null;
}

/** Forms of the times in a transaction; all of them are text. */
export const TIME_FORMS = [
  'milliseconds',
  'seconds',
  'offset',
  'plain',
  'unix',
  'unix-milliseconds',
] as const;

export const DURATION_FORMS = ['clock', 'seconds', 'milliseconds'] as const;

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

/**
 * What a service decides otherwise than `assumptions.ts`, where that is more than yes or no: a habit is a yes. Absent is
 * the plain sandbox's decision.
 */
export interface Choices {
  /** Status of a successful GET. */
  readonly readStatus?: number;
  /** Status of a created transaction. */
  readonly createStatus?: number;
  /** Status of an updated refund address. */
  readonly updateStatus?: number;
  /** Coins on a page where `limit` is left out. */
  readonly defaultLimit?: number;
  /** Largest `limit`; null for none. */
  readonly maxLimit?: number | null;
  /** What becomes of a larger `limit`: a 400, or a page of the largest one. */
  readonly overMaxLimit?: 'refuse' | 'cut';
  /** Listing where `method` is left out; `refuse` demands one. */
  readonly defaultListing?: Side | 'refuse';
  /** Payload that update-refund-address demands. */
  readonly refundPayload?: string;
  /** Whether the payload of an endpoint other than the path's is accepted. */
  readonly otherPayload?: 'refuse' | 'accept';
  /** Answer of get-coin-network for an unknown coin. */
  readonly unknownCoin?: Refused;
  /** Answer of a quote or a create for a pair that cannot be swapped. */
  readonly unknownPair?: Refused;
  /** Amounts that are JSON text; the others are numbers. Beats the habit `text-amounts`. */
  readonly textAmounts?: readonly AmountField[];
  readonly times?: (typeof TIME_FORMS)[number];
  readonly duration?: (typeof DURATION_FORMS)[number];
  /** Status code of a swap whose payout was sent and is not yet confirmed. */
  readonly payoutSentCode?: number;
  /** Time that a new swap waits for its deposit, in milliseconds. */
  readonly depositWindow?: Readonly<Partial<Record<RateType, number>>>;
  /** One confirmation on any network, in milliseconds. */
  readonly confirmationTime?: number;
  /** Time between the last confirmation and the payout, in milliseconds. */
  readonly exchangeTime?: number;
  readonly rateLimit?: RateLimit;
  /** Share of the rate that the service keeps, in percent. */
  readonly fees?: Readonly<Partial<Record<RateType, Decimal>>>;
  /** Message of update-refund-address. */
  readonly refundMessage?: string;
  /** Verb in the refusals of amounts out of bounds. */
  readonly boundsVerb?: 'swap' | 'exchange';
  readonly validationTexts?: Partial<ValidationTexts>;
  /** Largest request body in bytes. */
  readonly maxBodyBytes?: number;
  /** Fields beyond the API document, by endpoint and path; `[]` after a name goes into every item of a list. */
  readonly extraFields?: Readonly<Partial<Record<EndpointName, Readonly<Record<string, JsonValue>>>>>;
  readonly bounds?: readonly ChosenBounds[];
  readonly houseRules?: readonly HouseRule[];
}
