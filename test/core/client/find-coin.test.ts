import { describe, expect, it } from 'vitest';
import { describeNetworks } from '../../../src/core/client/coin-list.ts';
import {
  coinNetworkError,
  findCoin,
  mayBeAlias,
  respell,
  sideVerb,
} from '../../../src/core/client/find-coin.ts';
import type { Coin } from '../../../src/core/swap/swap.ts';

const coin = (code: string, networks: readonly string[], memoRequired = false): Coin => {
  const listed = networks.map((network) => ({ network, memoRequired }));
  return { code, name: code, image: null, deposit: listed, receive: listed };
};
const COINS = [{ ...coin('XRP', ['XRP', 'BSC'], true), name: 'Ripple' }, coin('BTC', ['BTC', 'BSC'])];

it.each<[string, string, string[]]>([
  ['BTX', 'Did you mean BTC?', ['BTC']],
  ['NOSUCHCOIN', '`swapctl coins` lists the coins.', []],
  ...['XRP/BSC', 'xrp-bep20', 'XRPBSC', 'XRP(BEP20)'].map((typed): [string, string, string[]] => [
    typed,
    'Did you mean XRP:BSC?',
    ['XRP:BSC'],
  ]),
  ['ripple', 'Search with `swapctl coins ripple`.', []],
])('an unlisted coin such as %s is reported with the hint $1', (typed, hint, suggestions) => {
  const message = `The service has no coin ${typed}.`;
  expect(() => findCoin(COINS, { coin: typed, network: null }, 'deposit')).toThrow(
    expect.objectContaining({ message, hint, details: { coin: typed, suggestions } }),
  );
});

it('an unlisted network is reported with the networks to choose from', () => {
  const message = 'BTC cannot be deposited on the network TRX.';
  const details = { coin: 'BTC', network: 'TRX', choices: ['BTC:BTC', 'BTC:BSC'] };
  expect(() => findCoin(COINS, { coin: 'BTC', network: 'TRX' }, 'deposit')).toThrow(
    expect.objectContaining({ message, hint: 'Choose one of BTC:BTC, BTC:BSC.', details }),
  );
});

it('whether a network needs a memo depends on the coin in the list', () => {
  const lists = { deposit: ['BSC'], receive: [] };
  const memos = (code: string) => describeNetworks(code, lists, COINS).networks[0]?.memoRequired;
  expect([memos('BTC'), memos('XRP'), memos('ETH')]).toEqual([false, true, null]);
});

describe('a coin', () => {
  const USDT = coin('USDT', ['TRX', 'ETH']);
  const [upper, lower] = [coin('ABC', ['ABC']), coin('abc', ['ABC'])];

  it('is found by its exact spelling, or else case-insensitively', () => {
    const found = (code: string) =>
      findCoin([upper, lower, USDT], { coin: code, network: null }, 'deposit').coin;
    expect([found('ABC'), found('abc'), found('Abc'), found('usdt')]).toEqual([upper, lower, upper, USDT]);
  });

  it('is found on the given network or an alias of it', () => {
    const found = (network: string) =>
      findCoin([USDT], { coin: 'USDT', network }, 'deposit').network?.network;
    expect(['TRX', 'trc20'].map(found)).toEqual(['TRX', 'TRX']);
    expect(['eth', 'ERC20'].map(found)).toEqual(['ETH', 'ETH']);
  });

  it('is respelled as in the list, or else in upper case', () => {
    const spelled = (code: string, network: string | null) =>
      respell([USDT], { coin: code, network }, 'deposit');
    expect(spelled('usdt', 'trc20')).toEqual({ coin: 'USDT', network: 'TRX' });
    expect(spelled('usdt', null)).toEqual({ coin: 'USDT', network: null });
    expect(spelled('xyz', 'new')).toEqual({ coin: 'XYZ', network: 'NEW' });
  });

  it('may be on an alias if its known network is not a listed code', () => {
    const may = (code: string, network: string | null) =>
      mayBeAlias([USDT], { coin: code, network }, 'deposit');
    expect([may('usdt', 'trc20'), may('xyz', 'trc20')]).toEqual([true, true]);
    expect([may('usdt', 'trx'), may('usdt', null), may('usdt', 'nosuch')]).toEqual([false, false, false]);
  });
});

it('a coin that is unavailable on one side throws unknown_coin', () => {
  const only = { ...coin('BTC', ['BTC']), receive: [] };
  expect(() => findCoin([only], { coin: 'BTC', network: null }, 'receive')).toThrow(
    expect.objectContaining({ code: 'unknown_coin', message: 'BTC cannot be received at the moment.' }),
  );
  expect([sideVerb('deposit'), sideVerb('receive')]).toEqual(['deposited', 'received']);
});

it('the error for a missing or unknown network lists the networks to choose from', () => {
  const reported = (code: 'unknown_network' | 'network_required', codes: readonly string[]) =>
    coinNetworkError(code, 'words', { code: 'USDT' }, { codes });
  expect(reported('unknown_network', ['TRX', 'ETH']).hint).toBe('Choose one of USDT:TRX, USDT:ETH.');
  expect(reported('network_required', ['TRX', 'ETH']).hint).toBe('Pass one of USDT:TRX, USDT:ETH.');
  expect(reported('unknown_network', ['TRX']).hint).toBe('Pass USDT:TRX.');
  expect(reported('network_required', ['TRX']).details).toEqual({ coin: 'USDT', choices: ['USDT:TRX'] });
});
