import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { QuoteRequest } from '../../../src/core/client/client.ts';
import type { CoinOnNetwork } from '../../../src/core/swap/swap.ts';
import { coinsOfPair, correctedPair, refuseSameSides, spelledPair } from '../../../src/core/swaps/pair.ts';

it.each([
  ['btc', null, 'Both sides are BTC: there is nothing to swap.', 'two networks of BTC as BTC:NETWORK'],
  ['usdt', 'trx', 'Both sides are USDT on TRX: there is nothing to swap.', 'another network'],
])('a swap of %s on %s to itself is rejected with a hint', (coin, network, message, other) => {
  const lower = { coin, network };
  const upper = { coin: coin.toUpperCase(), network: network?.toUpperCase() ?? null };
  const hint = `Pass another coin, or ${other}; see \`swapctl networks ${upper.coin}\`.`;
  expect(() => refuseSameSides(lower, upper)).toThrow(expect.objectContaining({ message, hint }));
});

const on = (coin: string, network: string | null = null) => ({ coin, network });

it.each([
  [on('BTC'), on('BTC', 'BTC')],
  [on('USDT', 'ETH'), on('USDT', 'TRX')],
  [on('ETH', 'ETH'), on('USDT', 'ETH')],
])('%j to %j is a valid pair', (from, to) => expect(() => refuseSameSides(from, to)).not.toThrow());

const ask = (from: CoinOnNetwork, to: CoinOnNetwork): QuoteRequest => {
  const amount = { amount: '1', lastSource: 'deposit', type: 'float' } as const;
  return { from, to, ...amount };
};

it.each([
  ['btc', 'XRP', 'BTC', 'XRP', false],
  ['BtC', 'XRP', 'bTC', 'XrP', true],
  ['BTC', 'xRp', 'bTC', 'XrP', true],
])('%s and %s are sent as %s and %s; the coin list is read: %s', async (...row) => {
  const [from, to, sentFrom, sentTo, isRead] = row;
  let reads = 0;
  const coins = ['bTC', 'XrP'].map((code) => ({ code, name: code, image: null, deposit: [], receive: [] }));
  const read = async () => {
    reads += 1;
    return coins;
  };
  const spelled = await spelledPair(read, ask(on(from), on(to)));
  expect([spelled.from.coin, spelled.to.coin, reads]).toEqual([sentFrom, sentTo, isRead ? 1 : 0]);
});

const listed = (code: string, ...codes: readonly string[]) => {
  const networks = codes.map((network) => ({ network, memoRequired: false }));
  return { code, name: code, image: null, deposit: networks, receive: networks };
};
const LIST = [listed('BTC', 'BTC'), listed('USDT', 'ERC20', 'TRX')];
it('an alias is sent as the code of the service, and a missing network stays missing', async () => {
  const { from, to } = await spelledPair(async () => LIST, ask(on('usdt', 'Ethereum'), on('BTC')));
  expect([from, to]).toEqual([on('USDT', 'ERC20'), on('BTC')]);
});

it.each([
  [on('USDT', 'Ethereum'), 2],
  [on('USDT', 'TRX'), 1],
])('%j is looked up in a list of %i coins: an alias may be the code of another coin', async (to, length) => {
  const source = {
    pairCoins: async () => LIST.slice(1),
    coinList: async () => ({ coins: LIST, fetchedAt: 1 }),
  };
  expect(await coinsOfPair(source, { from: on('USDT', 'ERC20'), to })).toHaveLength(length);
});

it('after a rejection, the only network is filled in, and several throw network_required', () => {
  const refusal = new SwapctlError('validation_failed', 'No network.', { httpStatus: 422 });
  const corrected = (network: string | null) =>
    correctedPair(LIST, ask(on('btc'), on('usdt', network)), refusal);
  expect(corrected('trx')).toMatchObject({ from: on('BTC', 'BTC'), to: on('USDT', 'TRX') });
  const details = { coin: 'USDT', choices: ['USDT:ERC20', 'USDT:TRX'] };
  const required = expect.objectContaining({ code: 'network_required', details });
  expect(() => corrected(null)).toThrow(required);
  expect(() => correctedPair(LIST, ask(on('usdt'), on('btc')), refusal)).toThrow(required);
});
