import { ORDER_NUMBER_LENGTH } from './assumptions.ts';
import { derive } from './derive.ts';

const LETTERS = 26;
const HALF = LETTERS ** (ORDER_NUMBER_LENGTH / 2);
const ROUNDS = 6;
const CAPITAL_A = 65;

/** How many order numbers there are. */
export const ORDER_NUMBERS = HALF * HALF;

/**
 * The n-th order number of a master key, counted from 1. A keyed permutation of all texts of six capitals
 * (a Feistel network over its two halves): unique without asking anyone, and not guessable in sequence.
 */
export function orderNumber(key: string, sequence: number): string {
  if (sequence < 1 || sequence > ORDER_NUMBERS) throw new RangeError('All order numbers are used up.');
  let left = Math.floor((sequence - 1) / HALF);
  let right = (sequence - 1) % HALF;
  for (let round = 0; round < ROUNDS; round += 1) {
    const mixed = (left + derive(key, `order ${round} ${right}`).readUInt32BE(0)) % HALF;
    left = right;
    right = mixed;
  }
  return capitals(left) + capitals(right);
}

function capitals(half: number): string {
  let text = '';
  for (let rest = half, place = 0; place < ORDER_NUMBER_LENGTH / 2; place += 1) {
    text = String.fromCharCode(CAPITAL_A + (rest % LETTERS)) + text;
    rest = Math.floor(rest / LETTERS);
  }
  return text;
}
