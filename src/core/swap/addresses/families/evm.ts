import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeBech32Bytes } from '../codecs/bech32.ts';
import { allZero } from '../codecs/bytes.ts';
import { accepted, type ParseResult, REFUSED, refused, unchecked } from '../parsed-address.ts';

const LOWER_CASE =
  'The address is all lower case, so it has no checksum: compare every character with the source.';

// Forms that belong to a chain's own machinery or are known burns, as 40 lower-case digits.
const SYSTEM: readonly RegExp[] = [
  /^0[0-3]0{34}/, // zero, 0x…dEaD, precompiles, BSC's 0x1000…, Avalanche's black hole 0x01… and precompiles 0x02…
  /^420{34}/, // predeploys of the OP Stack chains
  /^e{40}$/, // stands for the native coin in many contracts
  /^f{36}/, // 0xff…fe calls system contracts
  /^(dead){9}/,
  /^dead0{16}/, // 0xdEAD000000000000000042069420694206942069
];

/** Parses `0x` and 40 hexadecimal digits, EIP-55 in mixed case, of whichever EVM chain; no ICAP, `eth:` or ENS. */
export function parseEvm(address: string): ParseResult {
  if (!address.startsWith('0x')) return refused('The address must begin with 0x.');
  const digits = address.slice(2);
  if (!/^[0-9a-f]*$/i.test(digits)) return refused('After 0x only hexadecimal digits may follow.');
  if (digits.length !== 40) return refused('After 0x exactly 40 hexadecimal digits must follow.');
  const lower = digits.toLowerCase();
  const checksummed = toEip55(lower);
  if (address !== checksummed && digits !== lower)
    return refused('The capitalization does not match the EIP-55 checksum: a character is wrong.');
  if (SYSTEM.some((form) => form.test(lower))) return REFUSED.system;
  if (address === checksummed) return accepted('account', checksummed);
  return unchecked('account', checksummed, LOWER_CASE);
}

/** Writes 40 lower-case digits with `0x` by EIP-55, or with a chain id in decimal by EIP-1191. */
export function toEip55(lower: string, chain?: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(chain === undefined ? lower : `${chain}0x${lower}`)));
  return `0x${[...lower].map((digit, i) => (hash.charAt(i) >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}

// Chains whose addresses also have an older beginning of their own instead of 0x.
const BEGINNINGS: Readonly<Record<string, string>> = { RON: 'ronin:', XDC: 'xdc' };

// Chain ids of Rootstock and its test network, which EIP-1191 puts into the checksum.
const ROOTSTOCK = '30';
const ROOTSTOCK_TEST = '31';

const ETHEREUM_CHECKSUM_WARNING =
  'The capitalization matches the checksum of Ethereum, not of Rootstock: make sure that the wallet is for Rootstock.';

/** Parses an EVM address in a form of its chain too: `ronin:`, `xdc`, `io1…` (IoTeX), EIP-1191 (Rootstock). */
export function parseEvmDialect(address: string, code: string): ParseResult {
  if (code === 'IOTX' && !address.startsWith('0x')) return parseIotex(address) ?? parseEvm(address);
  if (code === 'RSK') return parseRootstock(address);
  const beginning = BEGINNINGS[code] ?? '0x';
  if (!address.startsWith(beginning)) return parseEvm(address);
  const read = parseEvm(`0x${address.slice(beginning.length)}`);
  return read.ok ? { ...read, canonical: `${beginning}${read.canonical.slice(2)}` } : read;
}

function parseIotex(address: string): ParseResult | undefined {
  const bytes = decodeBech32Bytes(address, 'io');
  if (bytes?.length !== 20) return undefined;
  return allZero(bytes) ? REFUSED.system : accepted('native', address.toLowerCase());
}

function parseRootstock(address: string): ParseResult {
  const lower = address.toLowerCase();
  const plain = parseEvm(lower);
  if (!plain.ok || address === lower) return plain.ok ? { ...plain, canonical: lower } : plain;
  for (const chain of [ROOTSTOCK, ROOTSTOCK_TEST]) {
    if (address === toEip55(lower.slice(2), chain))
      return accepted('account', address, { testnet: chain === ROOTSTOCK_TEST });
  }
  const read = parseEvm(address);
  return read.ok ? { ...read, warnings: [...read.warnings, ETHEREUM_CHECKSUM_WARNING] } : read;
}
