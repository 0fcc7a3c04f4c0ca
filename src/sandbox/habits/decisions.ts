import { ENDPOINTS, type EndpointName, isEndpointName } from '../../core/partner-api/endpoints.ts';
import { AMOUNT_FIELDS, type AmountField, type HabitName } from '../../core/partner-api/habits.ts';
import { JsonNumber } from '../../core/partner-api/json.ts';
import { MESSAGES } from '../../core/partner-api/messages.ts';
import { STATUS_CODES } from '../../core/partner-api/statuses.ts';
import { type Decimal, shortenBound } from '../../core/swap/amount.ts';
import type { Side } from '../../core/swap/swap.ts';
import { type Answer, ApiError, numberRule, UNPROCESSABLE, ValidationError } from '../http/api-error.ts';
import { fieldsOf } from '../http/fields.ts';
import { keptOf, type PairTerms, type PricePair, pairTerms } from '../prices/pair-terms.ts';
import type { NamedAsset, Pair, Pairs, PriceMoment, PriceQuery } from '../prices/pairs.ts';
import type { Price } from '../prices/price.ts';
import {
  CONFIRMATION_MS,
  DEPOSIT_WINDOW_MS,
  EXCHANGE_MS,
  FEES,
  MAX_BODY_BYTES,
  MAX_LIMIT,
  VALIDATION_TEXTS,
} from '../state/assumptions.ts';
import type { Choices, Refused, ValidationTexts } from './choices.ts';
import { priceInDoubles } from './doubles.ts';
import { DURATION_FORMATTERS, type TermsOf, TIME_FORMATTERS, withBounds, withFields } from './forms.ts';

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

/** The refusals where there is no price. */
interface RefusalTexts {
  readonly belowMinimum: string;
  readonly aboveMaximum: string;
  readonly validationTexts: ValidationTexts;
}

/** Prices a pair. Throws ApiError or ValidationError where there is no price. */
type PriceOf = (pairs: Pick<Pairs, 'price'>, pair: Pair, query: RequestedPrice, moment: PriceMoment) => Price;

/** Finds the pair of two assets. Throws ApiError if there is none. */
type FindPair = (pairs: Pick<Pairs, 'find'>, from: NamedAsset, to: NamedAsset) => Pair;

export const NO_CHOICES: Choices = {};

/** The decisions of a service with these habits and choices; a choice takes precedence over its habit. */
export function decisionsOf(habits: Habits, choices: Choices = NO_CHOICES) {
  const has = (name: HabitName) => habits.has(name);
  const { maxLimit = MAX_LIMIT, payoutSentCode = STATUS_CODES.PAID_OUT } = choices;
  const texts = refusalTexts(choices);
  const notFound = { status: 404, message: MESSAGES.NOT_FOUND };
  const unknown = has('unprocessable') ? { status: 422, message: UNPROCESSABLE } : notFound;
  const find = findOr(choices.unknownPair ?? unknown);
  const usual = priceOrRefuse(texts);
  const price = has('unprocessable') ? unprocessableDigits(usual) : usual;
  return {
    ...texts,
    habits,
    choices,
    /** Parameters of the endpoints. */
    fields: fieldsOf(choices),
    /** Most coins on a page, whatever the request says. */
    largestPage: maxLimit ?? Number.MAX_SAFE_INTEGER,
    maxBodyBytes: choices.maxBodyBytes ?? MAX_BODY_BYTES,
    /** Whether a payload is that of an endpoint. */
    isPayload: payloadCheck(choices),
    unknownCoin: choices.unknownCoin ?? notFound,
    /** A success as it is sent: with its status, and with fields that the API document does not have. */
    success: successOf(choices),
    refundMessage: choices.refundMessage ?? MESSAGES.REFUND_UPDATED,
    /** Times in milliseconds. */
    depositWindow: { ...DEPOSIT_WINDOW_MS, ...choices.depositWindow },
    confirmationTime: choices.confirmationTime ?? CONFIRMATION_MS,
    exchangeTime: choices.exchangeTime ?? EXCHANGE_MS,
    timeText: TIME_FORMATTERS[choices.times ?? 'milliseconds'],
    durationText: DURATION_FORMATTERS[choices.duration ?? 'clock'],
    statusCode: (status: number) => (status === STATUS_CODES.PAID_OUT ? payoutSentCode : status),
    wireAmount: amountEncoder(has('text-amounts') ? AMOUNT_FIELDS : [], choices),
    /** Terms of a pair's prices, its bounds included. */
    terms: chosenTerms(has('no-maximum') ? termsWithoutMaximum : pairTerms, choices),
    pairOfQuote: has('networks-required') ? withNetworks(find) : find,
    pairOfOrder: has('exact-case') ? asListed(find) : find,
    price: has('doubles') ? inDoubles(price) : price,
    /** Side whose amount the `depositAmount` of a create is. */
    depositAmountIs: (lastSource: Side): Side => (has('receive-amount') ? lastSource : 'deposit'),
    /** Throws ValidationError if a payout needs a memo that it does not have. */
    demandMemo: (pair: Pair, memo: string): void => {
      if (has('memo-required')) refuseWithoutMemo(pair, memo);
    },
    /** Time at which a new order expires, undefined if transactions do not show it. */
    expiry: ({ createdAt, windowMs }: { readonly createdAt: number; readonly windowMs: number }) =>
      has('expired-at') ? createdAt + windowMs : undefined,
    /** Headers of the rate limit, as they are sent. */
    limitHeaders: (headers: Readonly<Record<string, string>>) =>
      has('no-rate-headers') ? NO_HEADERS : headers,
  };
}

function amountEncoder(usual: readonly AmountField[], { textAmounts = usual }: Choices) {
  const isText = new Set(textAmounts);
  return (field: AmountField, amount: Decimal) => (isText.has(field) ? amount : new JsonNumber(amount));
}

function refusalTexts({ boundsVerb = 'swap', validationTexts }: Choices): RefusalTexts {
  const worded = (message: string) => message.replaceAll('swap', boundsVerb);
  return {
    belowMinimum: worded(MESSAGES.BELOW_MINIMUM),
    aboveMaximum: worded(MESSAGES.ABOVE_MAXIMUM),
    validationTexts: { ...VALIDATION_TEXTS, ...validationTexts },
  };
}

function priceOrRefuse({ belowMinimum, aboveMaximum, validationTexts }: RefusalTexts): PriceOf {
  return (pairs, pair, { field, ...query }, moment) => {
    const verdict = pairs.price(pair, query, moment);
    if (verdict.ok) return verdict.price;
    if (verdict.problem === 'below-minimum') throw new ApiError(400, belowMinimum);
    if (verdict.problem === 'above-maximum') throw new ApiError(400, aboveMaximum);
    throw new ValidationError([numberRule(field, validationTexts)]);
  };
}

function payloadCheck({ refundPayload, otherPayload }: Choices) {
  const own = (endpoint: EndpointName) =>
    endpoint === 'update-refund-address' ? (refundPayload ?? endpoint) : endpoint;
  return (payload: string, endpoint: EndpointName) =>
    payload === own(endpoint) ||
    (otherPayload === 'accept' && isEndpointName(payload) && payload === own(payload));
}

function successOf({ readStatus, createStatus, updateStatus, extraFields = {} }: Choices) {
  const statuses = { GET: readStatus, POST: createStatus, PATCH: updateStatus };
  return (endpoint: EndpointName, answer: Answer): Answer => {
    const status = statuses[ENDPOINTS[endpoint].method] ?? answer.status;
    const more = extraFields[endpoint];
    if (more === undefined) return status === answer.status ? answer : { ...answer, status };
    return { status, body: withFields(answer.body, more) };
  };
}

function chosenTerms(termsOf: TermsOf, { fees, bounds = [] }: Choices): TermsOf {
  const bounded = bounds.length === 0 ? termsOf : withBounds(termsOf, bounds);
  if (fees === undefined) return bounded;
  const kept = keptOf({ ...FEES, ...fees });
  return (pair) => ({ ...bounded(pair), kept });
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

function findOr({ status, message }: Refused): FindPair {
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

function refuseWithoutMemo({ to }: Pair, memo: string): void {
  if (to.memoNeeded && memo === '') throw new ValidationError(['memo should not be empty']);
}
