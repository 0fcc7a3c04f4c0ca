import { describe, expect, it } from 'vitest';
import { comparePolicies } from '../../../../src/core/swap/policy/compare.ts';
import { KEY, policyOf } from './samples.ts';

const OTHER_KEY = KEY.replace(/:./, ':Z');
const FIRST = 'TPayout11';
const SECOND = 'TPayout22';

const cap = (more: object) => ({ cap: { coin: 'USDT', amount: '2', per: '24h', ...more } });
const count = (most: number, per: string) => ({ count: { most, per } });
const payout = (addresses: readonly unknown[], seen?: number) => ({ payout: { addresses, seen } });
const approve = (more: object) => ({ approve: { by: [KEY], within: '15m', ...more } });
const above = (amount: string, more: object = {}) => approve({ coin: 'USDT', above: amount, ...more });
const suspend = (more: object) => ({ suspend: more });

/** How many sentences a change has of what is looser, and of what is tighter. */
function changes(before: object, after: object): readonly number[] {
  const { loosens, tightens } = comparePolicies(policyOf([before]), policyOf([after]));
  return [loosens.length, tightens.length];
}

describe('replacing a policy rule', () => {
  it.each<[what: string, before: object, after: object]>([
    ['a lower cap', cap({}), cap({ amount: '1.9' })],
    ['a cap over a longer time', cap({}), cap({ per: '25h' })],
    ['a cap on more networks', cap({ coin: 'USDT:TRX' }), cap({})],
    ['a cap for all teams together', cap({ by: 'label:team' }), cap({})],
    ['a cap per time instead of per order', cap({ per: 'order' }), cap({})],
    ['fewer creates', count(3, '24h'), count(2, '24h')],
    ['as many creates in a longer time', count(3, '24h'), count(3, '25h')],
    ['fewer open swaps', { open: { most: 3 } }, { open: { most: 2 } }],
    ['one more requirement', { require: ['minReceive'] }, { require: ['refundAddress', 'minReceive'] }],
    ['one address fewer', payout([FIRST, SECOND]), payout([SECOND])],
    ['an address on one network', payout([FIRST]), payout([{ network: 'TRX', address: FIRST }])],
    ['listed addresses only', payout([FIRST], 1), payout([FIRST])],
    ['more earlier payouts required', payout([FIRST], 1), payout([FIRST], 2)],
    ['an approval of smaller deposits', above('0.2'), above('0.1')],
    ['an approval on more networks', above('0.2', { coin: 'USDT:TRX' }), above('0.2')],
    ['an approval of everything', above('0.2'), approve({})],
    ['an approval by fewer', above('0.2', { by: [KEY, OTHER_KEY] }), above('0.2')],
    ['an approval within less time', above('0.2'), above('0.2', { within: '14m' })],
    [
      'a suspension without an end',
      suspend({ coin: 'BTC', until: '2027-01-31T00:00:00Z' }),
      suspend({ coin: 'BTC' }),
    ],
    ['a suspension of both sides', suspend({ coin: 'BTC', side: 'deposit' }), suspend({ coin: 'BTC' })],
    ['a suspension on all networks', suspend({ coin: 'USDT:TRX' }), suspend({ coin: 'USDT' })],
    ['the suspension of more pairs', suspend({ pair: 'BTC/USDT:TRX' }), suspend({ pair: 'BTC/USDT' })],
    ['the suspension of more other pairs', suspend({ pair: 'USDT:TRX/BTC' }), suspend({ pair: 'USDT/BTC' })],
    ['fewer coins to deposit', { allow: { from: ['BTC', 'LTC'] } }, { allow: { from: ['LTC'] } }],
    ['fewer coins to receive', { allow: { to: ['BTC', 'LTC'] } }, { allow: { to: ['LTC'] } }],
    ['only some coins to receive', { allow: { from: ['BTC'] } }, { allow: { from: ['BTC'], to: ['LTC'] } }],
    ['only one rate type', { allow: { from: ['BTC'] } }, { allow: { from: ['BTC'], type: 'fixed' } }],
  ])('tightens the policy, and the reverse loosens it: %s', (_, before, after) => {
    expect([...changes(before, after), ...changes(after, before)]).toEqual([0, 1, 1, 0]);
    expect([...changes(before, before), ...changes(after, after)]).toEqual([0, 0, 0, 0]);
  });

  it.each<[what: string, one: object, other: object]>([
    ['caps of two coins', cap({}), cap({ coin: 'BTC' })],
    ['caps for each team and each customer', cap({ by: 'label:team' }), cap({ by: 'label:customer' })],
    ['a lower cap in a shorter time', cap({}), cap({ amount: '1', per: '1h' })],
    ['fewer creates in a shorter time', count(3, '24h'), count(2, '1h')],
    ['two requirements', { require: ['minReceive'] }, { require: ['refundAddress'] }],
    ['two addresses', payout([FIRST]), payout([SECOND])],
    ['two addresses with different seen counts', payout([FIRST], 1), payout([SECOND], 2)],
    ['approvals of two coins', above('1'), above('1', { coin: 'BTC' })],
    ['approvals by two keys', approve({}), approve({ by: [OTHER_KEY] })],
    ['suspensions of two coins', suspend({ coin: 'BTC' }), suspend({ coin: 'LTC' })],
    ['a suspended coin and a network', suspend({ coin: 'BTC' }), suspend({ network: 'BTC' })],
    ['a suspended coin and a pair', suspend({ coin: 'BTC' }), suspend({ pair: 'BTC/LTC' })],
    ['a suspended network and a pair', suspend({ network: 'BTC' }), suspend({ pair: 'BTC/LTC' })],
    ['pairs with two deposits', suspend({ pair: 'BTC/ETH' }), suspend({ pair: 'LTC/ETH' })],
    ['pairs with two payouts', suspend({ pair: 'BTC/ETH' }), suspend({ pair: 'BTC/LTC' })],
    ['two coins to deposit', { allow: { from: ['BTC'] } }, { allow: { from: ['LTC'] } }],
    ['a coin to deposit and one to receive', { allow: { from: ['BTC'] } }, { allow: { to: ['LTC'] } }],
    ['two rates', { allow: { type: 'fixed' } }, { allow: { type: 'float' } }],
  ])('both loosens and tightens the policy: %s', (_, one, other) => {
    expect([...changes(one, other), ...changes(other, one)]).toEqual([1, 1, 1, 1]);
  });

  it('with one of another kind both loosens and tightens the policy', () => {
    const kinds = [cap({}), count(3, '24h'), { open: { most: 3 } }, { require: ['minReceive'] }];
    const all = [...kinds, payout([FIRST]), above('1'), suspend({ coin: 'BTC' })];
    for (const one of all)
      for (const other of all) expect(changes(one, other)).toEqual(one === other ? [0, 0] : [1, 1]);
  });
});

it.each([
  [null, '2027-01-01T00:00:00Z', 'tightens', 'expires at 2027-01-01T00:00:00.000Z'],
  ['2027-01-01T00:00:00Z', null, 'loosens', 'never expires'],
  ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z', 'loosens', 'expires at 2028-01-01T00:00:00.000Z'],
  ['2028-01-01T00:00:00Z', '2027-01-01T00:00:00Z', 'tightens', 'expires at 2027-01-01T00:00:00.000Z'],
])('changing expires from %s to %s %s the policy', (before, after, what, words) => {
  const ending = (expires: string | null) => policyOf([], expires === null ? {} : { expires });
  expect(comparePolicies(ending(before), ending(after))).toEqual({
    loosens: [],
    tightens: [],
    [what]: [words],
  });
});

it('comparePolicies describes added and removed rules in words', () => {
  const [limited, allowed] = [policyOf([cap({})]), policyOf([{ allow: { from: ['BTC'] } }])];
  expect(comparePolicies(null, limited).tightens).toEqual(['adds: at most 2 USDT per 24h']);
  expect(comparePolicies(null, allowed).tightens).toEqual(['only allow BTC to any coin']);
  expect(comparePolicies(allowed, limited)).toEqual({
    loosens: ['every pair is allowed'],
    tightens: ['adds: at most 2 USDT per 24h'],
  });
  expect(comparePolicies(limited, policyOf([])).loosens).toEqual(['removes: at most 2 USDT per 24h']);
  const other = policyOf([{ allow: { from: ['LTC'] } }]);
  expect(comparePolicies(allowed, other)).toEqual({
    loosens: ['adds: allow LTC to any coin'],
    tightens: ['removes: allow BTC to any coin'],
  });
});
