import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { QuoteRequest } from '../../../src/core/client/client.ts';
import type { CoinOnNetwork } from '../../../src/core/swap/swap.ts';
import { correctedPair, refuseSameSides, spelledPair } from '../../../src/core/swaps/pair.ts';

it.each([
  ['btc', null, 'Both sides are BTC: there is nothing to swap.', 'two networks of BTC as BTC:NETWORK'],
  ['usdt', 'trx', 'Both sides are USDT on TRX: there is nothing to swap.', 'another network'],
])('a swap of %s on %s to itself is rejected with a hint', (coin, network, message, other) => {
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
])('%j to %j is a valid pair', (from, to) => expect(() => refuseSameSides(from, to)).not.toThrow());

it.each([
  ['btc', 'XRP', 'BTC', 'XRP', false],
  ['BtC', 'XRP', 'bTC', 'XrP', true],
  ['BTC', 'xRp', 'bTC', 'XrP', true],
])('%s and %s are sent as %s and %s; the coin list is read: %s', async (...row) => {
  const [from, to, sentFrom, sentTo, isRead] = row;
  let reads = 0;
  const coins = ['bTC', 'XrP'].map((code) => ({ code, name: code, image: null, deposit: [], receive: [] }));
  const request: QuoteRequest = {
    from: { coin: from, network: null },
    to: { coin: to, network: null },
    amount: '1',
    lastSource: 'deposit',
    type: 'float',
  };
  const spelled = await spelledPair(async () => {
    reads += 1;
    return coins;
  }, request);
  expect([spelled.from.coin, spelled.to.coin, reads]).toEqual([sentFrom, sentTo, isRead ? 1 : 0]);
});

const listed = (code: string, ...codes: readonly string[]) => {
  const networks = codes.map((network) => ({ network, memoRequired: false }));
  return { code, name: code, image: null, deposit: networks, receive: networks };
};
const LIST = [listed('BTC', 'BTC'), listed('USDT', 'ERC20', 'TRX')];
const ask = (from: CoinOnNetwork, to: CoinOnNetwork): QuoteRequest => ({
  from,
  to,
  amount: '1',
  lastSource: 'deposit',
  type: 'float',
});

it('an alias is sent as the code of the service, and a missing network stays missing', async () => {
  const asked = ask({ coin: 'usdt', network: 'Ethereum' }, { coin: 'BTC', network: null });
  const { from, to } = await spelledPair(async () => LIST, asked);
  expect([from, to]).toEqual([
    { coin: 'USDT', network: 'ERC20' },
    { coin: 'BTC', network: null },
  ]);
});

it('after a rejection, the only network is filled in, and several throw network_required', () => {
  const refusal = new SwapctlError('validation_failed', 'No network.', { httpStatus: 422 });
  const corrected = (network: string | null) =>
    correctedPair(LIST, ask({ coin: 'btc', network: null }, { coin: 'usdt', network }), refusal);
  expect(corrected('trx')).toMatchObject({
    from: { coin: 'BTC', network: 'BTC' },
    to: { coin: 'USDT', network: 'TRX' },
  });
  expect(() => corrected(null)).toThrow(
    expect.objectContaining({
      code: 'network_required',
      details: { coin: 'USDT', choices: ['USDT:ERC20', 'USDT:TRX'] },
    }),
  );
});
