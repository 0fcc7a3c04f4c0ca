import { EXIT_CODES, SwapctlError } from '../../../base/errors.ts';
import type { Decimal, PricePoint } from '../../swap/amount.ts';
import { compareDecimals, interpolate, isZero, productOf, shortenBound } from '../../swap/amount.ts';
import { assetDecimals } from '../../swap/decimals.ts';
import { fellBeyond, roseBeyond } from '../../swap/price-change.ts';
import type { Quote, SwapRequest } from '../../swap/swap.ts';
import type { UnpricedSwap } from '../check.ts';
import type { ReviewedPrice } from '../create-swap.ts';
import { checkBounds } from '../limits.ts';
import type { Ports, Service } from '../ports.ts';
import { type Price, type PriceQuestion, priceSwap } from '../price.ts';

/** Number of prices kept, so that rows of the same amount share one quote. */
const MAX_KEPT = 1000;

/** What the price of a swap is asked for. */
type RowQuestion = Omit<PriceQuestion, 'service' | 'minReceive'>;

/** Asks the service for a price. Throws as `priceSwap` does; `minReceive` is not checked. */
function askPrice(service: Service, question: RowQuestion): Promise<Price> {
  return priceSwap({ ...question, service, minReceive: null });
}

function questionOf({ request }: UnpricedSwap): RowQuestion {
  return { ...request, asked: request.amount };
}

function questionKey({ deposit, receive, asked, lastSource, type }: RowQuestion): string {
  return JSON.stringify([deposit, receive, asked, lastSource, type]);
}

/** Sets an entry as the newest, and drops the oldest beyond {@link MAX_KEPT}. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}

/** Time for which rows of the same amount share a quote, in milliseconds. */
const MAX_SHARED_MS = 15_000;

/** A moment by two clocks, in milliseconds: one that can be set, and one that may stop while the machine sleeps. */
interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/** The price of a swap as it is now. Throws as `priceSwap` does; `minReceive` is not checked. */
export type FreshPrice = (question: RowQuestion) => Promise<Price>;

/** Prices at the time of sending; rows of the same amount share one for at most 15 s. */
export function freshPrices(ports: Ports, service: Service): FreshPrice {
  const asked = new Map<string, { readonly at: Moment; readonly price: Promise<Price> }>();
  const isTooOld = ({ wall, monotonic }: Moment) => {
    const passed = ports.now() - wall;
    return passed < 0 || passed > MAX_SHARED_MS || ports.monotonic() - monotonic > MAX_SHARED_MS;
  };
  return (question) => {
    const key = questionKey(question);
    const known = asked.get(key);
    if (known !== undefined && !isTooOld(known.at)) return known.price;
    const at = { wall: ports.now(), monotonic: ports.monotonic() };
    const price = askPrice(service, question);
    price.catch(() => asked.delete(key));
    keep(asked, key, { at, price });
    return price;
  };
}

/**
 * Prices for the review. An amount to send at a floating rate, with no least payout, may be priced by the quotes of
 * amounts around it; any other row needs a quote of its own, shared by rows of the same amount. The function that is
 * returned takes a swap whose amounts are within the bounds; it throws as `priceSwap` does, and checks no `minReceive`.
 */
export function reviewPrices(service: Service): (swap: UnpricedSwap) => Promise<ReviewedPrice> {
  const pairs = new Map<string, PairPrices>();
  const own = new Map<string, ReviewedPrice>();
  const pairOf = ({ request, tolerance }: UnpricedSwap): PairPrices => {
    const key = JSON.stringify([request.deposit, request.receive, tolerance]);
    const pair = pairs.get(key) ?? new PairPrices(request, tolerance);
    pairs.set(key, pair);
    return pair;
  };
  const priceOf = async (swap: UnpricedSwap): Promise<ReviewedPrice> => {
    const { lastSource, type, amount, deposit, receive: payout } = swap.request;
    if (lastSource !== 'deposit' || type !== 'float' || swap.minReceive !== null)
      return reviewPrice(await askPrice(service, questionOf(swap)));
    const pair = pairOf(swap);
    checkBounds(pair.bounds, amount, { from: deposit, to: payout });
    const receive = await pair.receiveFor(amount, (other) => receiveOf(service, pair, swap, other));
    return receive === null
      ? reviewPrice(await notedPrice(service, pair, swap))
      : { deposit: amount, receive };
  };
  return async (swap) => {
    const key = questionKey(questionOf(swap));
    const price = own.get(key) ?? (await priceOf(swap));
    keep(own, key, price);
    return price;
  };
}

/** The price of a swap by a quote of its own, whose bounds are noted. */
async function notedPrice(service: Service, pair: PairPrices, swap: UnpricedSwap): Promise<Price> {
  try {
    const price = await askPrice(service, questionOf(swap));
    const { min, max } = price.quote;
    pair.noteBounds({ min, max });
    return price;
  } catch (error) {
    // A refusal reveals the limit, so that a thousand more such amounts need not be quoted.
    const { minimum, maximum } = (error instanceof SwapctlError ? error.details : null) ?? {};
    if (typeof minimum === 'string') pair.noteBounds({ min: minimum });
    if (typeof maximum === 'string') pair.noteBounds({ max: maximum });
    throw error;
  }
}

async function receiveOf(service: Service, pair: PairPrices, swap: UnpricedSwap, amount: Decimal) {
  try {
    const { quote } = await notedPrice(service, pair, { ...swap, request: { ...swap.request, amount } });
    return quote.receive;
  } catch (error) {
    if (isOfOneRow(error)) return null;
    throw error;
  }
}

function reviewPrice({ amount, quote }: Price): ReviewedPrice {
  return { deposit: amount, receive: quote.receive };
}

const OF_A_ROW: ReadonlySet<number> = new Set([2, 3, 5]);

/** Whether an error is about one row and not the whole batch, such as an unreachable service. */
export function isOfOneRow(error: unknown): error is SwapctlError {
  return error instanceof SwapctlError && OF_A_ROW.has(EXIT_CODES[error.code]);
}

/** Requests a quote for an amount; null if the service refuses it. */
type AskReceive = (amount: Decimal) => Promise<Decimal | null>;

/** Number of amounts of a range that are quoted individually before interpolating, which costs as many quotes. */
const MAX_SINGLE = 2;
/** Part of the tolerance by which a quote may differ from the line: the rest allows for price changes until sending. */
const LINE_TOLERANCE_PART = '0.25';

/** Decimals of an interpolated price, unless the quotes around it have more. */
const MAX_ABOUT_PLACES = 8;

/** Prices of the amounts between two of which one is twice the other. */
interface Range {
  readonly ends: readonly [Decimal, Decimal];
  singles: number;
  /** Null if prices are not on a line, or that is not known yet. */
  line: readonly [PricePoint, PricePoint] | null;
  isNoLine: boolean;
}

/**
 * What is known about a pair at a floating rate. A network fee comes on top of the rate, and large amounts may have another
 * rate, so one quote says nothing about other amounts. Amounts are therefore divided into ranges, each twice the one below,
 * and interpolated between the quotes of both ends, if a quote in between is on that line.
 */
export class PairPrices {
  readonly #pair: Pick<SwapRequest, 'deposit' | 'receive'>;
  readonly #tolerance: Decimal;
  readonly #ranges = new Map<Decimal, Range>();
  #bounds: Pick<Quote, 'min' | 'max'> = { min: '0', max: null };
  /** The smallest amount when the first quote came: bounds may move with the price, and the ranges must not. */
  #lowest: Decimal | null = null;

  constructor(pair: Pick<SwapRequest, 'deposit' | 'receive'>, tolerance: Decimal) {
    this.#pair = pair;
    this.#tolerance = tolerance;
  }

  get bounds(): Pick<Quote, 'min' | 'max'> {
    return this.#bounds;
  }

  /** Notes bounds that a quote or a refusal gave. */
  noteBounds(bounds: Partial<Pick<Quote, 'min' | 'max'>>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    if (isZero(this.#bounds.min)) return;
    this.#lowest ??= this.#payable(this.#bounds.min, 'up');
  }

  /** The interpolated price of an amount; null if it needs a separate quote. */
  async receiveFor(amount: Decimal, ask: AskReceive): Promise<Decimal | null> {
    const range = this.#rangeOf(amount);
    if (range === null || range.isNoLine) return null;
    if (range.line !== null) return this.#interpolate(range.line, amount);
    range.singles += 1;
    if (range.singles <= MAX_SINGLE) return null;
    // All three at nearly the same time, because the price moves.
    const [low, middle, high] = await pricePoints(ask, [range.ends[0], amount, range.ends[1]]);
    if (low !== undefined && middle !== undefined && high !== undefined && this.#isOnLine(low, middle, high))
      range.line = [low, high];
    else range.isNoLine = true;
    return middle?.receive ?? null;
  }

  #isOnLine(low: PricePoint, { amount, receive }: PricePoint, high: PricePoint): boolean {
    const expected = this.#interpolate([low, high], amount);
    const most = productOf([this.#tolerance, LINE_TOLERANCE_PART]);
    return !fellBeyond(receive, expected, most) && !roseBeyond(receive, expected, most);
  }

  #interpolate(line: readonly [PricePoint, PricePoint], amount: Decimal): Decimal {
    const { coin, network } = this.#pair.receive;
    return interpolate(
      line,
      amount,
      Math.min(assetDecimals(coin, network) ?? MAX_ABOUT_PLACES, MAX_ABOUT_PLACES),
    );
  }

  /** The range of an amount; null if the bounds are not known yet, or the range would exceed them. */
  #rangeOf(amount: Decimal): Range | null {
    const { max } = this.#bounds;
    let low = this.#lowest;
    if (low === null || isZero(this.#tolerance) || compareDecimals(amount, low) < 0) return null;
    let high = twice(low);
    while (compareDecimals(high, amount) < 0) [low, high] = [high, twice(high)];
    const known = this.#ranges.get(low);
    if (known !== undefined) return known;
    if (max !== null && compareDecimals(high, max) > 0) high = this.#payable(max, 'down');
    if (compareDecimals(low, high) >= 0) return null;
    const range = { ends: [low, high] as const, singles: 0, line: null, isNoLine: false };
    this.#ranges.set(low, range);
    return range;
  }

  /** A bound with no more decimals than can be paid. */
  #payable(bound: Decimal, direction: 'up' | 'down'): Decimal {
    const { coin, network } = this.#pair.deposit;
    const places = assetDecimals(coin, network);
    return places === undefined ? bound : shortenBound(bound, places, direction);
  }
}

function twice(amount: Decimal): Decimal {
  return productOf([amount, '2']);
}

async function pricePoints(ask: AskReceive, amounts: readonly Decimal[]): Promise<readonly PricePoint[]> {
  const points: PricePoint[] = [];
  for (const amount of amounts) {
    const receive = await ask(amount);
    if (receive === null) break;
    points.push({ amount, receive });
  }
  return points;
}
