import type { HabitName } from '../../partner-api/habits.ts';
import { JsonNumber } from '../../partner-api/json.ts';
import { MESSAGES } from '../../partner-api/messages.ts';
import type { WireAmount } from '../../partner-api/types.ts';
import type { Decimal } from '../../swap/amount.ts';
import { shortenBound } from '../../swap/amount.ts';
import type { Side } from '../../swap/swap.ts';
import { ApiError, UNPROCESSABLE, ValidationError } from '../http/api-error.ts';
import { priceOrRefuse } from '../http/price-or-refuse.ts';
import type { PairTerms, PricePair } from '../prices/pair-terms.ts';
import { pairTerms } from '../prices/pair-terms.ts';
import type { NamedAsset, Pair, Pairs } from '../prices/pairs.ts';
import { priceInDoubles } from './doubles.ts';

/** The habits of a service; the plain sandbox has none. */
export type Habits = ReadonlySet<HabitName>;

/** The habits of the plain sandbox, which decides everything as `assumptions.ts` says. */
export const NO_HABITS: Habits = new Set();

/** Every decision that a habit reverses, as one function each; its callers know no habits. */
export interface Decisions {
  readonly habits: Habits;
  /** Amount in the form in which an answer has it. */
  readonly wireAmount: (amount: Decimal) => WireAmount;
  /** Terms of a pair's prices, its bounds included. */
  readonly terms: (pair: PricePair) => PairTerms;
  /** Finds the pair of a quote. Throws ApiError where there is none. */
  readonly pairOfQuote: FindPair;
  /** Finds the pair of a create. Throws ApiError where there is none. */
  readonly pairOfOrder: FindPair;
  /** Price of a pair. Throws ApiError or ValidationError where there is none. */
  readonly price: typeof priceOrRefuse;
  /** Side whose amount the `depositAmount` of a create is. */
  readonly depositAmountIs: (lastSource: Side) => Side;
  /** Throws ValidationError where a payout needs a memo that it does not have. */
  readonly demandMemo: (pair: Pair, memo: string) => void;
  /** Time at which a new order expires, undefined where transactions do not show it. */
  readonly expiry: (order: { readonly createdAt: number; readonly windowMs: number }) => number | undefined;
  /** Headers of the rate limit, as they are sent. */
  readonly limitHeaders: (headers: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

type FindPair = (pairs: Pick<Pairs, 'find'>, from: NamedAsset, to: NamedAsset) => Pair;

/** The decisions of a service with these habits. */
export function decisionsOf(habits: Habits): Decisions {
  const has = (name: HabitName) => habits.has(name);
  const find = has('unprocessable') ? findOr(422, UNPROCESSABLE) : findOr(404, MESSAGES.NOT_FOUND);
  const price = has('unprocessable') ? unprocessableDigits(priceOrRefuse) : priceOrRefuse;
  return {
    habits,
    wireAmount: has('text-amounts') ? (amount) => amount : (amount) => new JsonNumber(amount),
    terms: has('no-maximum') ? termsWithoutMaximum : pairTerms,
    pairOfQuote: has('networks-required') ? withNetworks(find) : find,
    pairOfOrder: has('exact-case') ? asListed(find) : find,
    price: has('doubles') ? inDoubles(price) : price,
    depositAmountIs: has('receive-amount') ? (lastSource) => lastSource : () => 'deposit',
    demandMemo: has('memo-required') ? refuseWithoutMemo : () => undefined,
    expiry: has('expired-at') ? ({ createdAt, windowMs }) => createdAt + windowMs : () => undefined,
    limitHeaders: has('no-rate-headers') ? () => NO_HEADERS : (headers) => headers,
  };
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

function findOr(status: number, message: string): FindPair {
  return (pairs, from, to) => {
    const pair = pairs.find(from, to);
    if (pair === undefined) throw new ApiError(status, message);
    return pair;
  };
}

function withNetworks(find: FindPair): FindPair {
  return (pairs, from, to) => {
    const isOpen = ({ network }: NamedAsset) => network === undefined || network === '';
    if (isOpen(from) || isOpen(to)) throw new ApiError(422, UNPROCESSABLE);
    return find(pairs, from, to);
  };
}

function asListed(find: FindPair): FindPair {
  return (pairs, from, to) => {
    const pair = find(pairs, from, to);
    const isListed = (named: NamedAsset, { coin, network }: Pair['from']) =>
      named.coin === coin && named.network === network;
    if (!isListed(from, pair.from) || !isListed(to, pair.to)) throw new ApiError(422, UNPROCESSABLE);
    return pair;
  };
}

/** Answers 422 to an amount with too many decimals; amounts out of bounds keep the refusal of the API document. */
function unprocessableDigits(price: Decisions['price']): Decisions['price'] {
  return (...query) => {
    try {
      return price(...query);
    } catch (error) {
      throw error instanceof ValidationError ? new ApiError(422, UNPROCESSABLE) : error;
    }
  };
}

function inDoubles(price: Decisions['price']): Decisions['price'] {
  return (pairs, pair, query, moment) => {
    const { lastSource, amount } = query;
    const asked = lastSource === 'deposit' ? pair.from : pair.to;
    // Such a service quotes amounts with more decimals than the coin has, and must accept them when they come back.
    const payable = shortenBound(amount, asked.decimals, 'up');
    const exact = price(pairs, pair, { ...query, amount: payable }, moment);
    return priceInDoubles(exact, { lastSource, amount, payoutFee: pair.to.payoutFee });
  };
}

function termsWithoutMaximum(pair: PricePair): PairTerms {
  const terms = pairTerms(pair);
  return { ...terms, max: null, bounds: { ...terms.bounds, max: '0' } };
}

function refuseWithoutMemo({ to }: Pair, memo: string): void {
  if (to.memoNeeded && memo === '') throw new ValidationError(['memo should not be empty']);
}
