// Crockford's alphabet, as SIP-005 of Stacks uses it.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Value of a c32 digit; undefined for any other character. */
export function c32Digit(letter: string): number | undefined {
  const digit = ALPHABET.indexOf(letter);
  return letter === '' || digit === -1 ? undefined : digit;
}

/** The digit of c32 for a number below 32. */
export function c32Letter(number: number): string {
  return ALPHABET.charAt(number);
}

/** Encodes bytes as c32 (SIP-005). */
export function encodeC32(bytes: Uint8Array): string {
  let digits = '';
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  for (; rest > 0n; rest >>= 5n) digits = ALPHABET.charAt(Number(rest & 31n)) + digits;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '0'.repeat(zeros === -1 ? bytes.length : zeros) + digits;
}

/**
 * Decodes c32 (SIP-005): one big number in base 32 after one zero digit for each leading zero byte. Undefined where the
 * alphabet is wrong, or the text is not the encoding of `length` bytes.
 */
export function decodeC32(text: string, length: number): Uint8Array | undefined {
  const digits = text.replace(/^0+/, '');
  const zeros = text.length - digits.length;
  let value = 0n;
  for (const letter of digits) {
    const digit = c32Digit(letter);
    if (digit === undefined) return undefined;
    value = value * 32n + BigInt(digit);
  }
  const bytes: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 0xffn));
  return zeros + bytes.length === length ? Uint8Array.from([...Array(zeros).fill(0), ...bytes]) : undefined;
}
