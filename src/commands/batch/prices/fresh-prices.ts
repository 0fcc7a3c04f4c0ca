import type { Context } from '../../../context.ts';
import type { UnpricedSwap } from '../../../swaps/check.ts';
import type { Service } from '../../../swaps/ports.ts';
import type { Price, Priced } from '../../../swaps/price.ts';
import { fellTooFar, hasWorsened } from '../../../swaps/price.ts';
import { askPrice, keep, questionKey } from './ask.ts';
import type { ReviewPrice } from './review-prices.ts';

/** Time for which rows of the same amount share a quote, in milliseconds. */
const MAX_SHARED_MS = 15_000;

/** A moment by two clocks, in milliseconds: one that can be set, and one that may stop while the machine sleeps. */
interface Moment {
  readonly wall: number;
  readonly steady: number;
}

/** Prices for the sending; rows of the same amount share one for at most 15 s. */
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
    if (known !== undefined && !this.#isTooOld(known.at)) return known.price;
    const at = { wall: this.#context.now(), steady: this.#context.monotonic() };
    const price = askPrice(this.#service, swap);
    price.catch(() => this.#asked.delete(key));
    keep(this.#asked, key, { at, price });
    return price;
  }

  #isTooOld({ wall, steady }: Moment): boolean {
    const passed = this.#context.now() - wall;
    return passed < 0 || passed > MAX_SHARED_MS || this.#context.monotonic() - steady > MAX_SHARED_MS;
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
