import { ed25519 } from '@noble/curves/ed25519.js';
import { decodeBase58 } from '../codecs/base58.ts';
import { decodeBech32 } from '../codecs/bech32.ts';
import { attempt } from '../codecs/bytes.ts';
import { type ParseResult, REFUSED, refused, unchecked } from '../parsed-address.ts';
import systemIds from './solana-system-ids.json';

// Native programs, sysvars, the SPL programs that everyone uses, the incinerator and wrapped SOL
// (solana-sdk-ids, spl-token, spl-associated-token-account, spl-memo).
const SYSTEM_IDS: ReadonlySet<string> = new Set(systemIds);

const NO_CHECKSUM = 'Solana addresses have no checksum: compare every character with the source.';
const OFF_CURVE =
  'This is the address of a program, not of a wallet: only the program can move what is sent to it.';

/** Parses a Solana address: base58 of exactly 32 bytes; off the curve it is a program-derived address. */
export function parseSolana(address: string): ParseResult {
  // 44 characters hold 32 bytes.
  const bytes = address.length <= 44 ? decodeBase58(address) : undefined;
  if (bytes?.length !== 32) return refused('The address is not 32 bytes in base58.');
  if (SYSTEM_IDS.has(address)) return REFUSED.system;
  // One osmo1…, kava1… or dgb1… in twelve has neither 0 nor l, and is 32 bytes in base58 too.
  if (decodeBech32(address) !== undefined) return refused('This is an address of another network.');
  const onCurve = attempt(() => ed25519.Point.fromBytes(bytes, true)) !== undefined;
  return onCurve
    ? unchecked('wallet', address, NO_CHECKSUM)
    : unchecked('program', address, NO_CHECKSUM, OFF_CURVE);
}
