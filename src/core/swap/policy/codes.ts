import { type Decimal, fromSmallestUnit, significantPlaces, toSmallestUnit } from '../amount.ts';
import { namedNetwork } from '../networks/aliases.ts';
import type { CoinOnNetwork } from '../swap.ts';

/** A network by swapctl's own code if a text certainly means one, so that all aliases are equal; else in capitals. */
export function networkKey(code: string): string {
  const known = KEYS.get(code);
  if (known !== undefined) return known;
  const key = namedNetwork(code)?.code ?? code.toUpperCase();
  if (KEYS.size < MAX_KEYS) KEYS.set(code, key);
  return key;
}

/** Keys of codes that occurred: a replay asks for the same few a million times, which takes twice as long without this. */
const KEYS = new Map<string, string>();
const MAX_KEYS = 500;

/** A coin in capitals, its network as {@link networkKey} has it. */
export function coinKey({ coin, network }: CoinOnNetwork): CoinOnNetwork {
  return { coin: coin.toUpperCase(), network: network === null ? null : networkKey(network) };
}

/** The two coins of a pair as it is typed, `BTC/ETH`, or as a quote names it, `BTC_ETH`; else another number of parts. */
export function pairParts(typed: string): readonly string[] {
  return typed.split(typed.includes('/') ? '/' : '_');
}

export function amountKey(amount: Decimal): Decimal {
  const places = significantPlaces(amount);
  return fromSmallestUnit(toSmallestUnit(amount, places), places);
}

/** An address as it is compared: hexadecimal or one-case Bech32 without case, any other exactly as spelled. */
export function addressKey(address: string): string {
  if (/^0x[0-9a-f]+$/i.test(address)) return address.toLowerCase();
  const isBech32 = /^[a-z0-9]{1,83}1[a-z0-9]{6,}$/i.test(address) && address === address.toUpperCase();
  return isBech32 ? address.toLowerCase() : address;
}

/** Whether a coin of a policy, with or without its network, means a coin on a network. Both are keys. */
export function covers(pattern: CoinOnNetwork, { coin, network }: CoinOnNetwork): boolean {
  return pattern.coin === coin && (pattern.network === null || pattern.network === network);
}

/** A recipient as it is compared, under every alias of its network. */
export function recipientKey({
  network,
  address,
  memo,
}: {
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
}): string {
  return JSON.stringify([networkKey(network), addressKey(address), memo]);
}
