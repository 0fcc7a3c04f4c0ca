import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, ExactSum } from '../../../../src/core/swap/amount.ts';
import { comparePolicies } from '../../../../src/core/swap/policy/compare.ts';
import type { CountedSwap } from '../../../../src/core/swap/policy/counters.ts';
import { parsePolicy } from '../../../../src/core/swap/policy/parse.ts';
import { canonicalPolicy, policyJson } from '../../../../src/core/swap/policy/policy-json.ts';
import {
  allowRule,
  anyRule,
  decided,
  known,
  limitRule,
  NOW,
  policyOf,
  request,
  rules,
  strictness,
  swaps,
} from './samples.ts';

const world = [request, swaps, known] as const;

describe('a policy decision', () => {
  it('never becomes less strict with one more limiting rule', () => {
    fc.assert(
      fc.property(rules, limitRule, ...world, (before, rule, wanted, made, facts) => {
        const least = strictness(decided(policyOf(before), wanted, made, facts));
        const limited = decided(policyOf([...before, rule]), wanted, made, facts);
        expect(strictness(limited)).toBeGreaterThanOrEqual(least);
      }),
    );
  });

  it('and the canonical form do not depend on the order of the rules', () => {
    const shuffled = fc
      .array(anyRule, { maxLength: 6 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ...world, ([a, b], wanted, made, facts) => {
        const [first, second] = [policyOf(a), policyOf(b)];
        const decisions = [first, second].map((policy) => decided(policy, wanted, made, facts).decision);
        expect(decisions[0]).toBe(decisions[1]);
        expect(canonicalPolicy(first)).toBe(canonicalPolicy(second));
      }),
    );
  });

  it('never lets deposits exceed a cap, however they are split', () => {
    const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 0, max: 3_600_000 })));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), parts, (cap, requests) => {
        const limit = (cap / 100).toFixed(2);
        const policy = policyOf([{ cap: { coin: 'BTC', amount: limit, per: '24h' } }]);
        const made: CountedSwap[] = [];
        let now = NOW;
        for (const [units, pause] of requests) {
          now += pause;
          const amount = (units / 100).toFixed(2);
          const swap = { at: now, deposit: { coin: 'BTC', network: 'BTC' }, labels: {}, amount };
          if (decided(policy, swap, made, { now }).decision === 'allow') made.push(swap);
          const sum = new ExactSum();
          for (const { at, amount } of made) if (at > now - 86_400_000) sum.add(amount);
          expect(compareDecimals(sum.amount, limit)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });

  it('does not depend on network aliases, letter case or trailing zeros', () => {
    const alias = (text: string) =>
      text
        .replaceAll('"USDT:TRX"', '"usdt:trc20"')
        .replaceAll('"USDT:ETH"', '"Usdt:eip155:1"')
        .replaceAll('"BTC"', '"btc"')
        .replace(/"([0-9]+\.[0-9]+)"/g, '"$1000"');
    fc.assert(
      fc.property(rules, ...world, (written, wanted, made, facts) => {
        const other = parsePolicy(alias(JSON.stringify({ version: 1, rules: written })));
        if (!other.ok) throw new Error(JSON.stringify(other.problems));
        const policy = policyOf(written);
        expect(canonicalPolicy(other.policy)).toBe(canonicalPolicy(policy));
        const { decision } = decided(policy, wanted, made, facts);
        expect(decided(other.policy, respelled(wanted), made, facts).decision).toBe(decision);
      }),
    );
  });

  it('uses the same policy after it is stored and parsed again', () => {
    fc.assert(
      fc.property(rules, (written) => {
        const policy = policyOf(written, { expires: '2027-01-31T00:00:00Z' });
        const stored = parsePolicy(policyJson(policy));
        expect(stored).toEqual({ ok: true, policy });
      }),
    );
  });
});

function respelled<T extends { deposit?: unknown; receive?: unknown; amount?: string | null }>(wanted: T): T {
  const spell = (asset: unknown) =>
    JSON.parse(JSON.stringify(asset).replace('"TRX"', '"Tron"').replace('"ETH"', '"erc-20"').toLowerCase());
  return {
    ...wanted,
    deposit: spell(wanted.deposit),
    receive: spell(wanted.receive),
    amount: `${wanted.amount}00`,
  };
}

describe('a comparison of two policies', () => {
  it('lists every change that could allow more as loosening', () => {
    // Few rules, so that the two often are of one kind.
    const few = fc.array(limitRule, { maxLength: 2 });
    fc.assert(
      fc.property(few, few, ...world, (before, after, wanted, made, facts) => {
        const [a, b] = [policyOf(before), policyOf(after)];
        if (comparePolicies(a, b).loosens.length > 0) return;
        const least = strictness(decided(a, wanted, made, facts));
        expect(strictness(decided(b, wanted, made, facts))).toBeGreaterThanOrEqual(least);
      }),
      { numRuns: 1500 },
    );
  });

  it('finds no difference between the same rules in another order', () => {
    fc.assert(
      fc.property(rules, (written) => {
        const reordered = policyOf([...written].reverse());
        expect(comparePolicies(policyOf(written), reordered)).toEqual({ loosens: [], tightens: [] });
      }),
    );
  });

  it('never lists an added limit as loosening, and always an added permission', () => {
    fc.assert(
      fc.property(rules, limitRule, allowRule, (written, limit, allow) => {
        const before = policyOf(written);
        expect(comparePolicies(before, policyOf([...written, limit])).loosens).toEqual([]);
        const only = { allow: { from: ['XMR'] } };
        const { loosens } = comparePolicies(policyOf([only]), policyOf([only, allow]));
        expect(loosens).toHaveLength(1);
      }),
    );
  });
});
