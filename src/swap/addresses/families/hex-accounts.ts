import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { allZero, sameBytes } from '../codecs/bytes.ts';
import { crc32 } from '../codecs/crc.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../parsed-address.ts';

const MOVE_NO_CHECKSUM =
  'These addresses carry no checksum, and Sui, Aptos and their relatives write them alike: compare every character, and the network.';

// 0x0 to 0xf are the framework everywhere; Sui also keeps its deny list and first exchange at 0x403 and 0xdee9.
const MOVE_FRAMEWORK = /^0{63}[0-9a-f]$/;
const SUI_SYSTEM = /^0{60}(0403|dee9)$/;

/** Parses an address of Sui, Aptos and other Move chains: `0x` and 64 hexadecimal digits, no short form. */
export function parseMove(address: string, code: string): ParsedAddress | ParseFailure {
  if (!/^0x[0-9a-f]{64}$/i.test(address) || !address.startsWith('0x')) {
    return parseFailure('An address is 0x and exactly 64 hexadecimal digits.');
  }
  const lower = address.toLowerCase();
  const digits = lower.slice(2);
  if (MOVE_FRAMEWORK.test(digits) || (code === 'SUI' && SUI_SYSTEM.test(digits))) return SYSTEM_ADDRESS;
  return parsedAddress('account', lower, { checksummed: false, warnings: [MOVE_NO_CHECKSUM] });
}

/** Parses an account identifier of the ICP ledger: 64 hexadecimal digits, CRC-32 first (ICP ledger, account identifier). */
export function parseInternetComputer(address: string): ParsedAddress | ParseFailure {
  if (!/^[0-9a-f]{64}$/i.test(address))
    return parseFailure('An account identifier is 64 hexadecimal digits.');
  const bytes = hexToBytes(address);
  const checksum = bytes.subarray(0, 4).reduce((sum, byte) => sum * 256 + byte, 0);
  if (checksum !== crc32(bytes.subarray(4)))
    return parseFailure('The account identifier has the wrong checksum.');
  return parsedAddress('account-id', address.toLowerCase());
}

const KADENA_NO_CHECKSUM = 'Kadena accounts carry no checksum: compare every character with the source.';
const KADENA_SHARED =
  'This account is held by several keys (w:): make sure that the service can pay such accounts.';

/**
 * Parses a Kadena account that is defined by its keys: `k:` and a public key of 64 hexadecimal digits, or `w:` and the
 * hash of several. A free name is refused: on each of the twenty chains it belongs to whoever took it first. Source:
 * https://github.com/kadena-io/KIPs/blob/master/kip-0017.md (account protocols)
 */
export function parseKadena(address: string): ParsedAddress | ParseFailure {
  if (/^k:[0-9a-f]{64}$/.test(address)) {
    if (/^k:0+$/.test(address)) return SYSTEM_ADDRESS;
    return parsedAddress('single-key', address, { checksummed: false, warnings: [KADENA_NO_CHECKSUM] });
  }
  if (/^w:[\w-]{43}:[a-z][a-z\d.-]*$/.test(address)) {
    return parsedAddress('multi-key', address, {
      checksummed: false,
      warnings: [KADENA_NO_CHECKSUM, KADENA_SHARED],
    });
  }
  return parseFailure(
    'An account is k: and exactly 64 lower-case hexadecimal digits; free names are not taken, for each chain may give one to somebody else.',
  );
}

const ICON_NO_CHECKSUM = 'ICON addresses carry no checksum: compare every character with the source.';
const ICON_CONTRACT =
  'This is the address of a contract (cx): pay it only if it is known to take plain payments.';

// Nobody's account, the treasury of the network, and the contract through which the network governs itself.
const ICON_SYSTEM = /^(hx[01]0{39}|cx0{39}[01])$/;

/**
 * Parses an ICON address: `hx` (account) or `cx` (contract) and 40 lower-case hexadecimal digits.
 * Source: https://docs.icon.community/icon-stack/client-apis/json-rpc-api/v3 (T_ADDR_EOA, T_ADDR_SCORE)
 */
export function parseIcon(address: string): ParsedAddress | ParseFailure {
  if (!/^[hc]x[0-9a-f]{40}$/.test(address)) {
    return parseFailure('An address is hx and exactly 40 lower-case hexadecimal digits.');
  }
  if (ICON_SYSTEM.test(address)) return SYSTEM_ADDRESS;
  const isContract = address.startsWith('c');
  return parsedAddress(isContract ? 'contract' : 'account', address, {
    checksummed: false,
    warnings: isContract ? [ICON_NO_CHECKSUM, ICON_CONTRACT] : [ICON_NO_CHECKSUM],
  });
}

/**
 * Parses a Siacoin address: 76 lower-case hexadecimal digits, 32 bytes and the first six of their BLAKE2b-256.
 * Source: Address.String in https://github.com/SiaFoundation/core/blob/master/types/types.go
 */
export function parseSiacoin(address: string): ParsedAddress | ParseFailure {
  if (!/^[0-9a-f]{76}$/.test(address)) return parseFailure('An address is 76 lower-case hexadecimal digits.');
  const bytes = hexToBytes(address);
  const hash = bytes.subarray(0, 32);
  if (!sameBytes(siacoinChecksum(hash), bytes.subarray(32))) {
    return parseFailure('The address has the wrong siacoinChecksum.');
  }
  return allZero(hash) ? SYSTEM_ADDRESS : parsedAddress('account', address);
}

/** Writes a Siacoin address of a 32-byte hash. */
export function encodeSiacoin(hash: Uint8Array): string {
  return bytesToHex(Uint8Array.from([...hash, ...siacoinChecksum(hash)]));
}

function siacoinChecksum(hash: Uint8Array): Uint8Array {
  return blake2b(hash, { dkLen: 32 }).subarray(0, 6);
}
