import { type Decimal, ExactSum, productOf } from '../../swap/amount.ts';
import type { ReportedSwap } from './figures.ts';
import type { SwapFigures } from './swap-figures.ts';

/** Sums over a group of swaps; amounts are exact decimals, coins in alphabetical order. */
export type ReportGroup = Readonly<ReturnType<Tally['result']>>;

const NO_COUNTS = {
  /** Everything that was requested. */
  count: 0,
  /** Orders that were created. */
  created: 0,
  /** Orders with a deposit. */
  funded: 0,
  /** Orders that ended with a payout. */
  paid: 0,
  /** Orders that ended overdue or in error. */
  failed: 0,
  refunded: 0,
  /** Creates of unknown outcome. */
  unknown: 0,
  doubtful: 0,
};

const noSums = () => ({
  deposits: new CoinSums(),
  receives: new CoinSums(),
  promised: new CoinSums(),
  paidOfPromised: new CoinSums(),
  refunds: new CoinSums(),
  fees: new CoinSums(),
});

/** Adds up the figures of one group of swaps. */
export class Tally {
  readonly #counts = { ...NO_COUNTS };
  readonly #sums = noSums();
  readonly #durationMs: number[] = [];

  get count(): number {
    return this.#counts.count;
  }

  add({ outcome, figures: swap }: ReportedSwap): void {
    const counts = this.#counts;
    counts.count += 1;
    if (outcome === 'unknown') counts.unknown += 1;
    if (swap.doubtful) counts.doubtful += 1;
    if (outcome !== 'created') return;
    counts.created += 1;
    if (swap.funded) counts.funded += 1;
    if (swap.status === 'success') this.#addPaid(swap);
    if (swap.status === 'overdue' || swap.status === 'error') counts.failed += 1;
    if (swap.status === 'refund') {
      counts.refunded += 1;
      this.#sums.refunds.add(swap.depositCoin, swap.deposit);
    }
    this.#sums.fees.add(swap.depositCoin, swap.depositFee);
    this.#sums.fees.add(swap.receiveCoin, swap.receiveFee);
  }

  addTally(other: Tally): void {
    for (const name of Object.keys(this.#counts) as (keyof typeof NO_COUNTS)[])
      this.#counts[name] += other.#counts[name];
    for (const name of Object.keys(this.#sums) as (keyof ReturnType<typeof noSums>)[])
      this.#sums[name].addSums(other.#sums[name]);
    for (const durationMs of other.#durationMs) this.#durationMs.push(durationMs);
  }

  /** The sums so far. `share` is the partner's share in percent. */
  result(key: string | null, share: Decimal | null) {
    const { doubtful, ...counts } = this.#counts;
    const deposits = this.#sums.deposits.amounts();
    const receives = this.#sums.receives.amounts();
    const [promises, paid] = [this.#sums.promised.amounts(), this.#sums.paidOfPromised.amounts()];
    const of = (amounts: ReadonlyMap<string, Decimal>, coin: string) => amounts.get(coin) ?? '0';
    const coins = [...new Set([...deposits.keys(), ...receives.keys()])].sort();
    return {
      /** The value shared by the swaps of the group; null if they have none, and for the total. */
      key,
      ...counts,
      /** Deposits and payouts of the paid swaps. */
      volume: coins.map((coin) => ({ coin, deposit: of(deposits, coin), receive: of(receives, coin) })),
      /** The partner's share of the deposits in `volume`; empty if no share was given. */
      share:
        share === null
          ? []
          : [...deposits].map(([coin, sum]) => ({ coin, amount: productOf([sum, share, '0.01']) })),
      secondsToSuccess: percentilesInSeconds(this.#durationMs),
      /** Payouts as agreed and as paid, of those paid swaps whose agreed payout is known. */
      promised: [...promises].map(([coin, promised]) => ({ coin, promised, paid: of(paid, coin) })),
      /** Deposits of the refunded swaps; the returned amounts are not known. */
      refunds: coinAmounts(this.#sums.refunds.amounts()),
      /** Network fees of deposits and payouts that the service reported. */
      fees: coinAmounts(this.#sums.fees.amounts()),
      doubtful,
    };
  }

  #addPaid({ depositCoin, deposit, receiveCoin, receive, promised, durationMs }: SwapFigures): void {
    this.#counts.paid += 1;
    this.#sums.deposits.add(depositCoin, deposit);
    this.#sums.receives.add(receiveCoin, receive);
    if (promised !== null && receive !== null) {
      this.#sums.promised.add(receiveCoin, promised);
      this.#sums.paidOfPromised.add(receiveCoin, receive);
    }
    if (durationMs !== null) this.#durationMs.push(durationMs);
  }
}

class CoinSums {
  readonly #sums = new Map<string, ExactSum>();

  add(coin: string | null, amount: Decimal | null): void {
    if (coin !== null && amount !== null) this.#of(coin).add(amount);
  }

  addSums(other: CoinSums): void {
    for (const [coin, sum] of other.#sums) this.#of(coin).addSum(sum);
  }

  /** Amounts by coin, in alphabetical order. */
  amounts(): ReadonlyMap<string, Decimal> {
    const coins = [...this.#sums.keys()].sort();
    return new Map(coins.map((coin) => [coin, this.#of(coin).amount]));
  }

  #of(coin: string): ExactSum {
    let sum = this.#sums.get(coin);
    if (sum === undefined) {
      sum = new ExactSum();
      this.#sums.set(coin, sum);
    }
    return sum;
  }
}

function coinAmounts(amounts: ReadonlyMap<string, Decimal>) {
  return [...amounts].map(([coin, amount]) => ({ coin, amount }));
}

/** Median and 95th percentile of some numbers; both null if there are none. */
interface Percentiles {
  readonly median: number | null;
  readonly p95: number | null;
}

/** Percentiles in seconds: an even median is the mean of the two in the middle, the 95th one is by nearest rank. */
export function percentilesInSeconds(milliseconds: readonly number[]): Percentiles {
  const sorted = Float64Array.from(milliseconds).sort();
  const count = sorted.length;
  const at = (rank: number) => sorted[rank - 1] ?? 0;
  if (count === 0) return { median: null, p95: null };
  const middle = (at(Math.ceil((count + 1) / 2)) + at(Math.floor((count + 1) / 2))) / 2;
  return { median: Math.round(middle) / 1000, p95: at(Math.ceil((count * 95) / 100)) / 1000 };
}
