import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  UNSPENDABLE,
} from '../../parsed-address.ts';

const NO_CHECKSUM = 'Account names carry no checksum: compare every character with the source.';

/**
 * Parses an account name of EOS and its relatives: up to 12 of `a-z1-5.`, a 13th of `a-j1-5` (Antelope name type).
 * A dot cannot stand at an end.
 */
export function parseEos(address: string): ParsedAddress | ParseFailure {
  if (/^(EOS|PUB_)/.test(address))
    return parseFailure('This is a public key: a payment needs the account name.');
  if (!/^[a-z1-5.]{1,12}[a-j1-5]?$/.test(address)) {
    return parseFailure('An account name has at most 12 letters a-z, digits 1-5 and dots.');
  }
  if (address.startsWith('.') || address.endsWith('.')) {
    return parseFailure('An account name neither begins nor ends with a dot.');
  }
  const isSystem = address === 'eosio' || address.startsWith('eosio.');
  return parsedAddress('account-name', address, {
    checksummed: false,
    ...(isSystem ? UNSPENDABLE : { warnings: [NO_CHECKSUM] }),
  });
}
