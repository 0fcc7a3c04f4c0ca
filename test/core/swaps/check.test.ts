import { expect, it } from 'vitest';
import type { Coin } from '../../../src/core/swap/swap.ts';
import { type AskedSwap, checkSwap } from '../../../src/core/swaps/check.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';

const coin = (code: string): Coin => {
  const networks = [{ network: code, memoRequired: false }];
  return { code, name: code, image: null, deposit: networks, receive: networks };
};
const COINS = [coin('BTC'), coin('ETH'), coin('XRP')];
const ASKED: AskedSwap = {
  ...{ from: { coin: 'BTC', network: null }, to: { coin: 'ETH', network: null } },
  ...{ amount: '0.1', lastSource: 'deposit', type: 'float', address: ADDRESSES.eth, memo: null },
  ...{ memoWaived: false, refundAddress: null, minReceive: null, tolerance: null },
};

const TO_XRP = { to: { coin: 'XRP', network: null }, address: ADDRESSES.xrp };
/** An account with tag 1 in it. */
const X_ADDRESS = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc';

it.each<[string, Partial<AskedSwap>, readonly string[]]>([
  ['nothing', {}, []],
  ['its refund address', { refundAddress: 'no address' }, ['refundAddress']],
  ['a refund address of the payout', { refundAddress: ADDRESSES.eth }, ['refundAddress']],
  ['the decimals of the deposit', { amount: '0.123456789' }, ['amount']],
  ['no decimals of the payout', { amount: '0.123456789', lastSource: 'receive' }, []],
  ['two equal sides', { to: { coin: 'BTC', network: null }, address: ADDRESSES.btcRefund }, ['to']],
  ['no memo of its payout', { ...TO_XRP, memo: '7' }, []],
  ['no memo in its payout address', { ...TO_XRP, address: X_ADDRESS }, []],
  ['no memo that is waived', { ...TO_XRP, memoWaived: true }, []],
  ['its memo, which is waived', { ...TO_XRP, address: X_ADDRESS, memoWaived: true }, ['address']],
  ['its payout coin', { to: { coin: 'NONE', network: null } }, ['to']],
  ['its coin and its address', { from: { coin: 'NONE', network: null }, address: 'x' }, ['from', 'address']],
  ['its coin alone', { from: { coin: 'NONE', network: null }, refundAddress: ADDRESSES.btcRefund }, ['from']],
  [
    'three',
    { amount: '0.123456789', address: 'x', refundAddress: 'x' },
    ['amount', 'address', 'refundAddress'],
  ],
])('what is wrong with a swap is %s', async (_, change, fields) => {
  const verdict = await checkSwap(COINS, 'sandbox', { ...ASKED, ...change });
  expect(verdict.ok ? [] : verdict.problems.map(({ field }) => field)).toEqual(fields);
  expect(verdict.ok).toBe(fields.length === 0);
});
