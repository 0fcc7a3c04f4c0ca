import { expect, it } from 'vitest';
import { describeNetworks } from '../../src/client/coin-list.ts';
import { findCoin } from '../../src/client/find-coin.ts';
import type { Coin } from '../../src/swap/swap.ts';

const coin = (code: string, networks: readonly string[], memoRequired = false): Coin => {
  const listed = networks.map((network) => ({ network, memoRequired }));
  return { code, name: code, image: null, deposit: listed, receive: listed };
};
const COINS = [coin('XRP', ['XRP', 'BSC'], true), coin('BTC', ['BTC', 'BSC'])];

it.each([
  ['BTX', 'The service has no coin BTX.', 'Did you mean BTC?', { coin: 'BTX', suggestions: ['BTC'] }],
  [
    'NOSUCHCOIN',
    'The service has no coin NOSUCHCOIN.',
    'Search with `swapctl coins NOSUCHCOIN`.',
    { coin: 'NOSUCHCOIN', suggestions: [] },
  ],
  [
    'BTC:TRX',
    'BTC cannot be deposited on the network TRX.',
    'Choose one of BTC:BTC, BTC:BSC.',
    { coin: 'BTC', network: 'TRX', choices: ['BTC:BTC', 'BTC:BSC'] },
  ],
])('of %s, which the service does not list, says what could be meant', (typed, message, hint, details) => {
  const [code = '', network = null] = typed.split(':');
  expect(() => findCoin(COINS, { coin: code, network }, 'deposit')).toThrow(
    expect.objectContaining({ message, hint, details }),
  );
});

it('the networks of a coin need a memo as that coin is listed', () => {
  const lists = { deposit: ['BSC'], receive: [] };
  const memos = (code: string) => describeNetworks(code, lists, COINS).networks[0]?.memoRequired;
  expect([memos('BTC'), memos('XRP'), memos('ETH')]).toEqual([false, true, null]);
});
