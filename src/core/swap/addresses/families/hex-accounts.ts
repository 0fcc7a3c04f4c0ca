import { crc32 } from 'node:zlib';
import { blake2b } from '@noble/hashes/blake2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { allZero, type Checksum, withChecksum, withoutChecksum } from '../codecs/bytes.ts';
import { accepted, type ParseResult, REFUSED, refused, UNSPENDABLE, unchecked } from '../parsed-address.ts';

const MOVE_NO_CHECKSUM =
  'These addresses have no checksum, and the same format is used by Sui, Aptos and similar chains: compare every character, and the network.';

// 0x0 to 0xf are the framework everywhere; Sui also keeps its deny list and first exchange at 0x403 and 0xdee9.
const MOVE_FRAMEWORK = /^0{63}[0-9a-f]$/;
const SUI_SYSTEM = /^0{60}(0403|dee9)$/;

/** Parses an address of Sui, Aptos and other Move chains: `0x` and 64 hexadecimal digits, no short form. */
export function parseMove(address: string, code: string): ParseResult {
  if (!/^0x[0-9a-fA-F]{64}$/.test(address))
    return refused('An address is 0x and exactly 64 hexadecimal digits.');
  const lower = address.toLowerCase();
  const digits = lower.slice(2);
  if (MOVE_FRAMEWORK.test(digits) || (code === 'SUI' && SUI_SYSTEM.test(digits))) return REFUSED.system;
  return unchecked('account', lower, MOVE_NO_CHECKSUM);
}

/** Parses an account identifier of the ICP ledger: 64 hexadecimal digits, CRC-32 first (ICP ledger, account identifier). */
export function parseInternetComputer(address: string): ParseResult {
  if (!/^[0-9a-f]{64}$/i.test(address)) return refused('An account identifier is 64 hexadecimal digits.');
  const bytes = hexToBytes(address);
  const checksum = bytes.subarray(0, 4).reduce((sum, byte) => sum * 256 + byte, 0);
  if (checksum !== crc32(bytes.subarray(4))) return refused('The account identifier has the wrong checksum.');
  return accepted('account-id', address.toLowerCase());
}

const KADENA_NO_CHECKSUM = 'Kadena accounts have no checksum: compare every character with the source.';
const KADENA_SHARED =
  'This account is held by several keys (w:): make sure that the service can pay such accounts.';

/**
 * Parses a Kadena account that is defined by its keys: `k:` and a public key of 64 hexadecimal digits, or `w:` and the
 * hash of several. A free name is refused: on each of the twenty chains it belongs to the person who took it first. Source:
 * https://github.com/kadena-io/KIPs/blob/master/kip-0017.md (account protocols)
 */
export function parseKadena(address: string): ParseResult {
  if (/^k:[0-9a-f]{64}$/.test(address)) {
    if (/^k:0+$/.test(address)) return REFUSED.system;
    return unchecked('single-key', address, KADENA_NO_CHECKSUM);
  }
  if (/^w:[\w-]{43}:[a-z][a-z\d.-]*$/.test(address))
    return unchecked('multi-key', address, KADENA_NO_CHECKSUM, KADENA_SHARED);
  return refused(
    'An account is k: and exactly 64 lower-case hexadecimal digits; free names are not accepted, because each chain may assign them to different owners.',
  );
}

const ICON_NO_CHECKSUM = 'ICON addresses have no checksum: compare every character with the source.';
const ICON_CONTRACT =
  'This is the address of a contract (cx): pay it only if it is known to accept plain payments.';

// The account of no one, the treasury of the network, and the contract through which the network governs itself.
const ICON_SYSTEM = /^(hx[01]0{39}|cx0{39}[01])$/;

/**
 * Parses an ICON address: `hx` (account) or `cx` (contract) and 40 lower-case hexadecimal digits.
 * Source: https://docs.icon.community/icon-stack/client-apis/json-rpc-api/v3 (T_ADDR_EOA, T_ADDR_SCORE)
 */
export function parseIcon(address: string): ParseResult {
  if (!/^[hc]x[0-9a-f]{40}$/.test(address))
    return refused('An address is hx and exactly 40 lower-case hexadecimal digits.');
  if (ICON_SYSTEM.test(address)) return REFUSED.system;
  if (address.startsWith('c')) return unchecked('contract', address, ICON_NO_CHECKSUM, ICON_CONTRACT);
  return unchecked('account', address, ICON_NO_CHECKSUM);
}

/**
 * Parses a Siacoin address: 76 lower-case hexadecimal digits, 32 bytes and the first six of their BLAKE2b-256.
 * Source: Address.String in https://github.com/SiaFoundation/core/blob/master/types/types.go
 */
export function parseSiacoin(address: string): ParseResult {
  if (!/^[0-9a-f]{76}$/.test(address)) return refused('An address is 76 lower-case hexadecimal digits.');
  const hash = withoutChecksum(hexToBytes(address), siacoinChecksum, 6);
  if (hash === undefined) return REFUSED.checksum;
  return allZero(hash) ? REFUSED.system : accepted('account', address);
}

/** Writes the 32-byte hash of a Siacoin address as 76 hexadecimal digits, with its checksum. */
export function encodeSiacoin(hash: Uint8Array): string {
  return bytesToHex(withChecksum(hash, siacoinChecksum, 6));
}

const siacoinChecksum: Checksum = (hash) => blake2b(hash, { dkLen: 32 });

// Contract addresses end below 2^251 − 256; the numbers below 16 are kept for the network itself.
const STARKNET_END = 2n ** 251n - 256n;
const STARKNET_FIRST = 16n;
const KECCAK_MASK = 2n ** 250n - 1n;

const STARKNET_LOWER_CASE =
  'The address is all lower case, so it has no checksum: compare every character with the source.';
const STARKNET_SHORT =
  'The address is far shorter than those of accounts, and may be one of Ethereum: make sure that the wallet is for Starknet.';

/** Parses a Starknet address: `0x` and 1 to 64 hexadecimal digits, whose capitals must fit its own checksum. */
export function parseStarknet(address: string): ParseResult {
  if (!address.startsWith('0x')) return refused('The address must begin with 0x.');
  const digits = address.slice(2);
  if (!/^[\da-f]{1,64}$/i.test(digits)) return refused('After 0x 1 to 64 hexadecimal digits must follow.');
  const value = BigInt(address);
  if (value >= STARKNET_END) return refused('The number is too large for an address of Starknet.');
  if (value < STARKNET_FIRST) return REFUSED.system;
  const canonical = toStarknetChecksum(value);
  const lower = digits.toLowerCase();
  // Zeros in front have no case, so an address that is written without them keeps its checksum.
  const fits = canonical.endsWith(digits);
  if (!fits && digits !== lower)
    return refused('The capitalization does not match the Starknet checksum: a character is wrong.');
  const short = value < 2n ** 200n ? [STARKNET_SHORT] : [];
  // Without a letter there is no case to check.
  if (fits && digits !== lower) return accepted('account', canonical, { warnings: short });
  return unchecked('account', canonical, STARKNET_LOWER_CASE, ...short);
}

/** Writes an address as `0x` and all 64 digits, in capitals where the Starknet keccak of its bytes has a high digit. */
export function toStarknetChecksum(value: bigint): string {
  const hex = value.toString(16);
  const bytes = keccak_256(hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`));
  const hash = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) & KECCAK_MASK;
  const marks = hash.toString(16).padStart(64, '0');
  const letters = [...hex.padStart(64, '0')].map((digit, i) =>
    marks.charAt(i) >= '8' ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}

// Each network shifts the [64,45,7] linear code of account addresses by a word of its own; the main network by none:
// https://github.com/onflow/flow-go/blob/master/model/flow/address.go
const FLOW_TEST = 0x6834ba37b3980209n;
const FLOW_TEST_NETWORKS: readonly bigint[] = [
  FLOW_TEST,
  // The emulator's, the sandbox's and the preview's.
  0x1cb159857af02018n,
  0x1035ce4eff92ae01n,
  0x5211829e88528817n,
];

// Parity of the 45 data bits, from bit 19 of the address on; below it the parity bits stand for themselves.
const PARITY_BITS = 19;
const PARITY_SHIFT = BigInt(PARITY_BITS);
const PARITY = `7328d 6689a 6112f 6084b 433fd 42aab 41951 233ce 22a81 21948 1ef60 1deca 1c639 1bdd8 1a535
  194ac 18c46 1632b 1529b 14a43 13184 12942 118c1 0f812 0e027 0d00e 0c83c 0b01d 0a831 0982b 07034 0682a
  05819 03807 007d2 00727 0068e 0067c 0059d 004eb 003b4 0036a 002d9 001c7 0003f`
  .split(/\s+/)
  .map((column) => BigInt(`0x${column}`));

// The accounts that came with the network: service account, fungible token, Flow token, fees, staking.
const FLOW_SYSTEM: ReadonlySet<string> = new Set([
  '0000000000000000',
  'e467b9dd11fa00df',
  'f233dcee88fe0abe',
  '1654653399040a61',
  'f919ee77447b7497',
  '8624b52f9ddcd04a',
]);

// No other library is known to check these addresses; the rule was tested against accounts of both networks.
const FLOW_RARELY_CHECKED =
  'Few programs can check Flow addresses, so an error may go unnoticed elsewhere: compare every character with the source.';

/** Parses a Flow account: `0x` and 16 lower-case hexadecimal digits that are a codeword of the main or a test network's code. */
export function parseFlow(address: string): ParseResult {
  const [, digits] = /^0x([0-9a-f]{16})$/.exec(address) ?? [];
  if (digits === undefined) return refused('An address is 0x and exactly 16 lower-case hexadecimal digits.');
  const codeword = BigInt(`0x${digits}`);
  const testnet = FLOW_TEST_NETWORKS.some((shift) => isFlowCodeword(codeword ^ shift));
  if (!testnet && !isFlowCodeword(codeword))
    return refused('Flow cannot issue this address: a character is wrong.');
  const more = FLOW_SYSTEM.has(digits) ? UNSPENDABLE : { warnings: [FLOW_RARELY_CHECKED] };
  return accepted('account', address, { testnet, ...more });
}

/** Writes the account of 45 data bits on the main network or, shifted by its word, on the test network. */
export function encodeFlow(data: bigint, network: 'main' | 'test'): string {
  const codeword = (data << PARITY_SHIFT) | parityOf(data);
  return `0x${(network === 'test' ? codeword ^ FLOW_TEST : codeword).toString(16).padStart(16, '0')}`;
}

function isFlowCodeword(codeword: bigint): boolean {
  return parityOf(codeword >> PARITY_SHIFT) === BigInt.asUintN(PARITY_BITS, codeword);
}

function parityOf(data: bigint): bigint {
  return PARITY.reduce((sum, column, bit) => ((data >> BigInt(bit)) & 1n ? sum ^ column : sum), 0n);
}
