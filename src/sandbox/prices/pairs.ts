import { type Decimal, sameAmount } from '../../core/swap/amount.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { SandboxAsset } from '../catalogue/coin.ts';
import type { Order, OrderSide } from '../orders/order.ts';
import { type PairTerms, type PricePair, pairTerms } from './pair-terms.ts';
import { type PriceRequest, type PriceResult, priceSwap } from './price.ts';

/** Pairs whose terms are kept; a catalogue of thousands of coins has too many for all. */
const MAX_CACHED_PAIRS = 2000;

/** A coin and network as a request names them. */
export interface NamedAsset {
  readonly coin: string;
  readonly network: string | undefined;
}

/** A pair that can be swapped, with its terms. */
export interface Pair extends PricePair {
  readonly terms: PairTerms;
}

/** Amount, side and rate type to price. */
export type PriceQuery = Pick<PriceRequest, 'amount' | 'lastSource' | 'type'>;

/** What a price depends on besides pair and amount: the sandbox's time in milliseconds, and its seed. */
export interface PriceMoment {
  readonly now: number;
  readonly seed: number;
}

/** Finds pairs in a catalogue and prices them; keeps the terms of recent pairs. */
export class Pairs {
  readonly #catalogue: Catalogue;
  readonly #terms: (pair: PricePair) => PairTerms;
  readonly #kept = new Map<string, Pair>();

  constructor(catalogue: Catalogue, terms: (pair: PricePair) => PairTerms = pairTerms) {
    this.#catalogue = catalogue;
    this.#terms = terms;
  }

  /** The pair of two assets, undefined if one of them is not offered or both are the same. */
  find(from: NamedAsset, to: NamedAsset): Pair | undefined {
    const sent = this.#catalogue.findAsset(from.coin, from.network, 'deposit');
    const received = this.#catalogue.findAsset(to.coin, to.network, 'receive');
    if (sent === undefined || received === undefined || sent === received) return undefined;
    const key = `${keyOf(sent)} ${keyOf(received)}`;
    return this.#kept.get(key) ?? this.#keep(key, sent, received);
  }

  /** Price of a pair at a moment, or why there is none. */
  price(pair: Pair, query: PriceQuery, { now, seed }: PriceMoment): PriceResult {
    const { terms, ...assets } = pair;
    return priceSwap({ ...assets, ...query, at: now, seed }, terms);
  }

  #keep(key: string, from: SandboxAsset, to: SandboxAsset): Pair | undefined {
    const fromUsd = this.#catalogue.findCoin(from.coin)?.usd;
    const toUsd = this.#catalogue.findCoin(to.coin)?.usd;
    if (fromUsd === undefined || toUsd === undefined) return undefined;
    const pair = { from, to, fromUsd, toUsd };
    const kept: Pair = { ...pair, terms: this.#terms(pair) };
    if (this.#kept.size >= MAX_CACHED_PAIRS) this.#kept.clear();
    this.#kept.set(key, kept);
    return kept;
  }
}

function keyOf(asset: SandboxAsset): string {
  return `${asset.coin}\n${asset.network}`;
}

/** What of an order its payout depends on. */
interface PricedOrder extends Pick<Order, 'type' | 'createdAt' | 'windowMs'> {
  readonly deposit: Pick<OrderSide, 'coin' | 'network' | 'amount'>;
  readonly receive: Pick<OrderSide, 'coin' | 'network' | 'amount'>;
}

/**
 * Payout for a deposit that arrives now: the agreed one for the agreed amount in time, otherwise that of the current
 * price; null if there is no price. Whether a late deposit still counts is decided in `orders/lifecycle.ts`.
 */
export function payoutOf(
  catalogue: Catalogue,
  { order, now, seed }: { readonly order: PricedOrder; readonly now: number; readonly seed: number },
  amount: Decimal,
): Decimal | null {
  const inTime = now < order.createdAt + order.windowMs;
  if (inTime && sameAmount(amount, order.deposit.amount)) return order.receive.amount;
  const pairs = new Pairs(catalogue);
  const pair = pairs.find(order.deposit, order.receive);
  if (pair === undefined) return null;
  const verdict = pairs.price(pair, { amount, lastSource: 'deposit', type: order.type }, { now, seed });
  return verdict.ok ? verdict.price.receive : null;
}
