import type { Context, Service } from '../../context.ts';
import { SwapctlError } from '../../errors.ts';
import type { Decimal } from '../../swap/amount.ts';
import { productOf, shortenBound } from '../../swap/amount.ts';
import { assetDecimals } from '../../swap/decimals.ts';
import { fellBeyond, percentChange } from '../../swap/price-change.ts';
import type { Quote } from '../../swap/swap.ts';
import type { UnpricedSwap } from '../shared/create/check.ts';
import type { Moment, Price } from '../shared/create/price.ts';
import { checkBounds, isOlderThan, priceSwap } from '../shared/create/price.ts';
import { fellTooFar, hasWorsened, MAX_QUOTE_AGE_MS } from '../shared/create/price-moved.ts';

/** A price at the review, which the price at the sending is held against. */
export type Reference =
  /** That of the pair: a floating rate, with an amount to send and no least payout. */
  | { readonly kind: 'rate'; readonly rate: Decimal }
  /** A quote for this very amount. */
  | { readonly kind: 'own'; readonly deposit: Decimal; readonly receive: Decimal };

/** A row's price at the review; `receive` of a `rate` is about what the payout will be. */
export interface ReviewPrice {
  readonly reference: Reference;
  readonly deposit: Decimal;
  readonly receive: Decimal;
}

/** Prices that are kept, so that rows of the same amount share one quote. */
const MAX_KEPT = 1000;

/** What is known of a pair at one rate type. */
interface PairPrice {
  quote: Quote | null;
  min: Decimal;
  max: Decimal | null;
}

/**
 * Prices for the review. One quote for a pair tells the bounds and the rate, which is enough for an amount to send at a
 * floating rate; any other row needs a quote of its own, shared by rows of the same amount.
 */
export class ReviewPrices {
  readonly #context: Context;
  readonly #service: Service;
  readonly #pairs = new Map<string, PairPrice>();
  readonly #own = new Map<string, Price>();

  constructor(context: Context, service: Service) {
    this.#context = context;
    this.#service = service;
  }

  /** The price of a swap whose amounts are within the bounds. Throws as `priceSwap` does; `minReceive` is not checked. */
  async of(swap: UnpricedSwap): Promise<ReviewPrice> {
    const { lastSource, type } = swap.request;
    return lastSource === 'deposit' && type === 'float' && swap.minReceive === null
      ? this.#byPair(swap)
      : this.#byItself(swap);
  }

  async #byPair(swap: UnpricedSwap): Promise<ReviewPrice> {
    const { deposit, receive, type, amount } = swap.request;
    const key = JSON.stringify([deposit, receive, type]);
    const pair = this.#pairs.get(key) ?? { quote: null, min: '0', max: null };
    this.#pairs.set(key, pair);
    checkBounds(pair, amount);
    pair.quote ??= await this.#firstQuote(pair, swap);
    const { rate } = pair.quote;
    const places = Math.min(
      assetDecimals(receive.coin, receive.network) ?? MAX_ABOUT_PLACES,
      MAX_ABOUT_PLACES,
    );
    const about = shortenBound(productOf([amount, rate]), places, 'down');
    return { reference: { kind: 'rate', rate }, deposit: amount, receive: about };
  }

  async #firstQuote(pair: PairPrice, swap: UnpricedSwap): Promise<Quote> {
    try {
      const { quote } = await priceOf(this.#context, this.#service, swap);
      pair.min = quote.min;
      pair.max = quote.max;
      return quote;
    } catch (error) {
      // A refused amount names the bound, so that a thousand more of them need not be asked about.
      const { minimum, maximum } = (error instanceof SwapctlError ? error.details : null) ?? {};
      if (typeof minimum === 'string') pair.min = minimum;
      if (typeof maximum === 'string') pair.max = maximum;
      throw error;
    }
  }

  async #byItself(swap: UnpricedSwap): Promise<ReviewPrice> {
    const key = questionKey(swap);
    const { amount: deposit, quote } =
      this.#own.get(key) ?? (await priceOf(this.#context, this.#service, swap));
    keep(this.#own, key, { amount: deposit, quote, quotedAt: NEVER });
    return { reference: { kind: 'own', deposit, receive: quote.receive }, deposit, receive: quote.receive };
  }
}

const NEVER: Moment = { wall: 0, steady: 0 };
/** Decimals of an amount that is only about right. */
const MAX_ABOUT_PLACES = 8;

/** Prices for the sending, none older than 15 s; rows of the same amount share one. */
export class FreshPrices {
  readonly #context: Context;
  readonly #service: Service;
  readonly #asked = new Map<string, { readonly at: Moment; readonly price: Promise<Price> }>();

  constructor(context: Context, service: Service) {
    this.#context = context;
    this.#service = service;
  }

  /** The price of a swap as it is now. Throws as `priceSwap` does; `minReceive` is not checked. */
  of(swap: UnpricedSwap): Promise<Price> {
    const key = questionKey(swap);
    const known = this.#asked.get(key);
    if (known !== undefined && !isOlderThan(this.#context, known.at, MAX_QUOTE_AGE_MS)) return known.price;
    const at = { wall: this.#context.now(), steady: this.#context.monotonic() };
    const price = priceOf(this.#context, this.#service, swap);
    price.catch(() => this.#asked.delete(key));
    keep(this.#asked, key, { at, price });
    return price;
  }
}

function priceOf(context: Context, service: Service, { request }: UnpricedSwap): Promise<Price> {
  return priceSwap(context, { ...request, service, asked: request.amount, minReceive: null });
}

/** What a quote depends on. */
function questionKey({ request }: UnpricedSwap): string {
  const { deposit, receive, amount, lastSource, type } = request;
  return JSON.stringify([deposit, receive, amount, lastSource, type]);
}

/** Sets an entry as the newest, and drops the oldest beyond {@link MAX_KEPT}. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}

/** Throws `invalid_amount` where a price is worse than at the review by more than the swap's tolerance. */
export function refuseWorsePrice(swap: UnpricedSwap, before: Reference, now: Price): void {
  const { request, tolerance } = swap;
  if (before.kind === 'own') {
    const priced = (amount: Decimal, receive: Decimal) => ({
      ...{ request: { ...request, amount }, quote: { receive }, tolerance },
    });
    const reviewed = priced(before.deposit, before.receive);
    const present = priced(now.amount, now.quote.receive);
    if (hasWorsened(reviewed, present)) throw fellTooFar(reviewed, present);
    return;
  }
  const { rate } = now.quote;
  if (!fellBeyond(before.rate, rate, tolerance)) return;
  throw new SwapctlError(
    'invalid_amount',
    `The rate fell by more than the ${tolerance} % of --tolerance: reviewed ${before.rate}, now ${rate} (${percentChange(before.rate, rate)}).`,
    {
      hint: 'Nothing was sent. Run the file again, or accept a larger change with --tolerance.',
      retryable: true,
      details: { reviewed: { rate: before.rate }, now: { rate }, tolerance },
    },
  );
}
