import { EXIT_CODES, SwapctlError } from '../../../base/errors.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { UnpricedSwap } from '../check.ts';
import type { ReviewedPrice } from '../create-swap.ts';
import { checkBounds } from '../limits.ts';
import type { Ports, Service } from '../ports.ts';
import { type Price, type PriceQuestion, priceSwap } from '../price.ts';
import { PairPrices } from './pair-prices.ts';

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

/** Exit codes of problems with a single row. */
const OF_A_ROW: ReadonlySet<number> = new Set([2, 3, 5]);

/** Whether an error is about one row and not the whole batch, such as an unreachable service. */
export function isOfOneRow(error: unknown): error is SwapctlError {
  return error instanceof SwapctlError && OF_A_ROW.has(EXIT_CODES[error.code]);
}
