import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

const NO_CHECKSUM = 'ICON addresses carry no checksum: compare every character with the source.';
const CONTRACT = 'This is the address of a contract (cx): pay it only if it is known to take plain payments.';

// Nobody's account, the treasury of the network, and the contract through which the network governs itself.
const SYSTEM = /^(hx[01]0{39}|cx0{39}[01])$/;

/**
 * Parses an ICON address: `hx` (account) or `cx` (contract) and 40 lower-case hexadecimal digits.
 * Source: https://docs.icon.community/icon-stack/client-apis/json-rpc-api/v3 (T_ADDR_EOA, T_ADDR_SCORE)
 */
export function parseIcon(address: string): ParsedAddress | ParseFailure {
  if (!/^[hc]x[0-9a-f]{40}$/.test(address)) {
    return parseFailure('An address is hx and exactly 40 lower-case hexadecimal digits.');
  }
  if (SYSTEM.test(address)) return SYSTEM_ADDRESS;
  const isContract = address.startsWith('c');
  return parsedAddress(isContract ? 'contract' : 'account', address, {
    checksummed: false,
    warnings: isContract ? [NO_CHECKSUM, CONTRACT] : [NO_CHECKSUM],
  });
}
