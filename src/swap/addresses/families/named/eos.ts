import { type Misreading, misread, type Reading, reading, UNSPENDABLE } from '../../parsed-address.ts';

const NO_CHECKSUM = 'Account names carry no checksum: compare every character with the source.';

/**
 * Reads an account name of EOS and its relatives: up to 12 of `a-z1-5.`, a 13th of `a-j1-5` (Antelope name type).
 * A dot cannot stand at an end.
 */
export function readEos(address: string): Reading | Misreading {
  if (/^(EOS|PUB_)/.test(address)) return misread('This is a public key: a payment needs the account name.');
  if (!/^[a-z1-5.]{1,12}[a-j1-5]?$/.test(address)) {
    return misread('An account name has at most 12 letters a-z, digits 1-5 and dots.');
  }
  if (address.startsWith('.') || address.endsWith('.')) {
    return misread('An account name neither begins nor ends with a dot.');
  }
  const isSystem = address === 'eosio' || address.startsWith('eosio.');
  return reading('account-name', address, {
    checksummed: false,
    ...(isSystem ? UNSPENDABLE : { warnings: [NO_CHECKSUM] }),
  });
}
