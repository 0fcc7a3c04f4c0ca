import { expect, it } from 'vitest';
import { refuseSameSides } from '../../src/swaps/pair.ts';

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
