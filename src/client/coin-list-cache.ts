import type { Coin, CoinNetwork } from '../swap/swap.ts';

/**
 * The coin list as it is stored. Thousands of coins share a few hundred lists of networks, so each list is kept
 * once and coins name it by its place: a tenth of the bytes, and a tenth of the time to read them.
 */
export interface PackedCoins {
  readonly lists: readonly (readonly CoinNetwork[])[];
  /** Code, name, image, place of the deposit list, place of the receive list. */
  readonly coins: readonly (readonly [string, string, string | null, number, number])[];
}

/** Packs a coin list. */
export function packCoins(coins: readonly Coin[]): PackedCoins {
  const places = new Map<string, number>();
  const lists: (readonly CoinNetwork[])[] = [];
  const placeOf = (list: readonly CoinNetwork[]): number => {
    const key = JSON.stringify(list);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, lists.length);
    return lists.push(list) - 1;
  };
  const packed = coins.map(
    ({ code, name, image, deposit, receive }) =>
      [code, name, image, placeOf(deposit), placeOf(receive)] as const,
  );
  return { lists, coins: packed };
}

/** Unpacks what {@link packCoins} made; null for anything else. */
export function unpackCoins(value: unknown): Coin[] | null {
  const { lists, coins } = (value ?? {}) as Partial<PackedCoins>;
  if (!Array.isArray(lists) || !Array.isArray(coins)) return null;
  const unpacked: Coin[] = [];
  for (const [code, name, image, depositPlace, receivePlace] of coins) {
    const [deposit, receive] = [lists[depositPlace], lists[receivePlace]];
    if (
      typeof code !== 'string' ||
      typeof name !== 'string' ||
      deposit === undefined ||
      receive === undefined
    ) {
      return null;
    }
    unpacked.push({ code, name, image, deposit, receive });
  }
  return unpacked;
}
