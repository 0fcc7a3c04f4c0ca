import type { HabitName } from '../../core/partner-api/habits.ts';
import { JsonNumber } from '../../core/partner-api/json.ts';
import { MESSAGES } from '../../core/partner-api/messages.ts';
import { type Decimal, shortenBound, toSmallestUnit } from '../../core/swap/amount.ts';
import type { Side } from '../../core/swap/swap.ts';
import { fieldsOf } from '../http/fields.ts';
import { ApiError, ruleText, UNPROCESSABLE, ValidationError } from '../http/responses.ts';
import { keptOf, type PairTerms, type PricePair, pairTerms } from '../prices/pair-terms.ts';
import type { NamedAsset, Pair, Pairs, PriceMoment, PriceQuery } from '../prices/pairs.ts';
import type { Price } from '../prices/price.ts';
import { CONFIRMATION_MS, DEPOSIT_WINDOW_MS, EXCHANGE_MS, FEES } from '../state/assumptions.ts';
import type { Choices, ChosenBounds } from './choices.ts';
import { priceInDoubles } from './doubles.ts';

/** The habits of a service; the plain sandbox has none. */
export type Habits = ReadonlySet<HabitName>;

/** The habits of the plain sandbox, which decides everything as `assumptions.ts` says. */
export const NO_HABITS: Habits = new Set();

/**
 * Every decision that a habit reverses or an overlay chooses, as a value or a function each; its callers know neither
 * habits nor overlays.
 */
export type Decisions = ReturnType<typeof decisionsOf>;

interface RequestedPrice extends PriceQuery {
  /** Parameter of the request that has the amount. */
  readonly field: string;
}

/** Prices a pair. Throws ApiError or ValidationError where there is no price. */
type PriceOf = (pairs: Pick<Pairs, 'price'>, pair: Pair, query: RequestedPrice, moment: PriceMoment) => Price;

/** Finds the pair of two assets. Throws ApiError if there is none. */
type FindPair = (pairs: Pick<Pairs, 'find'>, from: NamedAsset, to: NamedAsset) => Pair;

export const NO_CHOICES: Choices = {};

/** The decisions of a service with these habits and choices; a choice takes precedence over its habit. */
export function decisionsOf(habits: Habits, choices: Choices = NO_CHOICES) {
  const has = (name: HabitName) => habits.has(name);
  const find = has('unprocessable') ? findOr(422, UNPROCESSABLE) : findOr(404, MESSAGES.NOT_FOUND);
  const price = has('unprocessable') ? unprocessableDigits(priceOrRefuse) : priceOrRefuse;
  return {
    habits,
    choices,
    /** Parameters of the endpoints. */
    fields: fieldsOf(choices),
    /** Times in milliseconds. */
    depositWindow: { ...DEPOSIT_WINDOW_MS, ...choices.depositWindow },
    confirmationTime: choices.confirmationTime ?? CONFIRMATION_MS,
    exchangeTime: choices.exchangeTime ?? EXCHANGE_MS,
    wireAmount: (amount: Decimal) => (has('text-amounts') ? amount : new JsonNumber(amount)),
    /** Terms of a pair's prices, its bounds included. */
    terms: chosenTerms(has('no-maximum') ? termsWithoutMaximum : pairTerms, choices),
    pairOfQuote: has('networks-required') ? withNetworks(find) : find,
    pairOfOrder: has('exact-case') ? asListed(find) : find,
    price: has('doubles') ? inDoubles(price) : price,
    /** Side whose amount the `depositAmount` of a create is. */
    depositAmountIs: (lastSource: Side): Side => (has('receive-amount') ? lastSource : 'deposit'),
    /** Throws ValidationError if a payout needs a memo that it does not have. */
    demandMemo: ({ to }: Pair, memo: string): void => {
      const isMissing = has('memo-required') && to.memoNeeded && memo === '';
      if (isMissing) throw new ValidationError(['memo should not be empty']);
    },
    /** Time at which a new order expires, undefined if transactions do not show it. */
    expiry: ({ createdAt, windowMs }: { readonly createdAt: number; readonly windowMs: number }) =>
      has('expired-at') ? createdAt + windowMs : undefined,
    /** Headers of the rate limit, as they are sent. */
    rateHeaders: (headers: Readonly<Record<string, string>>) => (has('no-rate-headers') ? {} : headers),
  };
}

const priceOrRefuse: PriceOf = (pairs, pair, { field, ...query }, moment) => {
  const verdict = pairs.price(pair, query, moment);
  if (verdict.ok) return verdict.price;
  if (verdict.problem === 'below-minimum') throw new ApiError(400, MESSAGES.BELOW_MINIMUM);
  if (verdict.problem === 'above-maximum') throw new ApiError(400, MESSAGES.ABOVE_MAXIMUM);
  throw new ValidationError([ruleText('number', field)]);
};

function chosenTerms(termsOf: TermsOf, { fees, bounds = [] }: Choices): TermsOf {
  const bounded = bounds.length === 0 ? termsOf : withBounds(termsOf, bounds);
  if (fees === undefined) return bounded;
  const kept = keptOf({ ...FEES, ...fees });
  return (pair) => ({ ...bounded(pair), kept });
}

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
function unprocessableDigits(price: PriceOf): PriceOf {
  return (...query) => {
    try {
      return price(...query);
    } catch (error) {
      throw error instanceof ValidationError ? new ApiError(422, UNPROCESSABLE) : error;
    }
  };
}

function inDoubles(price: PriceOf): PriceOf {
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

type TermsOf = (pair: PricePair) => PairTerms;

/** Terms of pairs whose bounds are chosen; those of networks come before those of whole coins. */
function withBounds(termsOf: TermsOf, chosen: readonly ChosenBounds[]): TermsOf {
  const byPair = new Map(chosen.map((bounds) => [`${bounds.from} ${bounds.to}`, bounds]));
  return (pair) => {
    const terms = termsOf(pair);
    const bounds = names(pair.from)
      .flatMap((from) => names(pair.to).map((to) => byPair.get(`${from} ${to}`)))
      .find((found) => found !== undefined);
    return bounds === undefined ? terms : bounded(terms, bounds, pair.from.decimals);
  };
}

function names({ coin, network }: PricePair['from']): readonly string[] {
  return [`${coin}:${network}`, coin];
}

/** Bounds are shown digit for digit, and enforced in whole units of the coin. */
function bounded(terms: PairTerms, { min, max }: ChosenBounds, decimals: number): PairTerms {
  const units = (bound: string, direction: 'up' | 'down') =>
    toSmallestUnit(shortenBound(bound, decimals, direction), decimals);
  return {
    ...terms,
    bounds: { min, max: max ?? '0' },
    min: units(min, 'up'),
    max: max === null ? null : units(max, 'down'),
  };
}
