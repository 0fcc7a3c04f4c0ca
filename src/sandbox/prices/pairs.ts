import type { Catalogue } from '../catalogue/catalogue.ts';
import type { SandboxAsset } from '../catalogue/coin.ts';
import { type PairTerms, type PricePair, pairTerms } from './pair-terms.ts';
import { type PriceRequest, type PriceVerdict, priceSwap } from './price.ts';

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

/** A moment at which something has a price. */
export interface PriceMoment {
  readonly now: number;
  readonly seed: number;
}

interface LatestPrice {
  readonly query: PriceQuery;
  readonly now: number;
  readonly seed: number;
  readonly verdict: PriceVerdict;
}

/** Finds pairs in a catalogue and prices them; keeps the terms and the latest price of recent pairs. */
export class Pairs {
  readonly #catalogue: Catalogue;
  readonly #terms: (pair: PricePair) => PairTerms;
  readonly #kept = new Map<string, Pair>();
  /** Many clients ask for the same price in the same millisecond. */
  readonly #latest = new WeakMap<Pair, LatestPrice>();

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
  price(pair: Pair, query: PriceQuery, { now, seed }: PriceMoment): PriceVerdict {
    const latest = this.#latest.get(pair);
    if (latest?.now === now && latest.seed === seed && sameQuery(latest.query, query)) return latest.verdict;
    const { from, to, fromUsd, toUsd } = pair;
    const verdict = priceSwap({ from, to, fromUsd, toUsd, ...query, at: now, seed }, pair.terms);
    this.#latest.set(pair, { query, now, seed, verdict });
    return verdict;
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

function sameQuery(a: PriceQuery, b: PriceQuery): boolean {
  return a.amount === b.amount && a.lastSource === b.lastSource && a.type === b.type;
}

function keyOf(asset: SandboxAsset): string {
  return `${asset.coin}\n${asset.network}`;
}
