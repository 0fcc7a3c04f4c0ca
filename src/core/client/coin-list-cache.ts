// Synchronous: reading one small file takes less time than loading node:fs/promises.
import { lstatSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPrivate, makePrivateFolder, readRegularFile, replaceFile } from '../../base/files.ts';
import type { Coin, CoinNetwork } from '../swap/swap.ts';

/** Maximum age of a stored coin list, in milliseconds. */
export const MAX_COIN_LIST_AGE_MS = 60 * 60 * 1000;

/** The coins of a service, and when they were fetched. */
export interface CoinList {
  readonly fetchedAt: number;
  readonly coins: readonly Coin[];
}

/** Path of the stored coin list of one service, as the partner with this public key sees it. */
export function coinListFile(cacheFolder: string, baseUrl: string, publicKey: string): string {
  return join(cacheFolder, `coins-${fnv1a(`${baseUrl}\n${publicKey}`)}.json`);
}

/** The 64-bit FNV-1a hash: it protects nothing, and loading node:crypto would slow completion by a quarter. */
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

/** Reads a file that only this user can write; throws for any other, which could change the networks on offer. */
function readOwn(file: string): string {
  requireOwnFolder(dirname(file));
  return readRegularFile(file, (found) => {
    if (!isPrivate(found)) throw new TypeError('The file is not private.');
  });
}

function requireOwnFolder(folder: string): void {
  const found = lstatSync(folder);
  if (!found.isDirectory() || !isPrivate(found)) throw new TypeError('The folder is not private.');
}

/** The stored coin list; null if it is missing, unreadable, not private, too old or from the future. */
export function readStoredCoinList(file: string, now: number, maxAgeMs = MAX_COIN_LIST_AGE_MS) {
  try {
    const stored: unknown = JSON.parse(readOwn(file));
    const coins = unpackCoins(stored);
    const { fetchedAt } = stored as Partial<CoinList>;
    if (coins === null || typeof fetchedAt !== 'number') return null;
    return now - fetchedAt < maxAgeMs && fetchedAt <= now ? { fetchedAt, coins } : null;
  } catch {
    // The list is fetched again instead.
    return null;
  }
}

/** Codes and names of the stored coins that start with `beginning`, whatever their age. Parses only matching lines. */
export function readStoredCoinNames(file: string, beginning: string): readonly Pick<Coin, 'code' | 'name'>[] {
  const start = `["${/^[\w.$-]*$/.test(beginning) ? beginning : ''}`;
  const line = new RegExp(`^${start.replace(/[^\w"-]/g, '\\$&')}.*$`, 'gim');
  try {
    const lines = readOwn(namesFile(file)).match(line) ?? [];
    return lines.map((each) => {
      const [code, name] = JSON.parse(each) as readonly string[];
      return { code: `${code}`, name: `${name}` };
    });
  } catch {
    return [];
  }
}

/** Stores the coin list with atomic renames. Write errors are ignored. */
export function storeCoinList(file: string, { fetchedAt, coins }: CoinList, processId: number): void {
  const write = (path: string, text: string) => {
    const temporary = `${path}.${processId}`;
    writeFileSync(temporary, text, { mode: 0o600 });
    replaceFile(temporary, path);
  };
  try {
    makePrivateFolder(dirname(file));
    requireOwnFolder(dirname(file));
    write(namesFile(file), coins.map(({ code, name }) => `${JSON.stringify([code, name])}\n`).join(''));
    write(file, JSON.stringify({ fetchedAt, ...packCoins(coins) }));
  } catch {
    // The next command fetches the list again, which only costs time.
  }
}

/** File for completion: the code and name of one coin per line. */
function namesFile(file: string): string {
  return file.replace(/\.json$/, '.names.jsonl');
}

/** The coins as stored: each list of networks once, and each coin with two indexes. That takes a tenth of the bytes. */
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
