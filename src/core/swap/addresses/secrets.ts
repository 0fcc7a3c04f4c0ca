import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { MAX_SEARCHED, SEED_PHRASE } from '../secret-forms.ts';
import { decodeBase58Check, decodeBase58CheckXrp } from './codecs/base58.ts';
import { attempt, startsWith } from './codecs/bytes.ts';
import { hasSeedPhrase } from './phrases.ts';

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

// Forms that are recognized by their letters alone and shared by no address.
const SHAPES: readonly (readonly [kind: string, form: RegExp])[] = [
  ['a private key', new RegExp(`^(5[HJK]${BASE58}{49}|[KLc]${BASE58}{51})$`)],
  ['an encrypted private key', new RegExp(`^6P${BASE58}{56}$`)],
  ['an extended private key', new RegExp(`^([a-zA-Z]prv|Ltpv|Mtpv|d[gp]pv|dprv)${BASE58}{100,}$`)],
  ['a private key', new RegExp(`^(Pm${BASE58}{51}|EK${BASE58}{50}|P5[HJK]${BASE58}{49})$`)],
  ['a Stellar secret seed', /^S[A-Z2-7]{55}$/],
  ['a Tezos private key', new RegExp(`^(edsk|edesk|spsk|spesk|p2sk|p2esk|BLsk|BLesk)${BASE58}{40,}$`)],
  ['an Antelope private key', /^PVT_(K1|R1|WA)_/],
  ['a key', /^(ed25519|secp256k1)(:|-priv-)/],
  ['a private key', /^(nsec|suiprivkey|iotaprivkey|age-secret-key-|[a-z_\d]*_x?sk|xprv|prv)1[a-z\d]{30,}$/i],
  ['a Zcash spending key', /^secret-(extended-key|spending-key)-(main|test|regtest)1/i],
  ['an XRP Ledger seed', new RegExp(`^sEd${BASE58}{28}$`)],
  ['a private key', /^30(2e|30|54|74|77)0201[0-9a-f]{40,}$/i],
  // Exported wallets of Filecoin: {"Type":… in hexadecimal.
  ['a private key', /^7b2254797065[0-9a-f]{40,}$/i],
  ['a private key', /^\[\s*\d{1,3}(\s*,\s*\d{1,3}){31,}\s*\]$/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY/],
  // A key file (JWK), as Arweave's wallets keep it.
  ['a private key', /"(?:kty"\s*:\s*"\w|(?:d|dp|dq|p|q|qi)"\s*:\s*"[\w-]{40})/],
];

/** Names the kind of key or seed that a text looks like, without the text. Ask only if it is no checksummed address. */
export function secretKind(text: string): string | undefined {
  const shape = SHAPES.find(([, form]) => form.test(text));
  const isXrp = isXrpSeed(text) || isXrpNumbers(text);
  return shape?.[0] ?? base58Secret(text) ?? (isXrp ? 'an XRP Ledger seed' : miniKey(text));
}

/** Whether a text is a bare key, 32 or 64 bytes in hexadecimal, on some networks an address; Stacks adds 01, NEM 00. */
export function looksLikeHexKey(text: string): boolean {
  return /^(0x)?([0-9a-f]{64}|[0-9a-f]{64}01|00[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text);
}

/** Name of 32 or 64 bytes in hexadecimal in a refusal. */
export const KEY_OR_HASH_LABEL = 'a private key or a hash';

/** Names the kind of key inside a text, such as after `key:` or in quotes; undefined if none. */
export function keyInside(text: string): string | undefined {
  const searched = text.slice(0, MAX_SEARCHED);
  const parts = searched.split(/[\s"'`,;=()[\]{}<>|]+/);
  const subparts = parts.flatMap((part) => (part.includes(':') ? part.split(/[:/]+/) : []));
  const numbers = /\b\d{6}(?:[ -]?\d{6}){7}\b/.exec(searched) ?? [];
  // Most texts are one piece, which is then searched only once.
  const pieces = [...new Set([searched.trim(), ...parts, ...subparts, ...numbers])];
  const kind = pieces.map(secretKind).find((found) => found !== undefined);
  return kind ?? (pieces.some(looksLikeHexKey) ? KEY_OR_HASH_LABEL : undefined);
}

/** Names the secret inside a memo, a label or a wrong address: a seed phrase or a key; undefined if none. */
export async function secretInside(text: string): Promise<string | undefined> {
  return (await hasSeedPhrase(text)) ? SEED_PHRASE : keyInside(text);
}

function base58Secret(text: string): string | undefined {
  if (text.length === 51 || text.length === 52) {
    const bytes = decodeBase58Check(text);
    if (bytes === undefined) return undefined;
    const isWif = bytes.length === 33 || (bytes.length === 34 && bytes[33] === 1);
    const isSprout =
      bytes.length === 34 && (startsWith(bytes, [0xab, 0x36]) || startsWith(bytes, [0xac, 0x08]));
    return isSprout || (isWif && (bytes[0] ?? 0) >= 0x80) ? 'a private key' : undefined;
  }
  if (text.length === 87 || text.length === 88)
    return attempt(() => base58.decode(text))?.length === 64 ? 'a private key' : undefined;
  if (text.length === 111 || text.length === 112) return extendedKey(text);
  return undefined;
}

// BIP-32: 78 bytes, where a private key fills byte 45 with zero.
function extendedKey(text: string): string | undefined {
  const bytes = decodeBase58Check(text);
  if (bytes?.length !== 78) return undefined;
  return bytes[45] === 0 ? 'an extended private key' : 'an extended public key';
}

// Those for Ed25519 are recognized by their letters, sEd.
function isXrpSeed(text: string): boolean {
  return text.startsWith('s') && decodeBase58CheckXrp(text) !== undefined;
}

// XLS-12: eight groups of five digits, each followed by a check digit that depends on the group's place.
function isXrpNumbers(text: string): boolean {
  if (!/^\d{6}([ -]?\d{6}){7}$/.test(text)) return false;
  const groups = text.replace(/\D/g, '').match(/\d{6}/g) ?? [];
  return groups.every((group, at) => (Number(group.slice(0, 5)) * (at * 2 + 1)) % 9 === Number(group[5]));
}

// The keys of physical bitcoins: S and 21 or 29 letters, of which the hash with a question mark begins with zero.
function miniKey(text: string): string | undefined {
  if (!/^S([1-9A-HJ-NP-Za-km-z]{21}|[1-9A-HJ-NP-Za-km-z]{29})$/.test(text)) return undefined;
  return sha256(utf8ToBytes(`${text}?`))[0] === 0 ? 'a private key' : undefined;
}

/** Reason for refusing a key or seed; takes its kind and what was expected, both with articles. */
export function secretReason(kind: string, instead = 'an address'): string {
  return `This looks like ${kind}, not ${instead}: never paste it anywhere, and move the funds if others saw it.`;
}
