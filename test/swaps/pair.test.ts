import { expect, it } from 'vitest';
import type { QuoteRequest } from '../../src/client/client.ts';
import { refuseSameSides, spelledPair } from '../../src/swaps/pair.ts';

it.each([
  ['btc', null, 'Both sides are BTC: there is nothing to swap.', 'two networks of BTC as BTC:NETWORK'],
  ['usdt', 'trx', 'Both sides are USDT on TRX: there is nothing to swap.', 'another network'],
])('%s on %s against itself is refused, with what else could be meant', (coin, network, message, other) => {
  const lower = { coin, network };
  const upper = { coin: coin.toUpperCase(), network: network?.toUpperCase() ?? null };
  const hint = `Pass another coin, or ${other}; see \`swapctl networks ${upper.coin}\`.`;
  expect(() => refuseSameSides(lower, upper)).toThrow(expect.objectContaining({ message, hint }));
});

it.each([
  [
    { coin: 'BTC', network: null },
    { coin: 'BTC', network: 'BTC' },
  ],
  [
    { coin: 'USDT', network: 'ETH' },
    { coin: 'USDT', network: 'TRX' },
  ],
  [
    { coin: 'ETH', network: 'ETH' },
    { coin: 'USDT', network: 'ETH' },
  ],
])('%j against %j may be a swap', (from, to) => {
  expect(() => refuseSameSides(from, to)).not.toThrow();
});

it.each([
  ['btc', 'XRP', 'BTC', 'XRP', false],
  ['BtC', 'XRP', 'bTC', 'XrP', true],
  ['BTC', 'xRp', 'bTC', 'XrP', true],
])('%s and %s are spelled %s and %s; with the coin list: %s', async (...row) => {
  const [from, to, sentFrom, sentTo, isRead] = row;
  let reads = 0;
  const coins = ['bTC', 'XrP'].map((code) => ({ code, name: code, image: null, deposit: [], receive: [] }));
  const request: QuoteRequest = {
    ...{ from: { coin: from, network: null }, to: { coin: to, network: null } },
    ...{ amount: '1', lastSource: 'deposit', type: 'float' },
  };
  const spelled = await spelledPair(async () => {
    reads += 1;
    return coins;
  }, request);
  expect([spelled.from.coin, spelled.to.coin, reads]).toEqual([sentFrom, sentTo, isRead ? 1 : 0]);
});
