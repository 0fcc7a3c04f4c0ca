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
  text,
  whole,
  wrong,
} from '../json-file.ts';
import type { RateLimit } from '../limits/rate-limiter.ts';
import { MAX_FEE_PLACES } from '../prices/pair-terms.ts';

/**
 * Rules of a house that its quotes do not show: a deposit below five times the minimum fails and is refunded; the payout of
 * an order with a high risk score is short by a commission; a late deposit is overdue until support accepts it, hours later.
 */
export const HOUSE_RULES = ['house-minimum', 'aml-commission', 'late-by-support'] as const;

export type HouseRule = (typeof HOUSE_RULES)[number];

const MAX_FEE = '50';

const limit = whole(1, 10_000);

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

const decisions = members(
  {
    /** Coins on a page if `limit` is left out. */
    defaultLimit: limit,
    /** Largest `limit`. */
    maxLimit: limit,
    /** Time that a new swap waits for its deposit, in milliseconds. */
    depositWindow: members({ fixed: readDuration, float: readDuration }, 'rate type'),
    /** One confirmation on any network, in milliseconds. */
    confirmationTime: readDuration,
    /** Time between the last confirmation and the payout, in milliseconds. */
    exchangeTime: readDuration,
    rateLimit,
    /** Share of the rate that the service keeps, in percent. */
    fees: members({ fixed: fee, float: fee }, 'rate type'),
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
  if (maxLimit !== undefined && defaultLimit !== undefined && defaultLimit > maxLimit)
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
