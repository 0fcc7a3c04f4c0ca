import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, ExactSum } from '../../../../src/core/swap/amount.ts';
import { comparePolicies } from '../../../../src/core/swap/policy/compare.ts';
import { type CountedSwap, Tally, Window } from '../../../../src/core/swap/policy/counters.ts';
import {
  canonicalPolicy,
  parsePolicy,
  policyJson,
  ruleWords,
} from '../../../../src/core/swap/policy/policy.ts';
import { durationText } from '../../../../src/core/swap/policy/rule.ts';
import {
  allowRule,
  anyRule,
  decided,
  KEY,
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
        expect(parsePolicy(policyJson(policy))).toEqual({ ok: true, policy });
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

const treasury = { name: 'treasury', network: 'BTC', address: 'bc1qtreasury' };
const office = { name: 'office', address: 'TPayout22' };
const until = '2026-12-01T00:00:00.000Z';

it.each<[words: string, rule: object]>([
  ['allow BTC, USDT:TRX to any coin', { allow: { from: ['BTC', 'USDT:TRX'] } }],
  ['allow any coin to XMR at a fixed rate', { allow: { to: ['XMR'], type: 'fixed' } }],
  ['allow any coin to XMR at a floating rate', { allow: { to: ['XMR'], type: 'float' } }],
  ['pay only to @treasury (bc1qtreasury), TPayout11', { payout: { addresses: ['@treasury', 'TPayout11'] } }],
  ['pay only to addresses already paid at least once', { payout: { seen: 1 } }],
  [
    'pay only to TPayout11, addresses already paid at least 2 times',
    { payout: { addresses: ['TPayout11'], seen: 2 } },
  ],
  ['at most 0.5 BTC per order', { cap: { coin: 'BTC', amount: '0.5', per: 'order' } }],
  ['at most 2 BTC per 7d for each team', { cap: { coin: 'BTC', amount: '2', per: '7d', by: 'label:team' } }],
  ['at most 1 new swap per 1h', { count: { most: 1, per: '1h' } }],
  ['at most 10 open swaps', { open: { most: 10 } }],
  ['require refundAddress, label:invoice', { require: ['refundAddress', 'label:invoice'] }],
  [
    `require an approval within 15m for every swap, signed by ${KEY}`,
    { approve: { by: [KEY], within: '15m' } },
  ],
  [
    `require an approval within 90s for deposits above 0.2 BTC, signed by ${KEY}`,
    { approve: { coin: 'BTC', above: '0.2', by: [KEY], within: '90s' } },
  ],
  ['suspend BTC on the deposit side', { suspend: { coin: 'BTC', side: 'deposit' } }],
  [`suspend TRX on the payout side until ${until}`, { suspend: { network: 'TRX', side: 'receive', until } }],
  ['suspend BTC/USDT:TRX (maintenance)', { suspend: { pair: 'BTC/USDT:TRX', reason: 'maintenance' } }],
])('ruleWords describes a rule: %s', (words, rule) => {
  const verdict = parsePolicy(JSON.stringify({ version: 1, rules: [rule] }), {
    saved: () => ({ ...treasury, memo: null }),
  });
  expect(verdict.ok && verdict.policy.rules.map(ruleWords)).toEqual([words]);
});

it.each<[text: string, milliseconds: number]>([
  ['1s', 1000],
  ['90s', 90_000],
  ['1m', 60_000],
  ['90m', 5_400_000],
  ['1h', 3_600_000],
  ['24h', 86_400_000],
  ['25h', 90_000_000],
  ['2d', 172_800_000],
])('durationText uses the largest whole unit: %s', (text, milliseconds) => {
  expect(durationText(milliseconds)).toBe(text);
});

it('a stored policy contains exactly what its rules state', () => {
  const rules = [
    { allow: { from: ['BTC'], type: 'float' } },
    { payout: { addresses: ['TPayout11', treasury, { address: 'rShared111', memo: '7' }, office] } },
    { payout: { addresses: [{ network: 'TRX', address: 'TPayout11' }], seen: 2 } },
    { payout: { seen: 3 } },
    { cap: { coin: 'BTC', amount: '0.5', per: 'order' } },
    { cap: { coin: 'USDT:TRX', amount: '2', per: '24h', by: 'label:team' } },
    { count: { most: 0, per: '30s' } },
    { require: ['minReceive', 'refundAddress'] },
    { approve: { by: [KEY], within: '15m' } },
    { approve: { coin: 'BTC', above: '0', by: [KEY], within: '15m' } },
    { suspend: { network: 'TRX', side: 'receive', until, reason: 'maintenance' } },
    { suspend: { pair: 'BTC/USDT:TRX' } },
  ];
  expect(JSON.parse(policyJson(policyOf(rules)))).toEqual({ version: 1, rules });
  expect(policyJson(policyOf([], { expires: until }))).toBe(`{"version":1,"expires":"${until}","rules":[]}`);
});

it('the canonical form of a policy normalizes order, spelling and duplicates', () => {
  const team = { cap: { coin: 'usdt:TRC20', amount: '2.50', per: '1d' } };
  const a = policyOf([team, { open: { most: 1 } }, team, { allow: { from: ['LTC', 'BTC', 'XMR', 'LTC'] } }]);
  expect(canonicalPolicy(a)).toBe(
    '{"version":1,"rules":[{"allow":{"from":["BTC","LTC","XMR"]}},{"cap":{"coin":"USDT:TRX","amount":"2.5","per":"24h"}},{"open":{"most":1}}]}',
  );
});

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
