import BigNumber from 'bignumber.js';
import type { ReportGroup } from '../../../../src/core/ledger/report/tally.ts';
import type { RandomSwap } from './random-swaps.ts';

BigNumber.config({ DECIMAL_PLACES: 2000, EXPONENTIAL_AT: 1e9 });

/** The total of random swaps, added up by an independent library. `share` is a fraction. */
export function expectedTotal(swaps: readonly RandomSwap[], share: string): ReportGroup {
  const made = swaps.filter(({ outcome }) => outcome === 'created');
  const withStatus = (...statuses: readonly string[]) =>
    made.filter(({ status }) => statuses.includes(status));
  const paid = withStatus('success');
  const sums = (list: readonly (readonly [coin: string, amount: string])[]) => {
    const map = new Map<string, BigNumber>();
    for (const [coin, amount] of list) map.set(coin, (map.get(coin) ?? new BigNumber(0)).plus(amount));
    return map;
  };
  const text = (map: ReadonlyMap<string, BigNumber>, coin: string) => map.get(coin)?.toFixed() ?? '0';
  const coinsOf = (...maps: readonly ReadonlyMap<string, BigNumber>[]) =>
    [...new Set(maps.flatMap((map) => [...map.keys()]))].sort();
  const listed = (map: ReadonlyMap<string, BigNumber>) =>
    coinsOf(map).map((coin) => ({ coin, amount: text(map, coin) }));
  const deposits = sums(paid.map(({ coins, deposit }) => [coins[0], deposit]));
  const receives = sums(paid.map(({ coins, paid }) => [coins[1], paid]));
  const promised = sums(paid.map(({ coins, promised }) => [coins[1], promised]));
  const shares = new Map([...deposits].map(([coin, sum]) => [coin, sum.times(share)]));
  const times = paid.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const half = times.length / 2;
  const middle = Number.isInteger(half)
    ? ((times[half - 1] ?? 0) + (times[half] ?? 0)) / 2
    : (times[Math.floor(half)] ?? 0);
  const p95 = (times[Math.ceil((times.length * 95) / 100) - 1] ?? 0) / 1000;
  return {
    key: null,
    count: swaps.length,
    created: made.length,
    funded: made.filter(
      ({ seen, status }) => seen || ['confirmation', 'exchanging', 'success', 'refund'].includes(status),
    ).length,
    paid: paid.length,
    failed: withStatus('overdue', 'error').length,
    refunded: withStatus('refund').length,
    unknown: swaps.filter(({ outcome }) => outcome === 'unknown').length,
    volume: coinsOf(deposits, receives).map((coin) => ({
      coin,
      deposit: text(deposits, coin),
      receive: text(receives, coin),
    })),
    share: listed(shares),
    secondsToSuccess:
      times.length === 0 ? { median: null, p95: null } : { median: Math.round(middle) / 1000, p95 },
    promised: coinsOf(promised).map((coin) => ({
      coin,
      promised: text(promised, coin),
      paid: text(receives, coin),
    })),
    refunds: listed(sums(withStatus('refund').map(({ coins, deposit }) => [coins[0], deposit]))),
    fees: listed(
      sums(
        made.flatMap(({ coins, fees }) => [
          [coins[0], fees[0]],
          [coins[1], fees[1]],
        ]),
      ),
    ),
    doubtful: 0,
  };
}
