import type { EndpointName } from '../../partner-api/endpoints.ts';
import { ENDPOINTS, isEndpointName } from '../../partner-api/endpoints.ts';
import type { AmountField, HabitName } from '../../partner-api/habits.ts';
import { AMOUNT_FIELDS } from '../../partner-api/habits.ts';
import { JsonNumber } from '../../partner-api/json.ts';
import { MESSAGES } from '../../partner-api/messages.ts';
import { STATUS_CODES } from '../../partner-api/statuses.ts';
import type { WireAmount } from '../../partner-api/types.ts';
import type { Decimal } from '../../swap/amount.ts';
import { shortenBound } from '../../swap/amount.ts';
import type { RateType, Side } from '../../swap/swap.ts';
import type { Answer } from '../http/api-error.ts';
import { ApiError, UNPROCESSABLE, ValidationError } from '../http/api-error.ts';
import type { EndpointFields } from '../http/fields.ts';
import { fieldsOf } from '../http/fields.ts';
import type { RefusalTexts, RequestedPrice } from '../http/price-or-refuse.ts';
import { priceOrRefuse } from '../http/price-or-refuse.ts';
import type { PairTerms, PricePair } from '../prices/pair-terms.ts';
import { keptOf, pairTerms } from '../prices/pair-terms.ts';
import type { NamedAsset, Pair, Pairs, PriceMoment } from '../prices/pairs.ts';
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
import type { Choices, Refused } from './choices.ts';
import { priceInDoubles } from './doubles.ts';
import { DURATION_TEXTS, TIME_TEXTS, withBounds, withFields } from './forms.ts';

/** The habits of a service; the plain sandbox has none. */
export type Habits = ReadonlySet<HabitName>;

/** The habits of the plain sandbox, which decides everything as `assumptions.ts` says. */
export const NO_HABITS: Habits = new Set();

/**
 * Every decision that a habit reverses or an overlay chooses, as a value or a function each; its callers know neither
 * habits nor overlays.
 */
export interface Decisions extends RefusalTexts {
  readonly habits: Habits;
  readonly choices: Choices;
  /** Parameters of the endpoints. */
  readonly fields: EndpointFields;
  /** Most coins on a page, whatever was asked for. */
  readonly largestPage: number;
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
  /** Whether a payload is that of an endpoint. */
  readonly isPayload: (payload: string, endpoint: EndpointName) => boolean;
  readonly unknownCoin: Refused;
  /** A success as it is sent: with its status, and with fields that the API document does not have. */
  readonly success: (endpoint: EndpointName, answer: Answer) => Answer;
  /** Message of update-refund-address. */
  readonly refundMessage: string;
  /** Time that a new swap waits for its deposit, in milliseconds. */
  readonly depositWindow: Readonly<Record<RateType, number>>;
  /** One confirmation, in milliseconds. */
  readonly confirmationTime: number;
  /** Time between the last confirmation and the payout, in milliseconds. */
  readonly exchangeTime: number;
  /** A time as text. */
  readonly timeText: (at: number) => string;
  /** A duration in milliseconds as text. */
  readonly durationText: (milliseconds: number) => string;
  /** Code of a state as it is sent. */
  readonly statusCode: (status: number) => number;
  /** Amount in the form in which an answer has it. */
  readonly wireAmount: (field: AmountField, amount: Decimal) => WireAmount;
  /** Terms of a pair's prices, its bounds included. */
  readonly terms: (pair: PricePair) => PairTerms;
  /** Finds the pair of a quote. Throws ApiError where there is none. */
  readonly pairOfQuote: FindPair;
  /** Finds the pair of a create. Throws ApiError where there is none. */
  readonly pairOfOrder: FindPair;
  /** Price of a pair. Throws ApiError or ValidationError where there is none. */
  readonly price: (
    pairs: Pick<Pairs, 'price'>,
    pair: Pair,
    query: RequestedPrice,
    moment: PriceMoment,
  ) => Price;
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

/** The choices of the plain sandbox. */
export const NO_CHOICES: Choices = {};

/** The decisions of a service with these habits and choices; a choice beats the habit that it is about. */
export function decisionsOf(habits: Habits, choices: Choices = NO_CHOICES): Decisions {
  const has = (name: HabitName) => habits.has(name);
  const texts = refusalTexts(choices);
  const unknown = has('unprocessable')
    ? { status: 422, message: UNPROCESSABLE }
    : { status: 404, message: MESSAGES.NOT_FOUND };
  const find = findOr(choices.unknownPair ?? unknown);
  const usual: Decisions['price'] = (...query) => priceOrRefuse(...query, texts);
  const price = has('unprocessable') ? unprocessableDigits(usual) : usual;
  return {
    ...texts,
    ...plainly(choices),
    habits,
    choices,
    wireAmount: amountForms(has('text-amounts') ? AMOUNT_FIELDS : [], choices),
    terms: chosenTerms(has('no-maximum') ? termsWithoutMaximum : pairTerms, choices),
    pairOfQuote: has('networks-required') ? withNetworks(find) : find,
    pairOfOrder: has('exact-case') ? asListed(find) : find,
    price: has('doubles') ? inDoubles(price) : price,
    depositAmountIs: has('receive-amount') ? (lastSource) => lastSource : () => 'deposit',
    demandMemo: has('memo-required') ? refuseWithoutMemo : () => undefined,
    expiry: has('expired-at') ? ({ createdAt, windowMs }) => createdAt + windowMs : () => undefined,
    limitHeaders: has('no-rate-headers') ? () => NO_HEADERS : (headers) => headers,
  };
}

function amountForms(
  usual: readonly AmountField[],
  { textAmounts = usual }: Choices,
): Decisions['wireAmount'] {
  const isText = new Set(textAmounts);
  return (field, amount) => (isText.has(field) ? amount : new JsonNumber(amount));
}

/** The decisions that no habit is about. */
function plainly(choices: Choices) {
  const { maxLimit = MAX_LIMIT, payoutSentCode = STATUS_CODES.PAID_OUT } = choices;
  return {
    fields: fieldsOf(choices),
    largestPage: maxLimit ?? Number.MAX_SAFE_INTEGER,
    maxBodyBytes: choices.maxBodyBytes ?? MAX_BODY_BYTES,
    isPayload: payloadCheck(choices),
    unknownCoin: choices.unknownCoin ?? { status: 404, message: MESSAGES.NOT_FOUND },
    success: successOf(choices),
    refundMessage: choices.refundMessage ?? MESSAGES.REFUND_UPDATED,
    depositWindow: { ...DEPOSIT_WINDOW_MS, ...choices.depositWindow },
    confirmationTime: choices.confirmationTime ?? CONFIRMATION_MS,
    exchangeTime: choices.exchangeTime ?? EXCHANGE_MS,
    timeText: TIME_TEXTS[choices.times ?? 'milliseconds'],
    durationText: DURATION_TEXTS[choices.duration ?? 'clock'],
    statusCode: (status: number) => (status === STATUS_CODES.PAID_OUT ? payoutSentCode : status),
  };
}

function refusalTexts({ boundsVerb = 'swap', validationTexts }: Choices): RefusalTexts {
  const worded = (message: string) => message.replaceAll('swap', boundsVerb);
  return {
    belowMinimum: worded(MESSAGES.BELOW_MINIMUM),
    aboveMaximum: worded(MESSAGES.ABOVE_MAXIMUM),
    validationTexts: { ...VALIDATION_TEXTS, ...validationTexts },
  };
}

function payloadCheck({ refundPayload, otherPayload }: Choices): Decisions['isPayload'] {
  const own = (endpoint: EndpointName) =>
    endpoint === 'update-refund-address' ? (refundPayload ?? endpoint) : endpoint;
  return (payload, endpoint) =>
    payload === own(endpoint) ||
    (otherPayload === 'accept' && isEndpointName(payload) && payload === own(payload));
}

function successOf({
  readStatus,
  createStatus,
  updateStatus,
  extraFields = {},
}: Choices): Decisions['success'] {
  const statuses = { GET: readStatus, POST: createStatus, PATCH: updateStatus };
  return (endpoint, answer) => {
    const status = statuses[ENDPOINTS[endpoint].method] ?? answer.status;
    const more = extraFields[endpoint];
    if (more === undefined) return status === answer.status ? answer : { ...answer, status };
    return { status, body: withFields(answer.body, more) };
  };
}

function chosenTerms(termsOf: Decisions['terms'], { fees, bounds = [] }: Choices): Decisions['terms'] {
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
