import fc from 'fast-check';
import { type CountedSwap, Tally } from '../../../../src/core/swap/policy/counters.ts';
import { decide } from '../../../../src/core/swap/policy/decide.ts';
import type { Policy } from '../../../../src/core/swap/policy/policy.ts';
import { parsePolicy } from '../../../../src/core/swap/policy/policy.ts';
import type { Counters, PolicyRequest } from '../../../../src/core/swap/policy/rule.ts';

export const NOW = Date.parse('2026-11-22T12:00:00Z');
export const KEY = `ed25519:${'A'.repeat(43)}=`;

/** A policy of rules as a person writes them. */
export function policyOf(rules: readonly unknown[], more: object = {}): Policy {
  const verdict = parsePolicy(JSON.stringify({ version: 1, ...more, rules }));
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.problems));
  return verdict.policy;
}

const REQUEST: PolicyRequest = {
  kind: 'create',
  deposit: { coin: 'BTC', network: 'BTC' },
  amount: '0.1',
  receive: { coin: 'USDT', network: 'TRX' },
  type: 'float',
  recipients: [{ what: 'payout', network: 'TRX', address: 'TPayout11', memo: null }],
  labels: {},
  has: new Set(),
};

/** The decision about a request after these swaps, of which none is open. */
export function decided(
  policy: Policy,
  request: Partial<PolicyRequest> = {},
  swaps: readonly CountedSwap[] = [],
  known: { readonly open?: number; readonly seen?: number; readonly now?: number } = {},
) {
  const now = known.now ?? NOW;
  return decide(policy, { ...REQUEST, ...request }, counted(policy, swaps, { ...known, now }), now);
}

/** What a policy counts of swaps. */
export function counted(
  policy: Policy,
  swaps: readonly CountedSwap[],
  {
    open = 0,
    seen = 0,
    now = NOW,
  }: { readonly open?: number; readonly seen?: number; readonly now?: number },
): Counters {
  const tally = new Tally(policy, now);
  for (const swap of swaps) tally.add(swap);
  return tally.counters({ open, seen: () => seen });
}

const coin = fc.constantFrom('BTC', 'USDT', 'USDT:TRX', 'USDT:ETH', 'LTC');
const amount = fc.integer({ min: 1, max: 400 }).map((units) => (units / 100).toFixed(2));
const per = fc.constantFrom('1h', '24h', '7d');
const some = <T>(value: fc.Arbitrary<T>) => fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
const key = fc.constantFrom(KEY, `ed25519:${'B'.repeat(43)}=`);

/** A rule that allows. */
export const allowRule = fc
  .record(
    { from: some(coin), to: some(coin), type: fc.constantFrom('fixed', 'float') },
    { requiredKeys: ['from'] },
  )
  .map((allow) => ({ allow }));

/** A rule that refuses, or wants an approval. */
export const limitRule = fc.oneof(
  fc
    .record(
      { coin, amount, per, by: fc.constantFrom('label:team') },
      { requiredKeys: ['coin', 'amount', 'per'] },
    )
    .map((cap) => ({ cap })),
  fc.record({ coin, amount, per: fc.constant('order') }).map((cap) => ({ cap })),
  fc.record({ most: fc.integer({ min: 0, max: 5 }), per }).map((count) => ({ count })),
  fc.record({ most: fc.integer({ min: 0, max: 5 }) }).map((open) => ({ open })),
  some(fc.constantFrom('refundAddress', 'idempotencyKey', 'minReceive', 'label:team')).map((require) => ({
    require,
  })),
  fc.record({ coin, above: amount, by: some(key), within: per }).map((approve) => ({ approve })),
  fc
    .record(
      { addresses: some(fc.constantFrom('TPayout11', 'TPayout22')), seen: fc.integer({ min: 1, max: 3 }) },
      { requiredKeys: ['addresses'] },
    )
    .map((payout) => ({ payout })),
  fc
    .record({ coin, side: fc.constantFrom('deposit', 'receive') }, { requiredKeys: ['coin'] })
    .map((suspend) => ({ suspend })),
  fc.record({ network: fc.constantFrom('TRX', 'ETH', 'BTC') }).map((suspend) => ({ suspend })),
);

export const anyRule = fc.oneof({ weight: 1, arbitrary: allowRule }, { weight: 3, arbitrary: limitRule });
export const rules = fc.array(anyRule, { maxLength: 6 });

const asset = fc.constantFrom(
  { coin: 'BTC', network: 'BTC' },
  { coin: 'USDT', network: 'TRX' },
  { coin: 'USDT', network: 'ETH' },
);
const labels = fc.constantFrom<Readonly<Record<string, string>>>({}, { team: 'a' }, { team: 'b' });

export const request: fc.Arbitrary<Partial<PolicyRequest>> = fc.record({
  deposit: asset,
  receive: asset,
  amount,
  labels,
  type: fc.constantFrom('fixed' as const, 'float' as const),
  recipients: fc
    .constantFrom('TPayout11', 'TPayout22', 'TStranger')
    .map((address) => [{ what: 'payout' as const, network: 'TRX', address, memo: null }]),
  has: fc.subarray(['refundAddress', 'idempotencyKey', 'minReceive']).map((parts) => new Set(parts)),
});

export const swaps: fc.Arbitrary<readonly CountedSwap[]> = fc.array(
  fc.record({ at: fc.integer({ min: NOW - 8 * 86_400_000, max: NOW }), deposit: asset, amount, labels }),
  { maxLength: 8 },
);
export const known = fc.record({
  open: fc.integer({ min: 0, max: 6 }),
  seen: fc.integer({ min: 0, max: 4 }),
});

/** How little a decision allows: 0 allows, 2 refuses. */
export function strictness({ decision }: { readonly decision: string }): number {
  return ['allow', 'approve', 'refuse'].indexOf(decision);
}
