import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasHiddenCharacters, visible, visibleDeep } from '../../src/base/text.ts';
import { anyCharacter } from '../helpers/any-character.ts';

describe('a hidden character', () => {
  test.each([
    ['an escape character', '\u001b', '<U+001B>'],
    ['a line break', '\n', '<U+000A>'],
    ['a tab', '\t', '<U+0009>'],
    ['a NUL', '\0', '<U+0000>'],
    ['DEL', '\u007f', '<U+007F>'],
    ['an 8-bit control sequence', '\u009b', '<U+009B>'],
    ['a right-to-left override', '\u202e', '<U+202E>'],
    ['a bidirectional isolate', '\u2066', '<U+2066>'],
    ['the Arabic letter mark', '\u061c', '<U+061C>'],
    ['a zero-width space', '\u200b', '<U+200B>'],
    ['a zero-width joiner', '\u200d', '<U+200D>'],
    ['a byte order mark', '\ufeff', '<U+FEFF>'],
    ['a soft hyphen', '\u00ad', '<U+00AD>'],
    ['a line separator', '\u2028', '<U+2028>'],
    ['an annotation mark', '\ufff9', '<U+FFF9>'],
    ['a Hangul filler', '\u3164', '<U+3164>'],
    ['a variation selector', '\ufe0f', '<U+FE0F>'],
    ['a tag character', '\u{e0041}', '<U+E0041>'],
    ['a blank Braille cell', '\u2800', '<U+2800>'],
    ['a lone surrogate', '\ud800', '<U+D800>'],
  ])('such as %s is escaped', (_, character, shown) => {
    expect(visible(`a${character}b`)).toBe(`a${shown}b`);
    expect(hasHiddenCharacters(`a${character}b`)).toBe(true);
  });

  test.each(['plain', 'Zürich', '比特币', '🚀', 'e\u0301', 'مرحبا', '<U+001B>', ' '])(
    'is not found in %s',
    (text) => {
      expect(visible(text)).toBe(text);
      expect(hasHiddenCharacters(text)).toBe(false);
    },
  );

  test('is never left in an escaped text, and escaping twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const shown = visible(text);
        expect(hasHiddenCharacters(shown)).toBe(false);
        expect(visible(shown)).toBe(shown);
      }),
    );
  });

  test('is escaped in every key and text of a nested value', () => {
    const value = { 'k\u200b': ['\u001b', 1, null, true, { deep: '\u202e' }] };
    expect(visibleDeep(value)).toEqual({ 'k<U+200B>': ['<U+001B>', 1, null, true, { deep: '<U+202E>' }] });
  });
});
