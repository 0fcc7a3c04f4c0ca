import { expect, it } from 'vitest';
import { parsePolicy } from '../../../../src/core/swap/policy/parse.ts';
import { canonicalPolicy, policyJson, ruleWords } from '../../../../src/core/swap/policy/policy-json.ts';
import { durationText } from '../../../../src/core/swap/policy/rule-parts.ts';
import { KEY, policyOf } from './samples.ts';

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
