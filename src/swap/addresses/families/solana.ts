import { ed25519 } from '@noble/curves/ed25519.js';
import { decodeBase58 } from '../codecs/base58.ts';
import { decodeBech32 } from '../codecs/bech32.ts';
import { attempt } from '../codecs/bytes.ts';
import { type ParseResult, parsedAddress, parseFailure, SYSTEM_ADDRESS } from '../parsed-address.ts';

// Native programs, sysvars, the SPL programs that everyone uses, the incinerator and wrapped SOL
// (solana-sdk-ids, spl-token, spl-associated-token-account, spl-memo).
const SYSTEM_IDS = new Set([
  '11111111111111111111111111111111',
  '1nc1nerator11111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'Feature111111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'NativeLoader1111111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
  'So11111111111111111111111111111111111111112',
  'Stake11111111111111111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
  'Sysvar1111111111111111111111111111111111111',
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarEpochRewards1111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarFees111111111111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarLastRestartS1ot1111111111111111111111',
  'SysvarRecentB1ockHashes11111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarRewards111111111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarS1otHistory11111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'Vote111111111111111111111111111111111111111',
  'ZkE1Gama1Proof11111111111111111111111111111',
  'ZkTokenProof1111111111111111111111111111111',
]);

const NO_CHECKSUM = 'Solana addresses have no checksum: compare every character with the source.';
const OFF_CURVE =
  'This is the address of a program, not of a wallet: only the program can move what is sent to it.';

/** Parses a Solana address: base58 of exactly 32 bytes; off the curve it is a program-derived address. */
export function parseSolana(address: string): ParseResult {
  // 44 characters hold 32 bytes.
  const bytes = address.length <= 44 ? decodeBase58(address) : undefined;
  if (bytes?.length !== 32) return parseFailure('The address is not 32 bytes in base58.');
  if (SYSTEM_IDS.has(address)) return SYSTEM_ADDRESS;
  // One osmo1…, kava1… or dgb1… in twelve has neither 0 nor l, and is 32 bytes in base58 too.
  if (decodeBech32(address) !== undefined) return parseFailure('This is an address of another network.');
  const onCurve = attempt(() => ed25519.Point.fromBytes(bytes, true)) !== undefined;
  return parsedAddress(onCurve ? 'wallet' : 'program', address, {
    checksummed: false,
    warnings: onCurve ? [NO_CHECKSUM] : [NO_CHECKSUM, OFF_CURVE],
  });
}
