import { expect, it } from 'vitest';
import type { AgreedTerms } from '../../src/swap/agreement/agreed.ts';
import { findingsOf } from '../../src/swap/agreement/agreement.ts';
import { BTC, type Change, changed, LATER, OTHER_BTC, TERMS } from './agreed-swap.ts';

const words = async (change: Change, terms: Partial<AgreedTerms> = {}) => {
  const agreed = { ...LATER, terms: { ...TERMS, ...terms } };
  return (await findingsOf(agreed, changed(change))).map((finding) => finding.words);
};

it.each<[string, Change, Partial<AgreedTerms>?]>([
  ['its deposit is in LTC on BTC instead of BTC on BTC', { deposit: { coin: 'LTC' } }],
  ['its payout is in XLM on XRP instead of XRP on XRP', { receive: { coin: 'XLM' } }],
  ['its deposit memo is now 7 instead of none', { deposit: { memo: '7' } }],
  ['its payout memo is 12345 instead of none', {}, { memo: null }],
  ['it pays 249.99 instead of 2500', { receive: { amount: '249.99' } }],
  ['it pays 50001 instead of 2500 for 0.1', { deposit: { amount: '0.2' }, receive: { amount: '50001' } }],
])('a doubt says what is, and what was agreed: %s', async (said, change, terms) => {
  expect(await words(change, terms)).toContain(said);
});

it('a deposit address is not the refund address', async () => {
  expect(await words({}, { refundAddress: BTC })).toEqual(['the deposit address is the refund address']);
  expect(await words({}, { refundAddress: OTHER_BTC })).toEqual([]);
});
