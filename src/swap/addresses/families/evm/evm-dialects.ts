import { decodeBech32Bytes } from '../../codecs/bech32.ts';
import { allZero } from '../../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';
import { parseEvm, toEip55 } from './evm.ts';

// Chains whose addresses also have an older beginning of their own instead of 0x.
const BEGINNINGS: Readonly<Record<string, string>> = { RON: 'ronin:', XDC: 'xdc' };

// Chain ids of Rootstock and its test network, which EIP-1191 puts into the checksum.
const ROOTSTOCK = '30';
const ROOTSTOCK_TEST = '31';

const OF_ETHEREUM =
  'The capitals are the checksum of Ethereum and not that of Rootstock: make sure that the wallet is one for Rootstock.';

/**
 * Parses an address of an EVM chain that has a form of its own beside that of Ethereum: `ronin:` (Ronin), `xdc` (XDC),
 * `io1…` (IoTeX), or capitals by EIP-1191 (Rootstock).
 */
export function parseEvmDialect(address: string, code: string): ParsedAddress | ParseFailure {
  if (code === 'IOTX' && !address.startsWith('0x')) return parseIotex(address) ?? parseEvm(address);
  if (code === 'RSK') return parseRootstock(address);
  const beginning = BEGINNINGS[code] ?? '0x';
  if (!address.startsWith(beginning)) return parseEvm(address);
  const read = parseEvm(`0x${address.slice(beginning.length)}`);
  return read.ok ? { ...read, canonical: `${beginning}${read.canonical.slice(2)}` } : read;
}

function parseIotex(address: string): ParsedAddress | ParseFailure | undefined {
  const bytes = decodeBech32Bytes(address, 'io');
  if (bytes?.length !== 20) return undefined;
  return allZero(bytes) ? SYSTEM_ADDRESS : parsedAddress('native', address.toLowerCase());
}

function parseRootstock(address: string): ParsedAddress | ParseFailure {
  const lower = address.toLowerCase();
  const plain = parseEvm(lower);
  if (!plain.ok || address === lower) return plain.ok ? { ...plain, canonical: lower } : plain;
  for (const chain of [ROOTSTOCK, ROOTSTOCK_TEST]) {
    if (address === toEip55(lower.slice(2), chain))
      return parsedAddress('account', address, { testnet: chain === ROOTSTOCK_TEST });
  }
  const read = parseEvm(address);
  return read.ok ? { ...read, warnings: [...read.warnings, OF_ETHEREUM] } : read;
}
