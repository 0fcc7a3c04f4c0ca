import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ORDER_NUMBERS, OrderNumbers } from '../../../src/sandbox/orders/number.ts';
import { masterKey } from '../../../src/sandbox/state/derive.ts';

const numbers = new OrderNumbers(masterKey(1));

describe('the order numbers of a sandbox', () => {
  it('are six capitals that are decoded to their sequence', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: ORDER_NUMBERS }), (sequence) => {
        const number = numbers.numberAt(sequence);
        expect(number).toMatch(/^[A-Z]{6}$/);
        expect(numbers.sequenceOf(number)).toBe(sequence);
      }),
    );
  });

  it('share no beginning with the previous number, and depend on the key', () => {
    const first = Array.from({ length: 200 }, (_, index) => numbers.numberAt(index + 1));
    const shared = first.slice(1).filter((number, index) => number.slice(0, 3) === first[index]?.slice(0, 3));
    expect(shared.length).toBeLessThan(3);
    expect(new OrderNumbers(masterKey(2)).numberAt(1)).not.toBe(first[0]);
    expect(new OrderNumbers(masterKey(undefined)).numberAt(1)).not.toBe(
      new OrderNumbers(masterKey(undefined)).numberAt(1),
    );
  });

  it('are the same for a seed in every version', () => {
    expect([1, 2, 3].map((sequence) => numbers.numberAt(sequence))).toMatchInlineSnapshot(`
      [
        "MSVQNO",
        "KIKYBN",
        "ULIRYV",
      ]
    `);
  });

  it('cannot be decoded from any other text', () => {
    for (const text of ['', 'ABCDE', 'ABCDEFG', 'abcdef', 'ABCDE1', ' ABCDE', 'ABCDEÄ', 'ABCDEF\n'])
      expect(numbers.sequenceOf(text)).toBeUndefined();
    expect(() => numbers.numberAt(0)).toThrow(RangeError);
    expect(() => numbers.numberAt(ORDER_NUMBERS + 1)).toThrow(RangeError);
  });
});
