import { type Cipher, createCipheriv } from 'node:crypto';
import { ORDER_NUMBER_LENGTH } from '../state/assumptions.ts';

const LETTERS = 26;
const HALF_LENGTH = ORDER_NUMBER_LENGTH / 2;
const HALF = LETTERS ** HALF_LENGTH;
const ROUNDS = 4;
const CAPITAL_A = 65;
const BLOCK_BYTES = 16;
const PATTERN = new RegExp(`^[A-Z]{${ORDER_NUMBER_LENGTH}}$`);

/** Count of all possible order numbers. */
export const ORDER_NUMBERS = HALF * HALF;

/**
 * Order numbers of a master key: a keyed permutation of all texts of six capitals, a Feistel network of AES over the
 * two halves. So a number is unique without a lookup, cannot be guessed from another one, and can be turned back into
 * its place in the order of creation: no index on a random text is needed.
 */
export class OrderNumbers {
  readonly #cipher: Cipher;

  constructor(masterKey: string) {
    this.#cipher = createCipheriv('aes-256-ecb', Buffer.from(masterKey, 'hex'), null);
    this.#cipher.setAutoPadding(false);
  }

  /** The order number of a place, counted from 1. */
  numberAt(sequence: number): string {
    if (sequence < 1 || sequence > ORDER_NUMBERS) throw new RangeError('All order numbers are used up.');
    let [left, right] = [Math.floor((sequence - 1) / HALF), (sequence - 1) % HALF];
    for (let round = 0; round < ROUNDS; round += 1)
      [left, right] = [right, (left + this.#mix(round, right)) % HALF];
    return capitals(left) + capitals(right);
  }

  /** Place of an order number in the order of creation; undefined for a text that cannot be one. */
  sequenceOf(orderNumber: string): number | undefined {
    if (!PATTERN.test(orderNumber)) return undefined;
    let left = value(orderNumber.slice(0, HALF_LENGTH));
    let right = value(orderNumber.slice(HALF_LENGTH));
    for (let round = ROUNDS - 1; round >= 0; round -= 1)
      [left, right] = [(right + HALF - this.#mix(round, left)) % HALF, left];
    return left * HALF + right + 1;
  }

  #mix(round: number, half: number): number {
    const block = Buffer.alloc(BLOCK_BYTES);
    block.writeUInt32BE(round, 0);
    block.writeUInt32BE(half, 4);
    return this.#cipher.update(block).readUInt32BE(0) % HALF;
  }
}

function capitals(half: number): string {
  let text = '';
  for (let rest = half, digit = 0; digit < HALF_LENGTH; digit += 1) {
    text = String.fromCharCode(CAPITAL_A + (rest % LETTERS)) + text;
    rest = Math.floor(rest / LETTERS);
  }
  return text;
}

function value(letters: string): number {
  let half = 0;
  for (let digit = 0; digit < HALF_LENGTH; digit += 1)
    half = half * LETTERS + letters.charCodeAt(digit) - CAPITAL_A;
  return half;
}
