import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExactSum } from '../../../../src/core/swap/amount.ts';
import { type CountedSwap, Tally, Window } from '../../../../src/core/swap/policy/counters.ts';
import { policyOf } from './samples.ts';

const HOUR = 3_600_000;
const POLICY = policyOf([
  { cap: { coin: 'BTC', amount: '1', per: '1h' } },
  { cap: { coin: 'BTC', amount: '2', per: '1h' } },
  { cap: { coin: 'USDT', amount: '1', per: '3h', by: 'label:team' } },
  { cap: { coin: 'BTC', amount: '1', per: 'order' } },
  { count: { most: 1, per: '2h' } },
]);
const TEAMS = [{}, { team: 'a' }, { team: 'b' }];

const time = fc.integer({ min: 0, max: 40 }).map((part) => part * (HOUR / 4));
const aSwap: fc.Arbitrary<CountedSwap> = fc.record({
  at: time,
  deposit: fc.constantFrom('BTC', 'USDT').map((coin) => ({ coin, network: 'BTC' })),
  labels: fc.constantFrom<CountedSwap['labels']>(...TEAMS),
  amount: fc.integer({ min: 1, max: 99 }).map((units) => `0.${String(units).padStart(2, '0')}`),
  givesBackAt: fc.option<number, null>(time),
  heldUntil: fc.option<number, null>(time),
});

it('a tally counts the same as a scan of every swap', () => {
  fc.assert(
    fc.property(fc.array(aSwap, { maxLength: 40 }), (unsorted) => {
      const swaps = unsorted.toSorted((a, b) => a.at - b.at);
      const tally = new Tally(POLICY, 0);
      for (const [index, swap] of swaps.entries()) {
        const { at } = swap;
        tally.advance(at);
        const counters = tally.counters({ open: 0, seen: () => 0 });
        for (const rule of POLICY.rules) {
          if (rule.kind !== 'count' && (rule.kind !== 'cap' || rule.per === 'order')) continue;
          const per = rule.per as number;
          const counts = swaps.slice(0, index).filter((each) => {
            const end = Math.min(Math.max(each.at + per, each.heldUntil ?? 0), each.givesBackAt ?? Infinity);
            return end > at && (rule.kind === 'count' || each.deposit.coin === rule.coin.coin);
          });
          for (const labels of rule.kind === 'cap' && rule.by !== null ? TEAMS : [null]) {
            const alike = counts.filter((each) => labels === null || each.labels['team'] === labels['team']);
            const sum = new ExactSum();
            for (const { amount } of alike) sum.add(amount);
            const counted = counters.counted(rule, labels?.['team']);
            expect([counted.count, counted.sum]).toEqual([alike.length, sum.amount]);
          }
        }
        tally.add(swap);
      }
    }),
    { numRuns: 60 },
  );
});

it('a time window reports what counts, what has passed, and when the next item ends', () => {
  const items = fc.array(fc.tuple(time, time), { maxLength: 30 });
  fc.assert(
    fc.property(items, (unsorted) => {
      const window = new Window();
      const ends: number[] = [];
      for (const [now, until] of unsorted.toSorted(([a], [b]) => a - b)) {
        window.at(now);
        const left = ends.filter((each) => each > now);
        expect([window.count, window.passed]).toEqual([left.length, ends.length - left.length]);
        expect(window.backAt).toBe(left.length === 0 ? null : Math.min(...left));
        window.add(until);
        ends.push(until);
      }
    }),
  );
  const endless = new Window();
  endless.add(Number.POSITIVE_INFINITY);
  expect([endless.at(HOUR).count, endless.backAt]).toEqual([1, null]);
});
