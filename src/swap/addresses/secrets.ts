import { base58 } from '@scure/base';
import { attempt } from './codecs/attempt.ts';
import { decodeBase58Check, decodeBase58CheckXrp } from './codecs/base58check.ts';
import { startsWith } from './codecs/bytes.ts';

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

// Forms that are told by their letters alone, and that no address shares.
const SHAPES: readonly (readonly [kind: string, form: RegExp])[] = [
  ['a private key', new RegExp(`^(5[HJK]${BASE58}{49}|[KLc]${BASE58}{51})$`)],
  ['an encrypted private key', new RegExp(`^6P${BASE58}{56}$`)],
  ['a Stellar secret seed', /^S[A-Z2-7]{55}$/],
  ['a Tezos private key', new RegExp(`^(edsk|edesk|spsk|spesk|p2sk|p2esk|BLsk|BLesk)${BASE58}{40,}$`)],
  ['an Antelope private key', /^PVT_(K1|R1|WA)_/],
  ['a key', /^(ed25519|secp256k1)(:|-priv-)/],
  ['a private key', /^(nsec|suiprivkey|iotaprivkey|age-secret-key-|[a-z_\d]*_x?sk|xprv|prv)1[a-z\d]{30,}$/i],
  ['a Zcash spending key', /^secret-extended-key-(main|test|regtest)1/i],
  ['a private key', /^30(2e|30|54|74|77)0201[0-9a-f]{40,}$/i],
  ['a private key', /^\[\d{1,3}(,\d{1,3}){31,}\]$/],
];

/**
 * Names what kind of key or seed a text looks like, or undefined.
 * Some forms go by their letters, so ask only about a text that is not a checksummed address.
 * The answer never contains the text itself.
 */
export function secretKind(text: string): string | undefined {
  const shape = SHAPES.find(([, form]) => form.test(text));
  return shape?.[0] ?? base58Secret(text) ?? xrpSeed(text);
}

/** Tells whether a text looks like a bare private key: 32 or 64 bytes in hexadecimal. On some networks that is an address. */
export function looksLikeHexKey(text: string): boolean {
  return /^(0x)?([0-9a-f]{64}|[0-9a-f]{128})$/i.test(text);
}

/** Tells whether a text looks like a seed phrase: twelve words or more. */
export function looksLikeSeedPhrase(text: string): boolean {
  return /^\s*(?:[a-z]{3,8}\s+){11,}[a-z]{3,8}\s*$/i.test(text);
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
  if (text.length === 87 || text.length === 88) {
    return attempt(() => base58.decode(text))?.length === 64 ? 'a private key' : undefined;
  }
  if (text.length === 111 || text.length === 112) return extendedKey(text);
  return undefined;
}

// BIP-32: 78 bytes, where a private key fills byte 45 with zero.
function extendedKey(text: string): string | undefined {
  const bytes = decodeBase58Check(text);
  if (bytes?.length !== 78) return undefined;
  return bytes[45] === 0 ? 'an extended private key' : 'an extended public key';
}

function xrpSeed(text: string): string | undefined {
  if (!text.startsWith('s') || text.length < 27 || text.length > 31) return undefined;
  const bytes = decodeBase58CheckXrp(text);
  const isSeed =
    bytes !== undefined &&
    ((bytes.length === 17 && startsWith(bytes, [0x21])) ||
      (bytes.length === 19 && startsWith(bytes, [0x01, 0xe1, 0x4b])));
  return isSeed ? 'an XRP Ledger seed' : undefined;
}
