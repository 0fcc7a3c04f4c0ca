import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonNumber, writeJson } from '../../../src/core/partner-api/json.ts';
import { writeAnswer } from '../../../src/sandbox/http/middleware/respond.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

describe('the writer of answers', () => {
  it('writes what the slower writer writes', () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }));
    const number = fc.bigInt().map((digits) => new JsonNumber(`${digits}.0000000000000000000001`));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        number,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(
          fc.constantFrom('coin', 'value', 'txId', 'a_b'),
          fc.oneof(tie('value'), fc.constant(undefined)),
        ),
      ),
    }));
    fc.assert(
      fc.property(value, (answer) => {
        expect(writeAnswer(answer)).toBe(writeJson(answer));
      }),
    );
  });

  it('escapes what JSON cannot hold as it is', () => {
    for (const text of ['"', '\\', '\u0000', '\u001f', '\ud800', '\udc00x', '\u2028', '</script>', '💥']) {
      expect(writeAnswer({ text })).toBe(JSON.stringify({ text }));
    }
  });
});
