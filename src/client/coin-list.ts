import { SwapctlError } from '../errors.ts';
import type { Coin } from '../swap/swap.ts';
import type { Client } from './client.ts';
import type { CoinList } from './coin-list-cache.ts';
import type { CoinPage, ListedCoin, ListingMethod } from './coin-page.ts';
import { LISTING, PAGE_SIZE } from './coin-page.ts';
import { findBySpelling } from './find-coin.ts';
import type { Patience, ReadPage } from './patient-pages.ts';
import { patientPages } from './patient-pages.ts';

const PAGES_AT_ONCE = 4;
const MAX_PAGES = 1000;

/**
 * Fetches both listings and joins them by coin code, in the order of the deposit listing. With `patience` a rate limit
 * in the middle of them is waited out.
 */
export async function fetchCoinList(
  client: Client,
  now: () => number,
  patience?: Patience,
): Promise<CoinList> {
  const pages: ReadPage = patience === undefined ? client.coins : patientPages(client, patience);
  const [deposit, receive] = [await listing(pages, LISTING.deposit), await listing(pages, LISTING.receive)];
  return { fetchedAt: now(), coins: joined(deposit, receive) };
}

/**
 * The two coins of a pair, each with its networks on its side, found by one search each instead of the whole list.
 * Null where a search does not find its coin: suggestions then need the whole list.
 */
export async function findPair(client: Client, from: string, to: string): Promise<readonly Coin[] | null> {
  const search = async (method: ListingMethod, code: string) => {
    try {
      return findBySpelling((await client.coins(method, 1, code)).coins, code, (coin) => coin.code);
    } catch (error) {
      if (error instanceof SwapctlError && error.outcome === 'refused' && !error.retryable) return undefined;
      throw error;
    }
  };
  const [deposit, receive] = [await search(LISTING.deposit, from), await search(LISTING.receive, to)];
  return deposit === undefined || receive === undefined ? null : joined([deposit], [receive]);
}

function joined(deposit: readonly ListedCoin[], receive: readonly ListedCoin[]): Coin[] {
  const coins = new Map<string, Coin>();
  for (const coin of deposit)
    coins.set(coin.code, { ...described(coin), deposit: coin.networks, receive: [] });
  for (const coin of receive) {
    const known = coins.get(coin.code) ?? { ...described(coin), deposit: [], receive: [] };
    coins.set(coin.code, { ...known, receive: coin.networks });
  }
  return [...coins.values()];
}

function described({ code, name, image }: ListedCoin): Pick<Coin, 'code' | 'name' | 'image'> {
  return { code, name, image };
}

/**
 * All coins of a listing, whose pages are read a few at once. `pageCount` is only a claim: a page without a new coin
 * ends the listing, and so does page 1000. Where the claim is too small, further pages are read one by one as long as
 * they are full and the total is not reached.
 */
async function listing(read: ReadPage, method: ListingMethod): Promise<ListedCoin[]> {
  const coins = new Map<string, ListedCoin>();
  const first = await read(method, 1);
  const claimed = Math.min(first.pageCount ?? 1, MAX_PAGES);
  let goesOn = takeNew(coins, first);
  let last: CoinPage | undefined = first;
  let page = 2;
  while (goesOn && page <= claimed) {
    const numbers = Array.from(
      { length: Math.min(PAGES_AT_ONCE, claimed - page + 1) },
      (_, index) => page + index,
    );
    const pages = await Promise.all(numbers.map((number) => read(method, number)));
    goesOn = pages.map((more) => takeNew(coins, more)).every(Boolean);
    last = pages.at(-1);
    page += numbers.length;
  }
  while (goesOn && page <= MAX_PAGES && isFull(last, coins.size)) {
    last = await read(method, page);
    goesOn = takeNew(coins, last);
    page += 1;
  }
  return [...coins.values()];
}

function isFull(page: CoinPage | undefined, seen: number): boolean {
  if (page === undefined || page.coins.length < PAGE_SIZE) return false;
  return page.totalCount === null || seen < page.totalCount;
}

function takeNew(coins: Map<string, ListedCoin>, page: CoinPage): boolean {
  const before = coins.size;
  for (const coin of page.coins) if (!coins.has(coin.code)) coins.set(coin.code, coin);
  return coins.size > before;
}
