import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

const NO_CHECKSUM = 'Account names carry no checksum: compare every character with the source.';

// Accounts of the chains themselves: what `null` holds is burnt, `temp` anyone can spend, the last two are treasuries.
const SYSTEM: ReadonlySet<string> = new Set(['null', 'temp', 'miners', 'steem.dao', 'hive.fund']);

const PART = /^[a-z][a-z\d-]*[a-z\d]$/;

/**
 * Parses an account name of Hive or Steem: 3 to 16 characters in parts of three or more, parted by dots.
 * Source: is_valid_account_name in https://github.com/steemit/steem/blob/master/libraries/protocol/include/steem/protocol/base.hpp
 */
export function parseGraphene(address: string): ParsedAddress | ParseFailure {
  if (/^(STM|TST)[1-9A-HJ-NP-Za-km-z]{20,}$/.test(address)) {
    return parseFailure('This is a public key: a payment needs the account name.');
  }
  if (address.length < 3 || address.length > 16)
    return parseFailure('An account name has 3 to 16 characters.');
  if (!address.split('.').every((part) => part.length >= 3 && PART.test(part))) {
    return parseFailure(
      'An account name is lower-case letters, digits and hyphens; each part of it between dots has three or more, begins with a letter and ends with none of the hyphens.',
    );
  }
  if (SYSTEM.has(address)) return SYSTEM_ADDRESS;
  return parsedAddress('account-name', address, { checksummed: false, warnings: [NO_CHECKSUM] });
}
