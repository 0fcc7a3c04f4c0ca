import { createHash } from 'node:crypto';
// Synchronous: reading one small file takes less time than loading node:fs/promises.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../files.ts';
import type { Coin, CoinNetwork } from '../swap/swap.ts';

/** Age from which a stored coin list is fetched again, in milliseconds. */
export const MAX_COIN_LIST_AGE_MS = 60 * 60 * 1000;

/** The coins of a service, and when they were fetched. */
export interface CoinList {
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly coins: readonly Coin[];
}

/** File for the coin list of one service as one partner sees it. */
export function coinListFile(cacheFolder: string, baseUrl: string, publicKey: string): string {
  const name = createHash('sha256').update(`${baseUrl}\n${publicKey}`).digest('hex').slice(0, 16);
  return join(cacheFolder, `coins-${name}.json`);
}

/** The stored coin list; null where there is none, it cannot be read, or it is too old or from the future. */
export function readStoredCoinList(
  file: string,
  now: number,
  maxAgeMs = MAX_COIN_LIST_AGE_MS,
): CoinList | null {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const coins = unpackCoins(stored);
    const { fetchedAt } = stored as Partial<CoinList>;
    if (coins === null || typeof fetchedAt !== 'number') return null;
    return now - fetchedAt < maxAgeMs && fetchedAt <= now ? { fetchedAt, coins } : null;
  } catch {
    // The list is fetched again instead.
    return null;
  }
}

/** Stores the coin list by a rename, so that no reader sees half of it. Write errors are ignored. */
export function storeCoinList(file: string, { fetchedAt, coins }: CoinList, processId: number): void {
  const temporary = `${file}.${processId}`;
  try {
    makePrivateFolder(dirname(file));
    writeFileSync(temporary, JSON.stringify({ fetchedAt, ...packCoins(coins) }), { mode: 0o600 });
    replaceFile(temporary, file);
  } catch {
    // The next command fetches the list once more, which costs time and nothing else.
  }
}

/**
 * The coins as they are stored. Thousands of coins share a few hundred lists of networks, so each list is stored once
 * and a coin refers to it by its index: a tenth of the bytes, and a tenth of the time to read them.
 */
interface PackedCoins {
  readonly lists: readonly (readonly CoinNetwork[])[];
  /** Code, name, image, index of the deposit list, index of the receive list. */
  readonly coins: readonly (readonly [string, string, string | null, number, number])[];
}

function packCoins(coins: readonly Coin[]): PackedCoins {
  const indexes = new Map<string, number>();
  const lists: (readonly CoinNetwork[])[] = [];
  const indexOf = (list: readonly CoinNetwork[]): number => {
    const key = JSON.stringify(list);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, lists.length);
    return lists.push(list) - 1;
  };
  const packed = coins.map(
    ({ code, name, image, deposit, receive }) =>
      [code, name, image, indexOf(deposit), indexOf(receive)] as const,
  );
  return { lists, coins: packed };
}

/** Coins from what {@link packCoins} made; null for anything else. */
function unpackCoins(value: unknown): Coin[] | null {
  const { lists, coins } = (value ?? {}) as Partial<PackedCoins>;
  if (!Array.isArray(lists) || !Array.isArray(coins)) return null;
  const unpacked: Coin[] = [];
  for (const coin of coins) {
    // By index: the iterators of destructuring cost 10,000 coins 4 milliseconds.
    const code = coin[0];
    const name = coin[1];
    const image = coin[2];
    const deposit = lists[coin[3]];
    const receive = lists[coin[4]];
    if (typeof code !== 'string' || typeof name !== 'string' || !deposit || !receive) return null;
    unpacked.push({ code, name, image, deposit, receive });
  }
  return unpacked;
}
