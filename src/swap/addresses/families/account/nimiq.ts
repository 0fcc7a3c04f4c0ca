import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  UNSPENDABLE,
} from '../../parsed-address.ts';

// Base 32 without I, O, W and Z, behind the country code and two check digits of an IBAN:
// https://github.com/nimiq/core-rs-albatross/blob/albatross/keys/src/address.rs
const FORM = /^NQ(\d\d)([0-9A-HJ-NP-VXY]{32})$/;

/** Parses a Nimiq address whose groups of four are joined (`joinGroups` does it): NQ, two check digits, 20 bytes. */
export function parseNimiq(address: string): ParsedAddress | ParseFailure {
  const [, check, account] = FORM.exec(address) ?? [];
  if (check === undefined || account === undefined) {
    return parseFailure('An address is NQ, two digits and 32 letters and digits, without I, O, W and Z.');
  }
  if (check !== checkDigits(account)) return parseFailure('The address has the wrong check digits.');
  return parsedAddress('account', address, /^0+$/.test(account) ? UNSPENDABLE : {});
}

/** Writes a Nimiq address, joined, of 32 letters of its base 32. */
export function encodeNimiq(account: string): string {
  return `NQ${checkDigits(account)}${account}`;
}

/** The two digits of ISO 13616 for the letters behind them: 02 to 98. */
function checkDigits(account: string): string {
  const digits = [...`${account}NQ00`].map((letter) => Number.parseInt(letter, 36)).join('');
  return String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}
