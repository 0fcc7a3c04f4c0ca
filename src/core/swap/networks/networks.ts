import type { PARSERS } from '../addresses/families/parsers.ts';
import rows from './networks.json';

/** Form of the addresses of a network: each has a parser. */
export type Family = keyof typeof PARSERS;

/**
 * Memo rule of a network. `required`: a payout without a memo usually cannot be credited; `maxBytes` counts UTF-8
 * bytes. Limits by the chains' own documents or code: SDK chains 256 characters by default (docs.cosmos.network, auth
 * parameters); TON 120, which is what Ledger signs, while Edge takes 127; EOS 256 (eosio.token); Hive and Steem 2,048
 * (STEEM_MAX_MEMO_SIZE), where wallets encrypt a memo that begins with #; Mina 32 (User_command_memo); NEM 1,024, and
 * Symbol one less, whose first byte is the kind of message; Waves 140, the attachment of a transfer.
 */
export interface MemoRule {
  readonly need: 'required' | 'optional';
  readonly form: 'xrp-tag' | 'stellar' | 'graphene' | 'text';
  readonly maxBytes: number;
}

/** One network of the table: the rules of its addresses and memos. `expected` describes an address in a question. */
export interface Network {
  readonly code: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /**
   * Those of its code and aliases that another network may have too, or an asset that lives on it. They are enough to
   * know the form of an address, and not enough to say that two codes are one network. BRC20, RUNES, KRC20 and TRC10 are
   * assets on a chain, and TFUEL is a coin. CRO is Cronos POS too, HYPE is HyperCore, CORE Coreum, MANTA Manta Atlantic,
   * LSK the chain before the present one, NEP5 the old chain of Neo. The asset hub is a chain beside the relay chain of
   * Polkadot, and Statemine is Kusama's.
   */
  readonly vague: readonly string[];
  /** Its CAIP-2 chain id such as `eip155:56`, as in https://chainlist.org; null if swapctl knows none. */
  readonly chainId: string | null;
  readonly family: Family;
  readonly memo: MemoRule | null;
  readonly expected: string;
}

let known: readonly Network[] | undefined;

/** Every network that swapctl knows. The table is built on first use: a quote without networks saves these 5 ms. */
export function knownNetworks(): readonly Network[] {
  known ??= rows.map(networkOf);
  return known;
}

/** A code, alias or name without what does not count in it: case, spaces, hyphens, underscores, dots and brackets. */
export function plainCode(text: string): string {
  return text.toUpperCase().replace(/[\s_.()-]/g, '');
}

let byCode: ReadonlyMap<string, Network> | undefined;

/**
 * Finds the network by whose rules the addresses of a service's code are checked, in any case: `ERC20` is Ethereum,
 * `bep-20` BNB Smart Chain. That two codes have the same rules does not make them one network: see `aliases.ts`.
 */
export function findNetwork(code: string): Network | undefined {
  byCode ??= new Map(
    knownNetworks().flatMap((entry) =>
      [entry.code, ...entry.aliases, ...(entry.chainId === null ? [] : [plainCode(entry.chainId)])].map(
        (each) => [each, entry] as const,
      ),
    ),
  );
  return byCode.get(plainCode(code));
}

/**
 * Reads a row of `networks.json`: family, codes, name, what an address looks like, and the memo rule where there is one.
 * The codes are the canonical one and its aliases, separated by spaces. A code behind `~` is a vague one; `eip155:56`
 * among them is the chain id.
 */
function networkOf([family, codes = '', name = '', expected = '', memo]: readonly string[]): Network {
  const words = codes.split(' ');
  const chainId = words.find((word) => word.includes(':')) ?? null;
  const all = words.filter((word) => word !== chainId);
  const [code = '', ...aliases] = all.map((word) => word.replace('~', ''));
  const vague = all.filter((word) => word.startsWith('~')).map((word) => word.slice(1));
  return {
    code,
    name,
    aliases,
    vague,
    chainId,
    expected,
    family: family as Family,
    memo: memo === undefined ? null : memoOf(memo),
  };
}

function memoOf(text: string): MemoRule {
  const [need, form, maxBytes = ''] = text.split(' ');
  return { need, form, maxBytes: Number.parseInt(maxBytes, 10) } as MemoRule;
}
