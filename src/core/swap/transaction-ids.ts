import { type Family, findNetwork } from './networks/networks.ts';

/** What the transaction ids of a network look like, with words for a message. */
const form = (pattern: RegExp, words: string) => ({ pattern, words });

const HASH = form(/^[0-9a-f]{64}$/i, '64 hexadecimal digits');
const EVM = form(/^0x[0-9a-f]{64}$/i, '0x and 64 hexadecimal digits');
const EITHER = form(/^(0x)?[0-9a-f]{64}$/i, '64 hexadecimal digits, also behind 0x');
const BASE58 = form(
  /^([1-9A-HJ-NP-Za-km-z]{40,52}|(0x)?[0-9a-fA-F]{64})$/,
  '40 to 52 letters and digits, or a hash',
);
const BASE64 = form(/^([\w+/-]{43}=?|(0x)?[0-9a-f]{64})$/i, '43 or 44 characters of Base64, or a hash');

const FORMS: Readonly<Record<Family, typeof HASH>> = {
  ...same(
    HASH,
    'bitcoin',
    'groestlcoin',
    'decred',
    'bitcoin-cash',
    'zcash',
    'kaspa',
    'tron',
    'xrp',
    'stellar',
  ),
  ...same(
    HASH,
    'cardano',
    'monero',
    'eos',
    'nano',
    'alephium',
    'ergo',
    'fio',
    'flow',
    'nem',
    'nimiq',
    'siacoin',
  ),
  ...same(EITHER, 'evm-dialect', 'bech32', 'conflux', 'icon', 'neo', 'nervos', 'stacks', 'chia'),
  ...same(BASE58, 'near', 'move', 'avalanche', 'waves'),
  ...same(BASE64, 'ton', 'arweave', 'kadena'),
  evm: EVM,
  solana: form(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/, '80 to 90 letters and digits (Base58)'),
  substrate: form(
    /^((0x)?[0-9a-f]{64}|[0-9]+-[0-9]+)$/i,
    'a hash, or a block and a number such as 21000000-2',
  ),
  starknet: form(/^(0x)?[0-9a-f]{1,64}$/i, '0x and up to 64 hexadecimal digits'),
  algorand: form(/^[A-Z2-7]{52}$/, '52 capital letters and digits'),
  tezos: form(/^o[1-9A-HJ-NP-Za-km-z]{50}$/, 'o and 50 letters and digits'),
  filecoin: form(/^(b[a-z2-7]{58,70}|0x[0-9a-f]{64})$/i, 'a CID that begins with bafy'),
  hedera: form(
    /^(0\.0\.[0-9]+[@-][0-9]+[.-][0-9]+|(0x)?[0-9a-f]{96})$/i,
    'such as 0.0.1234@1750000000.000000001',
  ),
  graphene: form(/^[0-9a-f]{40}([0-9a-f]{24})?$/i, '40 hexadecimal digits'),
  mina: form(
    /^((5J|Ck)[1-9A-HJ-NP-Za-km-z]{48,52}|[0-9a-f]{64})$/,
    '52 letters and digits that begin with 5J or Ck',
  ),
  'internet-computer': form(/^([0-9a-f]{64}|[0-9]+)$/i, '64 hexadecimal digits, or the number of a block'),
};

/** The same form for several families. */
function same<F extends Family>(form: typeof HASH, ...families: readonly F[]) {
  return Object.fromEntries(families.map((family) => [family, form])) as Record<F, typeof HASH>;
}

/** What a transaction id on a network looks like, where a text cannot be one; null if it can, or no form is known. */
export function expectedFormIfInvalid(network: string, txId: string): string | null {
  const known = findNetwork(network);
  if (known === undefined) return null;
  const { pattern, words } = FORMS[known.family];
  return pattern.test(txId) ? null : words;
}

/** Shortest hash of any network, in characters. */
const MIN_HASH = 40;

/** Whether a text has the form of a transaction's hash on any known network. */
export function isTransactionForm(text: string): boolean {
  return text.length >= MIN_HASH && Object.values(FORMS).some(({ pattern }) => pattern.test(text));
}
