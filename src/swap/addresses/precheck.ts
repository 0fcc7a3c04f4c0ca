/** Maximum length of an address, in UTF-16 units; decoding base58 is quadratic. */
const MAX_ADDRESS_LENGTH = 256;

/**
 * Reason why a text cannot be an address of any network, found without decoding it; undefined if there is none. Checks
 * length, white space and foreign characters; never repeats the text.
 */
export function precheckAddress(address: string): string | undefined {
  if (address.length === 0) return 'The address is empty.';
  if (address.length > MAX_ADDRESS_LENGTH) return 'The address is longer than 256 characters.';
  if (/\s/.test(address)) return 'The address has white space in it or around it.';
  if (!/^[\x21-\x7e]*$/.test(address)) {
    return 'The address has a character that is not plain ASCII: it may be a look-alike or invisible.';
  }
  return undefined;
}

/** Joins the groups of a Nimiq address, whose single spaces belong to it; any other text stays as it is. */
export function joinGroups(address: string): string {
  return /^NQ\d\d(?: [0-9A-Z]{4}){8}$/.test(address) ? address.replaceAll(' ', '') : address;
}

/** Reason for refusing a key or seed; takes its kind and what was expected, both with articles. */
export function secretReason(kind: string, instead = 'an address'): string {
  return `This looks like ${kind}, not ${instead}: never paste it anywhere, and move the funds if others saw it.`;
}
