import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { createInBody, refundInBody } from '../../../src/core/swaps/api-body.ts';
import { ADDRESSES, BTC_TO_ETH } from '../../helpers/swap-service.ts';

it.each([
  ['no id', { refundAddress: ADDRESSES.eth }, 'Its id is missing'],
  ['an empty id', { id: '', refundAddress: ADDRESSES.eth }, 'Its id is missing'],
  ['no address', { id: 'KQWZPA' }, 'Its refundAddress is missing'],
  ['an address of null', { id: 'KQWZPA', refundAddress: null }, 'Its refundAddress is missing'],
])('refundInBody throws for a body with %s', (_, body, says) => {
  const judge = () => refundInBody(JSON.stringify(body));
  expect(judge).toThrow(`The policy cannot judge this request. ${says}.`);
  expect(judge).toThrow(SwapctlError);
});

it.each([undefined, null, '', 'much', true, -0.1, 0, '1e9999'])(
  'createInBody rejects %j',
  (depositAmount) => {
    const judge = () => createInBody(JSON.stringify({ ...BTC_TO_ETH, depositAmount }));
    expect(judge).toThrow('The policy cannot judge this request. Its depositAmount is missing or invalid.');
    expect(judge).toThrow(SwapctlError);
  },
);

it.each([
  ['a field given twice', JSON.stringify(BTC_TO_ETH).replace('{', '{"depositAmount":0.1,')],
  ['an unknown field', JSON.stringify({ ...BTC_TO_ETH, amount: 9 })],
  ['no network', JSON.stringify({ ...BTC_TO_ETH, depositNetwork: null })],
  ['an amount that the service computes', JSON.stringify({ ...BTC_TO_ETH, lastSource: 'receive' })],
  ['no JSON object', '[]'],
])('createInBody throws for a body with %s', (_, body) => {
  expect(() => createInBody(body)).toThrow(SwapctlError);
});

it.each([
  [0.1, '0.1'],
  ['0.10', '0.10'],
  [1e-7, '0.0000001'],
])('createInBody reads the deposit amount %j as %s', (depositAmount, amount) => {
  expect(createInBody(JSON.stringify({ ...BTC_TO_ETH, depositAmount }))).toMatchObject({
    amount,
    memo: null,
  });
});
