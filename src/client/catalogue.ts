import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Coin } from '../swap/swap.ts';
import type { Client } from './client.ts';
import type { ListedCoin, ListingMethod } from './coin-page.ts';
import { LISTING } from './coin-page.ts';
import { packCoins, unpackCoins } from './packed-coins.ts';

/** How long a stored coin list is used, in milliseconds. */
export const CATALOGUE_AGE_MS = 60 * 60 * 1000;

const PAGES_AT_ONCE = 4;
const MOST_PAGES = 1000;

/** The service's coins as of a moment. */
export interface Catalogue {
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly coins: readonly Coin[];
}

/** Fetches both listings whole and joins them by coin code, in the order of the deposit listing. */
export async function fetchCatalogue(client: Client, now: () => number): Promise<Catalogue> {
  const [deposit, receive] = [await listing(client, LISTING.deposit), await listing(client, LISTING.receive)];
  const joined = new Map<string, Coin>();
  for (const coin of deposit)
    joined.set(coin.code, { ...described(coin), deposit: coin.networks, receive: [] });
  for (const coin of receive) {
    const known = joined.get(coin.code) ?? { ...described(coin), deposit: [], receive: [] };
    joined.set(coin.code, { ...known, receive: coin.networks });
  }
  return { fetchedAt: now(), coins: [...joined.values()] };
}

function described({ code, name, image }: ListedCoin): Pick<Coin, 'code' | 'name' | 'image'> {
  return { code, name, image };
}

/**
 * All pages of a listing, a few at once. `pageCount` is only a claim: a page that brings no coin not seen
 * before ends the listing, and so does the thousandth.
 */
async function listing(client: Client, method: ListingMethod): Promise<ListedCoin[]> {
  const coins = new Map<string, ListedCoin>();
  const first = await client.coins(method, 1);
  takeNew(coins, first.coins);
  const last = Math.min(first.pageCount, MOST_PAGES);
  for (let page = 2; page <= last; page += PAGES_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(PAGES_AT_ONCE, last - page + 1) },
      (_, index) => page + index,
    );
    const pages = await Promise.all(numbers.map((number) => client.coins(method, number)));
    if (!pages.every(({ coins: more }) => takeNew(coins, more))) break;
  }
  return [...coins.values()];
}

function takeNew(coins: Map<string, ListedCoin>, more: readonly ListedCoin[]): boolean {
  const before = coins.size;
  for (const coin of more) if (!coins.has(coin.code)) coins.set(coin.code, coin);
  return coins.size > before;
}

/** Where the coin list of one service, as one partner sees it, is stored. */
export function catalogueFile(cacheFolder: string, baseUrl: string, publicKey: string): string {
  const name = createHash('sha256').update(`${baseUrl}\n${publicKey}`).digest('hex').slice(0, 16);
  return join(cacheFolder, `coins-${name}.json`);
}

/** The stored coin list, or null where there is none that is readable and young enough. */
export async function readStoredCatalogue(file: string, now: number): Promise<Catalogue | null> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, 'utf8'));
    const coins = unpackCoins(stored);
    const { fetchedAt } = stored as Partial<Catalogue>;
    if (coins === null || typeof fetchedAt !== 'number') return null;
    return now - fetchedAt < CATALOGUE_AGE_MS && fetchedAt <= now ? { fetchedAt, coins } : null;
  } catch {
    // A cache that cannot be read is no cache; the list is fetched again.
    return null;
  }
}

/**
 * The coins whose code or networks are not spelled in capitals: all that a quote has to know of the stored list,
 * which may be megabytes long. Null where nothing is stored.
 */
export async function readStoredSpellings(file: string): Promise<readonly Coin[] | null> {
  try {
    const stored: unknown = JSON.parse(await readFile(spellingsFile(file), 'utf8'));
    return Array.isArray(stored) ? stored : null;
  } catch {
    return null;
  }
}

function spellingsFile(file: string): string {
  return file.replace(/\.json$/, '-spellings.json');
}

function hasOddSpelling(coin: Coin): boolean {
  const names = [coin.code, ...[...coin.deposit, ...coin.receive].map(({ network }) => network)];
  return names.some((name) => name !== name.toUpperCase());
}

/** Stores the coin list in one step, so that no reader sees half of it. A cache that cannot be written is let be. */
export async function storeCatalogue(file: string, catalogue: Catalogue, processId: number): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await replaceFile(spellingsFile(file), catalogue.coins.filter(hasOddSpelling), processId);
    await replaceFile(file, { fetchedAt: catalogue.fetchedAt, ...packCoins(catalogue.coins) }, processId);
  } catch {
    // The next command fetches the list once more, which costs time and nothing else.
  }
}

async function replaceFile(file: string, value: unknown, processId: number): Promise<void> {
  const draft = `${file}.${processId}`;
  await writeFile(draft, JSON.stringify(value), { mode: 0o600 });
  await rename(draft, file);
}
