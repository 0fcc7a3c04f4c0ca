import { SwapctlError } from '../../base/errors.ts';
import { aliasesOf } from '../swap/networks/aliases.ts';
import { type Coin, hasMixedCase } from '../swap/swap.ts';
import type { Client } from './client.ts';
import type { CoinList } from './coin-list-cache.ts';
import { type CoinPage, LISTING, type ListedCoin, type ListingMethod, PAGE_SIZE } from './coin-page.ts';
import { findBySpelling, respell, unknownCoin, usedCodes } from './find-coin.ts';
import { MAX_BACKOFF_MS, MAX_COMMAND_PAUSE_MS } from './send.ts';
import type { RequestTurns } from './turns.ts';

const PAGES_AT_ONCE = 4;
const MAX_PAGES = 1000;

/** Joins both listings by coin code, in the order of the deposits. With `waits`, waits out rate limits between pages. */
export async function fetchCoinList(client: Client, now: () => number, waits?: PageWaits): Promise<CoinList> {
  const turns = waits === undefined ? undefined : pageTurns(now, waits);
  const all = (method: ListingMethod) => readPages((page) => client.coins(method, page, undefined, turns));
  const [deposit, receive] = [await all(LISTING.deposit), await all(LISTING.receive)];
  return { fetchedAt: now(), coins: joined(deposit, receive) };
}

/** The two coins of a pair, each with its side's networks, by one search each; null if one of them is not found. */
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
  for (const { networks, ...coin } of deposit)
    coins.set(coin.code, { ...coin, deposit: networks, receive: [] });
  for (const { networks, ...coin } of receive)
    coins.set(coin.code, { ...(coins.get(coin.code) ?? { ...coin, deposit: [] }), receive: networks });
  return [...coins.values()];
}

/**
 * All coins of a listing, whose pages are read a few at once. `pageCount` is only a claim: a page without a new coin
 * ends the listing, and so does page 1000. Where the claim is too small, further pages are read one by one as long as
 * they are full and the total is not reached.
 */
async function readPages(read: (page: number) => Promise<CoinPage>): Promise<ListedCoin[]> {
  const coins = new Map<string, ListedCoin>();
  const first = await read(1);
  const claimed = Math.min(first.pageCount ?? 1, MAX_PAGES);
  let goesOn = takeNew(coins, first);
  let last: CoinPage | undefined = first;
  let page = 2;
  while (goesOn && page <= claimed) {
    const [start, length] = [page, Math.min(PAGES_AT_ONCE, claimed - page + 1)];
    const pages = await Promise.all(Array.from({ length }, (_, at) => read(start + at)));
    goesOn = pages.map((more) => takeNew(coins, more)).every(Boolean);
    last = pages.at(-1);
    page += length;
  }
  while (goesOn && page <= MAX_PAGES && isFull(last, coins.size)) {
    last = await read(page);
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

/** First pause if the service gives no Retry-After, doubled each time, in milliseconds. */
const FIRST_PAUSE_MS = 10_000;
/** Maximum pause, in milliseconds; for a longer one the command ends with `rate_limited`. */
const MAX_LIST_PAUSE_MS = 300_000;

/** How to wait out rate limits between the pages of a list. */
export interface PageWaits {
  /** Milliseconds until the time limit of the command; infinity without one. */
  readonly timeLeft: () => number;
  /** Called once for each pause, with the number of pages read so far. */
  readonly onPause: (milliseconds: number, pages: number) => void;
}

/** The turns of all pages, which a rate limit pauses together; before the first page no longer than any other read. */
function pageTurns(now: () => number, { timeLeft, onPause }: PageWaits): RequestTurns {
  let [pages, pauses, resumesAt] = [0, 0, 0];
  const pause = (asked: number | null) => {
    const milliseconds = asked ?? Math.min(MAX_BACKOFF_MS, FIRST_PAUSE_MS * 2 ** pauses);
    pauses += 1;
    const most = pages === 0 && asked !== null ? MAX_COMMAND_PAUSE_MS : MAX_LIST_PAUSE_MS;
    const isTooLong = milliseconds > most || milliseconds >= timeLeft();
    resumesAt = isTooLong ? Number.POSITIVE_INFINITY : now() + milliseconds;
    if (!isTooLong) onPause(milliseconds, pages);
  };
  return {
    timeLeft,
    limit: {
      tryTake: async () => Math.max(0, resumesAt - now()),
      observe: async ({ status, retryAfterMs }) => {
        if (status === 200) pages += 1;
        // A request that was under way when the pause began needs no second one.
        else if (status === 429 && resumesAt <= now()) pause(retryAfterMs);
      },
    },
  };
}

/** Codes of the networks on which a coin can be deposited and received. */
type NetworkLists = Readonly<Awaited<ReturnType<Client['coinNetworks']>>>;

/** Reads the networks of a coin; the coin list is read only if the service does not know the code as typed. */
export async function readNetworks(
  client: Pick<Client, 'coinNetworks'>,
  typed: string,
  pairCoins: (from: string, to: string) => Promise<readonly Coin[]>,
) {
  const ref = { coin: typed, network: null };
  const { coin } = respell(hasMixedCase(ref) ? await pairCoins(typed, typed) : [], ref, 'deposit');
  try {
    return { code: coin, lists: await client.coinNetworks(coin) };
  } catch (error) {
    if (!(error instanceof SwapctlError) || error.code !== 'not_found') throw error;
    const coins = await pairCoins(coin, coin);
    const spelled = respell(coins, { coin, network: null }, 'deposit').coin;
    if (coins.some(({ code }) => code === coin)) throw error;
    if (spelled === coin) throw unknownCoin(coins, coin);
    return { code: spelled, lists: await client.coinNetworks(spelled) };
  }
}

/** The networks of a coin with memo and aliases from the coin list; `coins` may be empty. */
export function describeNetworks(code: string, { deposit, receive }: NetworkLists, coins: readonly Coin[]) {
  const codes = [...new Set([...deposit, ...receive])];
  const used = [...usedCodes(coins)];
  const coin = coins.find((each) => each.code === code);
  const listed = coin && [...coin.deposit, ...coin.receive];
  const networks = codes.map((network) => ({
    network,
    deposit: deposit.includes(network),
    receive: receive.includes(network),
    memoRequired: listed?.some((item) => item.network === network && item.memoRequired) ?? null,
    aliases: aliasesOf(network, codes, used),
  }));
  return { coin: code, networks };
}
