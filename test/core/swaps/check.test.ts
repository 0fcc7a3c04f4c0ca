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

const of = (code: string) => ({ coin: code, network: null });
const TO_XRP = { to: of('XRP'), address: ADDRESSES.xrp };
const BAD = { address: 'x', refundAddress: 'x' };
const LTC_ADDRESS = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
/** An account with tag 1 in it. */
const X_ADDRESS = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc';

it.each<[string, Partial<SwapInput>, readonly string[]]>([
  ['nothing', {}, []],
  ['an invalid refund address', { refundAddress: 'no address' }, ['refundAddress']],
  ['a refund address on the payout network', { refundAddress: ADDRESSES.eth }, ['refundAddress']],
  ['too many decimals of the deposit', { amount: '0.123456789' }, ['amount']],
  ['no decimals of a payout amount', { amount: '0.123456789', lastSource: 'receive' }, []],
  ['two equal sides', { to: of('BTC'), address: ADDRESSES.btcRefund }, ['to']],
  ['no payout memo', { ...TO_XRP, memo: '7' }, []],
  ['no memo inside the payout address', { ...TO_XRP, address: X_ADDRESS }, []],
  ['a memo that the coin list requires', { to: of('LTC'), address: LTC_ADDRESS }, ['address']],
  ['no waived memo', { ...TO_XRP, memoWaived: true }, []],
  ['a waived memo in the address', { ...TO_XRP, address: X_ADDRESS, memoWaived: true }, ['address']],
  ['an unknown payout coin', { to: of('NONE') }, ['to']],
  ['a bad coin and a bad address', { from: of('NONE'), address: 'x' }, ['from', 'address']],
  ['only the coin', { from: of('NONE'), refundAddress: ADDRESSES.btcRefund }, ['from']],
  ['three fields', { amount: '0.123456789', ...BAD }, ['amount', 'address', 'refundAddress']],
])('checkSwap reports a problem with %s: $2', async (_, change, fields) => {
  const verdict = await checkSwap(COINS, 'sandbox', { ...ASKED, ...change });
  expect(verdict.ok ? [] : verdict.problems.map(({ field }) => field)).toEqual(fields);
  expect(verdict.ok).toBe(fields.length === 0);
});
