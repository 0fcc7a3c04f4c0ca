import { describe, expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { Client } from '../../../src/core/client/client.ts';
import { fetchCoinList, findPair, readNetworks } from '../../../src/core/client/coin-list.ts';
import { type CoinPage, decodeCoinPage, type ListingMethod } from '../../../src/core/client/coin-page.ts';
import type { Coin } from '../../../src/core/swap/swap.ts';
import { clientOf } from './test-client.ts';

const TRX = { network: 'TRX', memoRequired: false };
const USDT: Coin = { code: 'USDT', name: 'Tether', image: null, deposit: [TRX], receive: [TRX] };
const LISTED = { code: 'USDT', name: 'Tether', image: null, networks: [TRX] };
const unknown = new SwapctlError('not_found', 'words', { retryable: false, outcome: 'refused' });
const limited = new SwapctlError('rate_limited', 'words', { retryable: true, outcome: 'refused' });

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

  it('are searched by code, and are null if one is not found or its search is rejected', async () => {
    expect(await pairOf(() => page({ ...LISTED, code: 'USDTX' }, LISTED))).toEqual([USDT]);
    expect(await pairOf((method) => (method === 1 ? page() : page(LISTED)))).toBeNull();
    expect(await pairOf((method) => (method === 2 ? page() : page(LISTED)))).toBeNull();
    expect(await pairOf(() => unknown)).toBeNull();
  });

  it.each([
    limited,
    new SwapctlError('not_found', 'words', { retryable: false, outcome: 'nothing-sent' }),
    Object.assign(new Error('words'), { outcome: 'refused', retryable: false }),
  ])('are not searched again after another failure: $0', async (failure) => {
    await expect(pairOf(() => failure)).rejects.toBe(failure);
  });
});

describe('the networks of a coin', () => {
  const lists = { deposit: ['TRX'], receive: [] };
  const read = async (typed: string, known: string, failure: Error = unknown, listed = known) => {
    const searched: string[] = [];
    const client = {
      coinNetworks: async (code: string) => {
        if (code !== known) throw failure;
        return lists;
      },
    };
    const { code, lists: read } = await readNetworks(client, typed, async (from) => {
      searched.push(from);
      return [{ ...USDT, code: listed }];
    });
    expect(read).toBe(lists);
    return [code, ...searched];
  };

  it('are read by the code in upper case, or else by the spelling of the list', async () => {
    expect(await read('USDT', 'USDT')).toEqual(['USDT']);
    expect(await read('usdt', 'USDT')).toEqual(['USDT']);
    expect(await read('UsdT', 'UsdT')).toEqual(['UsdT', 'UsdT']);
    expect(await read('USDT', 'UsdT')).toEqual(['UsdT', 'USDT']);
  });

  it.each([
    ['an unlisted coin', unknown, { code: 'unknown_coin' }],
    ['a rate limit', limited, { code: 'rate_limited' }],
    ['an internal error', Object.assign(new Error('words'), { code: 'not_found' }), { message: 'words' }],
  ])('throw for %s', async (_, failure, expected) => {
    await expect(read('ABC', 'USDT', failure)).rejects.toMatchObject(expected);
  });

  it('throw what the service answered for a listed coin', async () => {
    await expect(read('ABC', 'USDT', unknown, 'ABC')).rejects.toBe(unknown);
  });
});

describe('a page of the coin list', () => {
  const decoded = (body: unknown) => decodeCoinPage(JSON.stringify(body), 1);
  const networks = (...deposits: unknown[]) =>
    decoded({ depositCoins: [{ subName: 'A', networks: { deposits } }] }).coins[0]?.networks;

  it('contains each coin that has a code', () => {
    const listed = [{ subName: 'A' }, { subName: 'B', name: 'Bee', networks: [] }];
    const { coins } = decoded({ depositCoins: [null, [], 'A', {}, { subName: '' }, ...listed] });
    expect(coins.map(({ code, name }) => `${code} ${name}`)).toEqual(['A A', 'B Bee']);
  });

  it('accepts true, 1 and yes for a required memo', () => {
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
  ])('with the counts %j reads them as %j', (count, expected) => {
    const pagination = { pageCount: count, totalCount: count };
    const { pageCount, totalCount } = decoded({ depositCoins: [], pagination });
    expect([pageCount, totalCount]).toEqual([expected, expected]);
  });

  it('without its list is rejected', () => {
    for (const body of [null, [], 'A', {}, { withdrawCoins: [] }])
      expect(() => decoded(body)).toThrow('the coin list has no depositCoins');
  });
});

it('the whole coin list does not wait after any other error than a rate limit', async () => {
  const coins: Client['coins'] = async (_, number) => {
    if (number === 2) throw unknown;
    return { coins: [LISTED], pageCount: 2, totalCount: null };
  };
  const client = { ...clientOf('https://swap.example'), coins };
  const patience = { timeLeft: () => 1e9, onPause: () => expect.fail('It paused.') };
  await expect(fetchCoinList(client, () => 7, patience)).rejects.toBe(unknown);
});
