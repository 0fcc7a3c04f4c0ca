import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Past, type PastSwap } from '../../../../src/core/ledger/policy/past.ts';
import { ExactSum } from '../../../../src/core/swap/amount.ts';
import type { Recipient } from '../../../../src/core/swap/policy/decide.ts';
import { policyOf } from '../../swap/policy/samples.ts';

const HOUR = 3_600_000;
const POLICY = policyOf([
  { cap: { coin: 'BTC', amount: '1', per: '1h' } },
  { cap: { coin: 'BTC', amount: '2', per: '1h' } },
  { cap: { coin: 'USDT', amount: '1', per: '3h', by: 'label:team' } },
  { cap: { coin: 'BTC', amount: '1', per: 'order' } },
  { count: { most: 1, per: '2h' } },
  { count: { most: 2, per: '2h' } },
  { payout: { seen: 1 } },
]);
const [TWO_HOURS, TEAMS] = [2 * HOUR, [{}, { team: 'a' }, { team: 'b' }]];

const recipient = (address: string, what: Recipient['what'] = 'payout', network = 'TRX'): Recipient => ({
  ...{ what, network, address, memo: null },
});
const RECIPIENTS = ['T1', 'T2'].flatMap((address) => [
  recipient(address),
  recipient(address, 'refund', 'BTC'),
  recipient(address, 'payout', 'ETH'),
]);

const time = fc.integer({ min: 0, max: 40 }).map((part) => part * (HOUR / 4));
const aSwap: fc.Arbitrary<PastSwap> = fc
  .record({
    at: time,
    coin: fc.constantFrom('BTC', 'USDT'),
    labels: fc.constantFrom(...TEAMS),
    recipients: fc.subarray(RECIPIENTS),
    amount: fc.integer({ min: 1, max: 99 }).map((units) => `0.${String(units).padStart(2, '0')}`),
    closesAt: fc.option(time),
    paidAt: fc.option(time),
    givesBackAt: fc.option(time),
    heldUntil: fc.option(time),
    refundTo: fc.constantFrom(null, 'T1'),
    counts: fc.boolean(),
  })
  .map(({ coin, labels, recipients, ...swap }) => ({
    ...swap,
    request: {
      ...{ kind: 'create', receive: null, type: null, has: new Set<string>() },
      ...{ deposit: { coin, network: 'BTC' }, amount: swap.amount, recipients, labels },
    },
  }));

const keyOf = ({ network, address, memo }: Recipient) => JSON.stringify([network, address, memo]);

/** How often a swap has paid to a recipient. */
function payments({ request, refundTo }: PastSwap, wanted: Recipient): number {
  const refund = refundTo === null ? [] : [recipient(refundTo, 'refund', request.deposit.network)];
  const paid = [...request.recipients.filter(({ what }) => what === 'payout'), ...refund];
  return paid.filter((each) => keyOf(each) === keyOf(wanted)).length;
}

it('counts at each time what a scan of every swap would count', () => {
  fc.assert(
    fc.property(fc.array(aSwap, { maxLength: 40 }), (unsorted) => {
      const swaps = unsorted.toSorted((a, b) => a.at - b.at);
      const past = new Past();
      for (const [index, { at }] of swaps.entries()) {
        past.advance(at);
        const before = swaps.slice(0, index);
        const counted = before.filter(({ counts }) => counts);
        const within = (per: number) =>
          counted.filter(
            (each) =>
              Math.min(Math.max(each.at + per, each.heldUntil ?? 0), each.givesBackAt ?? Infinity) > at,
          );
        const counters = past.counters();
        expect(counters.open).toBe(
          counted.filter(({ closesAt }) => closesAt === null || closesAt > at).length,
        );
        expect(counters.created(TWO_HOURS)).toBe(within(TWO_HOURS).length);
        for (const rule of POLICY.rules)
          if (rule.kind === 'cap' && rule.per !== 'order')
            for (const labels of TEAMS) {
              const sum = new ExactSum();
              for (const { request, amount } of within(rule.per))
                if (
                  request.deposit.coin === rule.coin.coin &&
                  (rule.by === null || request.labels['team'] === labels['team'])
                )
                  sum.add(amount);
              expect(counters.spent(rule, labels)).toBe(sum.amount);
            }
        for (const wanted of RECIPIENTS)
          expect(counters.seen(wanted)).toBe(
            before
              .filter(({ paidAt }) => paidAt !== null && paidAt <= at)
              .reduce((sum, each) => sum + payments(each, wanted), 0),
          );
        const next = swaps[index];
        if (next !== undefined) past.add(POLICY, next);
      }
    }),
    { numRuns: 60 },
  );
});
