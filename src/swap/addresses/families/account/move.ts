import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

const NO_CHECKSUM =
  'These addresses carry no checksum, and Sui, Aptos and their relatives write them alike: compare every character, and the network.';

// 0x0 to 0xf are the framework everywhere; Sui also keeps its deny list and first exchange at 0x403 and 0xdee9.
const FRAMEWORK = /^0{63}[0-9a-f]$/;
const SUI_SYSTEM = /^0{60}(0403|dee9)$/;

/** Parses an address of Sui, Aptos and other Move chains: `0x` and 64 hexadecimal digits, no short form. */
export function parseMove(address: string, code: string): ParsedAddress | ParseFailure {
  if (!/^0x[0-9a-f]{64}$/i.test(address) || !address.startsWith('0x')) {
    return parseFailure('An address is 0x and exactly 64 hexadecimal digits.');
  }
  const lower = address.toLowerCase();
  const digits = lower.slice(2);
  if (FRAMEWORK.test(digits) || (code === 'SUI' && SUI_SYSTEM.test(digits))) return SYSTEM_ADDRESS;
  return parsedAddress('account', lower, { checksummed: false, warnings: [NO_CHECKSUM] });
}
