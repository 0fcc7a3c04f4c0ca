import { SwapctlError } from '../../../errors.ts';
import type { Decimal } from '../../../swap/amount.ts';
import type { UnpricedSwap } from '../../../swaps/check.ts';
import { checkBounds } from '../../../swaps/limits.ts';
import type { Service } from '../../../swaps/ports.ts';
import type { Price } from '../../../swaps/price.ts';
import { isOfOneRow } from '../rows/of-one-row.ts';
import { askPrice, keep, questionKey } from './ask.ts';
import { PairPrices } from './pair-prices.ts';

/** The amounts of a row at the review, which those at the sending are held against. */
export interface ReviewPrice {
  readonly deposit: Decimal;
  readonly receive: Decimal;
}

/**
 * Prices for the review. An amount to send at a floating rate, with no least payout, may be priced by the quotes of
 * amounts around it; any other row needs a quote of its own, shared by rows of the same amount.
 */
export class ReviewPrices {
  readonly #service: Service;
  readonly #pairs = new Map<string, PairPrices>();
  readonly #own = new Map<string, ReviewPrice>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** The price of a swap whose amounts are within the bounds. Throws as `priceSwap` does; `minReceive` is not checked. */
  async of(swap: UnpricedSwap): Promise<ReviewPrice> {
    const key = questionKey(swap);
    const known = this.#own.get(key);
    const price = known ?? (await this.#priceOf(swap));
    keep(this.#own, key, price);
    return price;
  }

  async #priceOf(swap: UnpricedSwap): Promise<ReviewPrice> {
    const { lastSource, type, amount, deposit, receive: payout } = swap.request;
    if (lastSource !== 'deposit' || type !== 'float' || swap.minReceive !== null)
      return reviewPrice(await askPrice(this.#service, swap));
    const pair = this.#pairOf(swap);
    checkBounds(pair.bounds, amount, { from: deposit, to: payout });
    const receive = await pair.receiveFor(amount, (other) => this.#receiveOf(pair, swap, other));
    return receive === null ? reviewPrice(await this.#quoted(pair, swap)) : { deposit: amount, receive };
  }

  #pairOf({ request, tolerance }: UnpricedSwap): PairPrices {
    const key = JSON.stringify([request.deposit, request.receive, tolerance]);
    const pair = this.#pairs.get(key) ?? new PairPrices(request, tolerance);
    this.#pairs.set(key, pair);
    return pair;
  }

  async #quoted(pair: PairPrices, swap: UnpricedSwap): Promise<Price> {
    try {
      const price = await askPrice(this.#service, swap);
      const { min, max } = price.quote;
      pair.noteBounds({ min, max });
      return price;
    } catch (error) {
      // A refused amount names the bound, so that a thousand more of them need not be asked about.
      const { minimum, maximum } = (error instanceof SwapctlError ? error.details : null) ?? {};
      if (typeof minimum === 'string') pair.noteBounds({ min: minimum });
      if (typeof maximum === 'string') pair.noteBounds({ max: maximum });
      throw error;
    }
  }

  async #receiveOf(pair: PairPrices, swap: UnpricedSwap, amount: Decimal): Promise<Decimal | null> {
    try {
      const { quote } = await this.#quoted(pair, { ...swap, request: { ...swap.request, amount } });
      return quote.receive;
    } catch (error) {
      if (isOfOneRow(error)) return null;
      throw error;
    }
  }
}

function reviewPrice({ amount, quote }: Price): ReviewPrice {
  return { deposit: amount, receive: quote.receive };
}
