import { decodeBech32 } from '../../codecs/bech32.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

const NO_CHECKSUM = 'NEAR accounts carry no checksum: compare every character with the source.';
const IMPLICIT =
  'A private key or a hash looks the same as these 64 digits: make sure that this is the account.';
const ETHEREUM = 'This is also an address of Ethereum: make sure that the wallet is one for NEAR.';
const IMPLICIT_LENGTH = 64;
const TOP_LEVEL = 'The name has no ending such as .near: very few accounts are named so.';

/** Parses a NEAR account id: a name (2 to 64 characters), 64 hexadecimal digits, or `0x` and 40 (NEP-518). */
export function parseNear(address: string): ParsedAddress | ParseFailure {
  const named = address.split('.').every((part) => /^[a-z\d]+(?:[-_][a-z\d]+)*$/.test(part));
  if (!named || address.length < 2 || address.length > 64) {
    return parseFailure(
      'An account is 2 to 64 lower-case letters, digits, and single dots, hyphens or underscores between.',
    );
  }
  if (address === 'system' || /^(0x)?0+$/.test(address)) return SYSTEM_ADDRESS;
  if (/^[\da-f]{8,}$/.test(address) && address.length !== IMPLICIT_LENGTH) {
    return parseFailure('An account of hexadecimal digits alone has exactly 64 of them.');
  }
  if (/^0\.0\.\d+$/.test(address) || decodeBech32(address) !== undefined) {
    return parseFailure('This is an address of another network.');
  }
  const [kind, warning] = classify(address);
  return parsedAddress(kind, address, {
    testnet: address === 'testnet' || address.endsWith('.testnet'),
    checksummed: false,
    warnings: warning === undefined ? [NO_CHECKSUM] : [NO_CHECKSUM, warning],
  });
}

function classify(address: string): readonly [kind: string, warning?: string] {
  if (/^[0-9a-f]{64}$/.test(address)) return ['implicit', IMPLICIT];
  if (/^0x[0-9a-f]{40}$/.test(address)) return ['ethereum-implicit', ETHEREUM];
  return address.includes('.') ? ['named'] : ['top-level', TOP_LEVEL];
}
