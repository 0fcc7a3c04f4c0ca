import type { Context, Service } from '../../../context.ts';
import type { UnpricedSwap } from '../../shared/create/check.ts';
import type { Moment, Price } from '../../shared/create/price.ts';
import { isOlderThan } from '../../shared/create/price.ts';
import type { Priced } from '../../shared/create/price-moved.ts';
import { fellTooFar, hasWorsened, MAX_QUOTE_AGE_MS } from '../../shared/create/price-moved.ts';
import { askPrice, keep, questionKey } from './ask.ts';
import type { ReviewPrice } from './review-prices.ts';

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
    const price = askPrice(this.#context, this.#service, swap);
    price.catch(() => this.#asked.delete(key));
    keep(this.#asked, key, { at, price });
    return price;
  }
}

/** Throws `invalid_amount` where a price is worse than at the review by more than the swap's tolerance. */
export function refuseWorsePrice(swap: UnpricedSwap, before: ReviewPrice, now: Price): void {
  const reviewed = priced(swap, before);
  const present = priced(swap, { deposit: now.amount, receive: now.quote.receive });
  if (hasWorsened(reviewed, present)) throw fellTooFar(reviewed, present);
}

function priced({ request, tolerance }: UnpricedSwap, { deposit, receive }: ReviewPrice): Priced {
  return { request: { ...request, amount: deposit }, quote: { receive }, tolerance };
}
