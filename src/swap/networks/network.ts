import type { PARSERS } from '../addresses/families/parsers.ts';

/** Form of the addresses of a network: each has a parser. */
export type Family = keyof typeof PARSERS;

/**
 * Memo rule of a network. `required`: a payout without a memo usually cannot be credited; `maxBytes` counts UTF-8
 * bytes.
 */
export interface MemoRule {
  readonly need: 'required' | 'optional';
  readonly form: 'xrp-tag' | 'stellar' | 'graphene' | 'text';
  readonly maxBytes: number;
}

/**
 * One network of the table: its canonical code and the rules of its addresses and memos. `memo` is null where the
 * network has none; `expected` describes an address in a question.
 */
export interface Network {
  readonly code: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /**
   * Those of its code and aliases that another network may have too, or an asset that lives on it. They are enough to
   * know the form of an address, and not enough to say that two codes are one network.
   */
  readonly vague: readonly string[];
  /** Its CAIP-2 chain id such as `eip155:56`; null where swapctl knows none. */
  readonly chainId: string | null;
  readonly family: Family;
  readonly memo: MemoRule | null;
  readonly expected: string;
}

/** Rule of a network whose memo is text, limited in UTF-8 bytes. */
export const text = (need: MemoRule['need'], maxBytes: number): MemoRule => ({
  need,
  form: 'text',
  maxBytes,
});

/**
 * Makes a row of the table: `codes` are the canonical code and its aliases, separated by spaces. A code behind `~` is a
 * vague one; `eip155:56` among them is the chain id.
 */
export function network(
  family: Family,
  codes: string,
  name: string,
  expected: string,
  memo: MemoRule | null = null,
): Network {
  const words = codes.split(' ');
  const chainId = words.find((word) => word.includes(':')) ?? null;
  const all = words.filter((word) => word !== chainId);
  const [code = '', ...aliases] = all.map((word) => word.replace('~', ''));
  const vague = all.filter((word) => word.startsWith('~')).map((word) => word.slice(1));
  return { code, name, aliases, vague, chainId, family, memo, expected };
}

/** Text for an expected address, from the beginnings of its forms. */
export const like = (forms: string): string => `such as ${forms}`;
