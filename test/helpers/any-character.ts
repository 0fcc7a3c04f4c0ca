import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * A unit for `fc.string`: every character of Unicode. fast-check's own unit of that kind first makes a table of them all,
 * which takes a second and stays in memory.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (character) => {
    const code = typeof character === 'string' ? (character.codePointAt(0) ?? Number.NaN) : Number.NaN;
    if (character !== String.fromCodePoint(code)) throw new Error('not a character');
    return code < SURROGATES.first ? code : code - SURROGATES.count;
  },
);
