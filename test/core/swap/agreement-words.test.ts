import { describe, expect, it } from 'vitest';
import type { Agreement } from '../../../src/core/swap/agreement/agreed.ts';
import { doubtsOf } from '../../../src/core/swap/agreement/agreement.ts';
import { createProblem } from '../../../src/core/swap/agreement/fundable.ts';
import { BTC, type Change, changed, LATER, OTHER_BTC, SWAP, TERMS } from './agreed-swap.ts';

type Terms = Partial<Agreement['terms']>;

const words = async (change: Change, terms: Terms = {}, more: Partial<Agreement> = {}) => {
  const agreed = { ...LATER, terms: { ...TERMS, ...terms }, ...more };
  return (await doubtsOf(agreed, changed(change))).map((doubt) => doubt.words);
};

const ETH = { coin: 'ETH', network: 'ETH', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
const ETH_TO_BSC = { deposit: ETH, receive: { coin: 'ETH', network: 'BSC' }, address: ETH.address };
const ON_NEW = { coin: 'BTC', network: 'NEW' };
const USDT = { coin: 'USDT', network: 'BTC' };
const TO_BTC = { receive: { ...USDT, network: 'btc' }, address: BTC };
const TESTNET = { address: 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn' };
const GOES_ON = { status: 'exchanging' };
const FIXED = { type: 'fixed' } as const;
const missing = 'the network of the deposit needs a memo, and the service gave none';

it.each<[string, Change, Terms?]>([
  ['its deposit is in LTC on BTC instead of BTC on BTC', { deposit: { coin: 'LTC' } }],
  ['its deposit is in ? on NEW instead of BTC on BTC', { deposit: { coin: null, network: 'NEW' } }],
  ['its deposit coin or network is missing', { deposit: { coin: null } }],
  ['its payout is in XLM on XRP instead of XRP on XRP', { receive: { coin: 'XLM' } }],
  ['its deposit memo is now 7 instead of none', { deposit: { ...ON_NEW, memo: '7' } }, { deposit: ON_NEW }],
  ['its payout memo is 12345 instead of none', {}, { memo: null }],
  ['its rate type cannot be read', { swap: { type: null, unreadable: ['type'] } }],
  ['it asks for a deposit of 0.2 instead of 0.1', { deposit: { amount: '0.2' } }],
  ['its deposit is 0.2 instead of 0.1', { deposit: { amount: '0.2' }, swap: GOES_ON }],
  ['it pays nothing', { receive: { amount: '0.00' } }],
  ['it pays 249.99 instead of 2500', { receive: { amount: '249.99' } }],
  ['it pays 2500.1 instead of 2500', { receive: { amount: '2500.1' }, swap: FIXED }, FIXED],
  ['the deposit address is the refund address', {}, { refundAddress: BTC }],
  ['the deposit address is the payout address', { receive: { ...USDT, address: BTC } }, TO_BTC],
  [missing, {}, { depositMemoNeeded: true }],
])('a doubt states the reported and the agreed value: %s', async (printed, change, terms) => {
  expect(await words(change, terms)).toEqual([printed]);
});

it('a payout doubt also names both deposits when the deposit amount changed', async () => {
  const change = { deposit: { amount: '0.2' }, receive: { amount: '50001' } };
  expect((await words(change)).at(-1)).toBe('it pays 50001 for 0.2 instead of 2500 for 0.1');
});

it.each<[string, Change, Terms?, Partial<Agreement>?]>([
  ['another refund address', {}, { refundAddress: OTHER_BTC }],
  [
    'another payout address',
    { receive: { ...USDT, address: OTHER_BTC } },
    { receive: USDT, address: OTHER_BTC },
  ],
  ['its network alone', { deposit: ETH, receive: { ...ETH, network: 'BSC' } }, ETH_TO_BSC, { first: null }],
  ['the payout of a failed swap', { receive: { amount: '0' }, swap: { status: 'refund', final: true } }],
  ['a quote of 0', {}, { quoted: '0' }, { first: null }],
  ['no quote', {}, { quoted: null }, { first: null }],
  ['a pause before its deposit is priced', { receive: { amount: '2500' }, swap: { status: 'pause' } }],
  ['a test network in the sandbox', { deposit: TESTNET }, {}, { first: null, environment: 'sandbox' }],
])('no doubt is raised about %s', async (_, change, terms, more) => {
  expect(await words(change, terms, more)).toEqual([]);
});

it('a paused or frozen swap may show the payout of the agreed deposit until it continues', async () => {
  const doubts = async (status: string, amount: string, terms: Terms = {}) => {
    const swap = { status, type: terms?.type ?? 'float' };
    return (await words({ deposit: { amount: '5' }, receive: { amount }, swap }, terms)).slice(1);
  };
  expect(await doubts('pause', '2500.0')).toEqual([]);
  expect(await doubts('frozen', '2501')).toEqual(['it pays 2501 for 5 instead of 2500 for 0.1']);
  expect(await doubts('exchanging', '2500')).toEqual(['it pays 2500 for 5 instead of 2500 for 0.1']);
  expect(await doubts('exchanging', '125000', FIXED)).toEqual([]);
});

it('a deposit reported as sent is doubted if the service does not see it in time or before the swap ends', async () => {
  const reported = (isDue: boolean, change: Change) => words(change, {}, { sent: { txId: 'f00d', isDue } });
  const unseen = 'its deposit was sent in transaction f00d, and the service does not see it';
  expect(await reported(false, {})).toEqual([]);
  expect(await reported(true, {})).toEqual([unseen]);
  expect(await reported(true, { deposit: { txId: 'f00d' } })).toEqual([]);
  expect(await reported(false, { swap: { status: 'overdue', final: true } })).toEqual([unseen]);
});

describe('a deposit memo', () => {
  const XRP = { coin: 'XRP', network: 'XRP', address: 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf' };
  const TAG_0 = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc';
  const terms = { deposit: { coin: 'XRP', network: 'XRP' } };
  const doubts = (memo: string | null, address = XRP.address) =>
    words({ deposit: { ...XRP, address, memo } }, terms, { first: null });

  it('is doubted if it is missing, invalid, or differs from the one in the address', async () => {
    expect(await doubts('7')).toEqual([]);
    expect(await doubts(null)).toEqual([missing]);
    expect(await doubts('seven')).toEqual(['the deposit memo is not valid on XRP']);
    expect(await doubts(null, TAG_0)).toEqual([]);
    expect(await doubts('0', TAG_0)).toEqual([]);
    const another = ['the deposit address contains a different memo'];
    expect(await doubts('7', TAG_0)).toEqual(another);
    const asset = { coin: 'XLM', network: 'XLM' };
    const address = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
    const muxed = { deposit: { ...asset, address, memo: '7' } };
    expect(await words(muxed, { deposit: asset }, { first: null })).toEqual(another);
  });

  it('may be missing only after the swap has ended', async () => {
    const first = changed({ deposit: { memo: '7' } });
    expect(await words({}, {}, { first })).toEqual(['it no longer shows a deposit memo']);
    expect(await words({ swap: { status: 'refund', final: true } }, {}, { first })).toEqual([]);
  });
});

it('a deposit address is compared with the first one even if that one had no network', async () => {
  const first = changed({ deposit: { network: null } });
  const found = await words({ deposit: { address: OTHER_BTC } }, {}, { first });
  expect(found).toEqual([`its deposit address is now ${OTHER_BTC} instead of ${BTC}`]);
});

const NO_ADDRESS = { deposit: { address: null } };

it.each<[string | null, Change]>([
  [null, {}],
  [null, { swap: { status: 'unknown' } }],
  ['it has already ended as refund', { swap: { status: 'refund', final: true } }],
  ['its status is already pause', { swap: { status: 'pause' } }],
  ['its status is already frozen', { swap: { status: 'frozen' } }],
  ['it started before anyone could pay', { swap: { status: 'confirmation' } }],
  ['it started before anyone could pay', { swap: { status: 'unknown' }, deposit: { txId: 'f00d' } }],
  ['its order number has unexpected characters', { swap: { order: '--exec=sh' } }],
  ['its deposit address cannot be read', { ...NO_ADDRESS, swap: { unreadable: ['deposit.address'] } }],
  ['the deposit address is missing or has invalid characters', NO_ADDRESS],
  ['the deposit memo has invalid characters', { deposit: { memo: 'a\u200b' } }],
  ['the amount to deposit is missing', { deposit: { amount: null } }],
])('the problem with a create response is %j', (printed, change) => {
  expect(createProblem([], { ...SWAP, ...changed(change) })).toBe(printed);
});
