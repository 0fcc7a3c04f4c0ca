/** Families of the chains whose form of addresses is known from elsewhere, or shared by several chains. */
type CommonFamily =
  | 'algorand'
  | 'avalanche'
  | 'bech32'
  | 'bitcoin'
  | 'bitcoin-cash'
  | 'cardano'
  | 'decred'
  | 'eos'
  | 'evm'
  | 'evm-dialect'
  | 'filecoin'
  | 'groestlcoin'
  | 'hedera'
  | 'internet-computer'
  | 'kaspa'
  | 'monero'
  | 'move'
  | 'nano'
  | 'near'
  | 'solana'
  | 'starknet'
  | 'stellar'
  | 'substrate'
  | 'tezos'
  | 'ton'
  | 'tron'
  | 'xrp'
  | 'zcash';

/** Families of one chain or two, each with a form of its own; their rows are in `lone-chains.ts`. */
export type LoneFamily =
  | 'alephium'
  | 'arweave'
  | 'chia'
  | 'conflux'
  | 'ergo'
  | 'fio'
  | 'flow'
  | 'graphene'
  | 'icon'
  | 'kadena'
  | 'mina'
  | 'nem'
  | 'neo'
  | 'nervos'
  | 'nimiq'
  | 'siacoin'
  | 'stacks'
  | 'waves';

/** Which file of `addresses/` reads the addresses of a network. */
export type Family = CommonFamily | LoneFamily;

/**
 * What a network takes beside an address.
 * `required` means that a payout without one usually cannot be credited; `maxBytes` counts UTF-8 bytes.
 */
export interface MemoRule {
  readonly need: 'required' | 'optional';
  readonly form: 'xrp-tag' | 'stellar' | 'graphene' | 'text';
  readonly maxBytes: number;
}

/**
 * One network of the table: the canonical code and what is known of its addresses and memos.
 * `memo` is null where the network has none;
 * `expected` completes "expected …" in a question or an error.
 */
export interface Network {
  readonly code: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly family: Family;
  readonly memo: MemoRule | null;
  readonly expected: string;
}

/** The rule of a network whose memo is text, limited in UTF-8 bytes. */
export const text = (need: MemoRule['need'], maxBytes: number): MemoRule => ({
  need,
  form: 'text',
  maxBytes,
});

/** Makes a row of the table: `codes` are the canonical code and its aliases, parted by spaces. */
export function network(
  family: Family,
  codes: string,
  name: string,
  expected: string,
  memo: MemoRule | null = null,
): Network {
  const [code = '', ...aliases] = codes.split(' ');
  return { code, name, aliases, family, memo, expected };
}

/** What is expected of an address, given the beginnings of its forms. */
export const like = (forms: string): string => `an address such as ${forms}`;
