import { expect, it } from 'vitest';
import type { Coin } from '../../../src/core/swap/swap.ts';
import { checkSwap, type SwapInput } from '../../../src/core/swaps/check.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';
import { ASKED } from '../swap/requests.ts';

const coin = (code: string, memoRequired = false): Coin => {
  const networks = [{ network: code, memoRequired }];
  return { code, name: code, image: null, deposit: networks, receive: networks };
};
const COINS = [coin('BTC'), coin('ETH'), coin('XRP'), coin('LTC', true)];

const TO_XRP = { to: { coin: 'XRP', network: null }, address: ADDRESSES.xrp };
/** An account with tag 1 in it. */
const X_ADDRESS = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc';

it.each<[string, Partial<SwapInput>, readonly string[]]>([
  ['nothing', {}, []],
  ['an invalid refund address', { refundAddress: 'no address' }, ['refundAddress']],
  ['a refund address on the payout network', { refundAddress: ADDRESSES.eth }, ['refundAddress']],
  ['too many decimals of the deposit', { amount: '0.123456789' }, ['amount']],
  ['no decimals of a payout amount', { amount: '0.123456789', lastSource: 'receive' }, []],
  ['two equal sides', { to: { coin: 'BTC', network: null }, address: ADDRESSES.btcRefund }, ['to']],
  ['no payout memo', { ...TO_XRP, memo: '7' }, []],
  ['no memo inside the payout address', { ...TO_XRP, address: X_ADDRESS }, []],
  [
    'a memo that the coin list requires',
    { to: { coin: 'LTC', network: null }, address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
    ['address'],
  ],
  ['no waived memo', { ...TO_XRP, memoWaived: true }, []],
  [
    'a waived memo that the address contains',
    { ...TO_XRP, address: X_ADDRESS, memoWaived: true },
    ['address'],
  ],
  ['an unknown payout coin', { to: { coin: 'NONE', network: null } }, ['to']],
  [
    'a bad coin and a bad address',
    { from: { coin: 'NONE', network: null }, address: 'x' },
    ['from', 'address'],
  ],
  ['only the coin', { from: { coin: 'NONE', network: null }, refundAddress: ADDRESSES.btcRefund }, ['from']],
  [
    'three fields',
    { amount: '0.123456789', address: 'x', refundAddress: 'x' },
    ['amount', 'address', 'refundAddress'],
  ],
])('checkSwap reports a problem with %s: $2', async (_, change, fields) => {
  const verdict = await checkSwap(COINS, 'sandbox', { ...ASKED, ...change });
  expect(verdict.ok ? [] : verdict.problems.map(({ field }) => field)).toEqual(fields);
  expect(verdict.ok).toBe(fields.length === 0);
});
