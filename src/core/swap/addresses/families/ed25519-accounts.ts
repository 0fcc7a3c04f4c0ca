import { ed25519 } from '@noble/curves/ed25519.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58xmr } from '@scure/base';
import { decodeBase58 } from '../codecs/base58.ts';
import { decodeBech32 } from '../codecs/bech32.ts';
import { attempt, decodeCanonical, withoutChecksum } from '../codecs/bytes.ts';
import { accepted, type ParseResult, REFUSED, refused, unchecked } from '../parsed-address.ts';
import systemIds from './solana-system-ids.json';

// Native programs, sysvars, the SPL programs that everyone uses, the incinerator and wrapped SOL
// (solana-sdk-ids, spl-token, spl-associated-token-account, spl-memo).
const SOLANA_SYSTEM_IDS: ReadonlySet<string> = new Set(systemIds);

const SOLANA_NO_CHECKSUM = 'Solana addresses have no checksum: compare every character with the source.';
const SOLANA_OFF_CURVE =
  'This is the address of a program, not of a wallet: only the program can move what is sent to it.';

/** Parses a Solana address: base58 of exactly 32 bytes; off the curve it is a program-derived address. */
export function parseSolana(address: string): ParseResult {
  // 44 characters hold 32 bytes.
  const bytes = address.length <= 44 ? decodeBase58(address) : undefined;
  if (bytes?.length !== 32) return refused('The address is not 32 bytes in base58.');
  if (SOLANA_SYSTEM_IDS.has(address)) return REFUSED.system;
  // One osmo1…, kava1… or dgb1… in twelve has neither 0 nor l, and is 32 bytes in base58 too.
  if (decodeBech32(address) !== undefined) return refused('This is an address of another network.');
  const onCurve = attempt(() => ed25519.Point.fromBytes(bytes, true)) !== undefined;
  return onCurve
    ? unchecked('wallet', address, SOLANA_NO_CHECKSUM)
    : unchecked('program', address, SOLANA_NO_CHECKSUM, SOLANA_OFF_CURVE);
}

// CRYPTONOTE_PUBLIC_*_BASE58_PREFIX (monero, src/cryptonote_config.h): main network, test network, stage network.
const MONERO_TAGS: Readonly<Record<string, readonly number[]>> = {
  standard: [18, 53, 24],
  integrated: [19, 54, 25],
  subaddress: [42, 63, 36],
};

/** Parses a Monero address: standard, subaddress or integrated, with both keys on the curve. */
export function parseMonero(address: string): ParseResult {
  if (address.length !== 95 && address.length !== 106) return refused('The address has the wrong length.');
  const bytes = decodeCanonical(base58xmr, address);
  if (bytes === undefined) return refused('The address is not base58.');
  const body = withoutChecksum(bytes, keccak_256);
  if (body === undefined) return REFUSED.checksum;
  const tag = body[0] ?? -1;
  const [kind, tags = []] = Object.entries(MONERO_TAGS).find(([, all]) => all.includes(tag)) ?? [];
  if (kind === undefined || body.length !== (kind === 'integrated' ? 73 : 65))
    return refused('This is not a Monero address.');
  if (!isKey(body.subarray(1, 33)) || !isKey(body.subarray(33, 65)))
    return refused('A key inside the address is not on the curve.');
  return accepted(kind, address, { testnet: tag !== tags[0] });
}

function isKey(bytes: Uint8Array): boolean {
  return attempt(() => ed25519.Point.fromBytes(bytes)) !== undefined;
}
