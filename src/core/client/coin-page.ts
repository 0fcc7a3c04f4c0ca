import type { Coin, CoinNetwork } from '../swap/swap.ts';
import { badResponse } from './decode.ts';

/** Requested items per page; a service that refuses 100 is asked without a number, and uses its own. */
export const PAGE_SIZE = 100;

/** `method` of get-all-coins: 1 lists coins for deposit, 2 coins for payout. */
export const LISTING = { deposit: 1, receive: 2 } as const;

export type ListingMethod = (typeof LISTING)[keyof typeof LISTING];

export interface ListedCoin extends Pick<Coin, 'code' | 'name' | 'image'> {
  readonly networks: readonly CoinNetwork[];
}

/** One page of one listing; the counts are as the service states them, or null. */
export type CoinPage = ReturnType<typeof decodeCoinPage>;

type Fields = Readonly<Record<string, unknown>>;

/** Decodes a page of get-all-coins; an entry without a code is skipped, anything else may be missing. */
export function decodeCoinPage(text: string, method: ListingMethod) {
  const body = fieldsOf(parsed(text));
  const [listName, networksName] =
    method === LISTING.deposit ? ['depositCoins', 'deposits'] : ['withdrawCoins', 'withdraws'];
  const list = body?.[listName];
  if (!Array.isArray(list)) throw badResponse(`the coin list has no ${listName}`);
  const pagination = fieldsOf(body?.['pagination']);
  return {
    coins: list.flatMap((item) => listedCoin(item, networksName) ?? []),
    pageCount: wholeNumber(pagination?.['pageCount']),
    totalCount: wholeNumber(pagination?.['totalCount']),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badResponse('the coin list is not JSON');
    throw error;
  }
}

function listedCoin(item: unknown, networksName: string): ListedCoin | null {
  const fields = fieldsOf(item);
  const code = textOrNull(fields?.['subName']);
  if (fields === null || code === null) return null;
  const networks = fieldsOf(fields['networks'])?.[networksName];
  return {
    code,
    name: textOrNull(fields['name']) ?? code,
    image: textOrNull(fields['image']),
    networks: Array.isArray(networks) ? networks.flatMap((each) => network(each) ?? []) : [],
  };
}

function network(item: unknown): CoinNetwork | null {
  const fields = fieldsOf(item);
  const name = textOrNull(fields?.['subName']);
  return name === null ? null : { network: name, memoRequired: isYes(fields?.['memoNeeded']) };
}

/** Whether a value means yes in any usual form: missing a needed memo would lose the payout. */
function isYes(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(true|yes|1)$/i.test(value));
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' ? (value as Fields | null) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function wholeNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : null;
  return typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number.parseInt(value, 10) : null;
}
