import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { describeNetworks, findPair, readNetworks } from '../../src/client/coin-list.ts';
import { type CoinPage, decodeCoinPage, type ListingMethod } from '../../src/client/coin-page.ts';
import { SwapctlError } from '../../src/errors.ts';
import type { Coin } from '../../src/swap/swap.ts';
import { clientOf } from './test-client.ts';

const TRX = { network: 'TRX', memoRequired: false };
const USDT: Coin = { code: 'USDT', name: 'Tether', image: null, deposit: [TRX], receive: [TRX] };
const LISTED = { code: 'USDT', name: 'Tether', image: null, networks: [TRX] };
const refusal = (
  code: 'not_found' | 'rate_limited',
  retryable: boolean,
  outcome: 'refused' | 'nothing-sent',
) => new SwapctlError(code, 'words', { retryable, outcome });
const unknown = refusal('not_found', false, 'refused');

describe('the coins of a pair', () => {
  const pairOf = (coins: (method: ListingMethod) => CoinPage | Error) => {
    const client: Client = {
      ...clientOf('https://swap.example'),
      coins: async (method, page, search) => {
        expect([page, search]).toEqual([1, method === 1 ? 'usdt' : 'Usdt']);
        const answer = coins(method);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    };
    return findPair(client, 'usdt', 'Usdt');
  };
  const page = (...coins: CoinPage['coins']) => ({ coins, pageCount: 1, totalCount: null });

  it('are searched by their codes, and are none where one is not found or its search is refused', async () => {
    expect(await pairOf(() => page({ ...LISTED, code: 'USDTX' }, LISTED))).toEqual([USDT]);
    expect(await pairOf((method) => (method === 1 ? page() : page(LISTED)))).toBeNull();
    expect(await pairOf((method) => (method === 2 ? page() : page(LISTED)))).toBeNull();
    expect(await pairOf(() => unknown)).toBeNull();
  });

  it.each([
    refusal('rate_limited', true, 'refused'),
    refusal('not_found', false, 'nothing-sent'),
    Object.assign(new Error('words'), { outcome: 'refused', retryable: false }),
  ])('are not searched otherwise after another failure: %o', async (failure) => {
    await expect(pairOf(() => failure)).rejects.toBe(failure);
  });
});

describe('the networks of a coin', () => {
  const lists = { deposit: ['TRX'], receive: [] };
  const read = async (typed: string, known: string, failure: Error = unknown) => {
    const searched: string[] = [];
    const client = {
      coinNetworks: async (code: string) => {
        if (code !== known) throw failure;
        return lists;
      },
    };
    const { code } = await readNetworks(client, typed, async (from) => {
      searched.push(from);
      return [{ ...USDT, code: known }];
    });
    return [code, ...searched];
  };

  it('are read by the code in capitals, and by that of the list where it is written otherwise', async () => {
    expect(await read('USDT', 'USDT')).toEqual(['USDT']);
    expect(await read('usdt', 'USDT')).toEqual(['USDT']);
    expect(await read('UsdT', 'UsdT')).toEqual(['UsdT', 'UsdT']);
    expect(await read('USDT', 'UsdT')).toEqual(['UsdT', 'USDT']);
  });

  it.each([
    ['a coin of no list', unknown, { code: 'unknown_coin' }],
    ['a rate limit', refusal('rate_limited', true, 'refused'), { code: 'rate_limited' }],
    ['a mistake of ours', Object.assign(new Error('words'), { code: 'not_found' }), { message: 'words' }],
  ])('are not to be had after %s', async (_, failure, expected) => {
    await expect(read('ABC', 'USDT', failure)).rejects.toMatchObject(expected);
  });

  it('need a memo where the list says so of that network', () => {
    const coin = { ...USDT, deposit: [TRX, { network: 'XRP', memoRequired: true }] };
    const both = { deposit: ['TRX', 'XRP'], receive: [] };
    const { networks } = describeNetworks('USDT', both, [coin]);
    expect(networks.map(({ memoRequired }) => memoRequired)).toEqual([false, true]);
  });
});

describe('a page of the coin list', () => {
  const decoded = (body: unknown) => decodeCoinPage(JSON.stringify(body), 1);
  const networks = (...deposits: unknown[]) =>
    decoded({ depositCoins: [{ subName: 'A', networks: { deposits } }] }).coins[0]?.networks;

  it('has each coin with a code, whatever else is missing', () => {
    const coins = [
      null,
      [],
      'A',
      {},
      { subName: '' },
      { subName: 'A' },
      { subName: 'B', name: 'Bee', networks: [] },
    ];
    expect(decoded({ depositCoins: coins }).coins.map(({ code, name }) => [code, name])).toEqual([
      ['A', 'A'],
      ['B', 'Bee'],
    ]);
  });

  it('says of a network that it needs a memo in any form of yes', () => {
    for (const memoNeeded of [true, 1, 'true', 'YES', '1'])
      expect(networks({ subName: 'N', memoNeeded })).toEqual([{ network: 'N', memoRequired: true }]);
    for (const memoNeeded of [false, 0, 2, 'no', '', null, {}, [true], ['yes']])
      expect(networks({ subName: 'N', memoNeeded })).toEqual([{ network: 'N', memoRequired: false }]);
  });

  it.each<[unknown, number | null]>([
    [3, 3],
    [0, 0],
    ['12', 12],
    [-1, null],
    [1.5, null],
    ['1.5', null],
    [[7], null],
    [null, null],
    [true, null],
  ])('with the count %j has %j', (count, expected) => {
    const { pageCount, totalCount } = decoded({
      depositCoins: [],
      pagination: { pageCount: count, totalCount: count },
    });
    expect([pageCount, totalCount]).toEqual([expected, expected]);
  });

  it('without its list is no page', () => {
    for (const body of [null, [], 'A', {}, { withdrawCoins: [] }])
      expect(() => decoded(body)).toThrow('the coin list has no depositCoins');
  });
});
