import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isJsonNumber,
  isJsonObject,
  JsonNumber,
  type JsonValue,
  MAX_JSON_DEPTH,
  parseJson,
  writeJson,
} from '../../../src/core/partner-api/json.ts';
import { words } from '../../helpers/words.ts';

/** The document with plain numbers in it, as `JSON.parse` gives it. */
function plain(value: JsonValue): unknown {
  if (isJsonNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, plain(item)] as const);
  return Object.fromEntries(entries);
}

function outcome(parse: () => unknown): { value: unknown } | 'refused' {
  try {
    return { value: parse() };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'refused';
  }
}

const digits = (text: string): string => {
  const value = parseJson(text);
  return isJsonNumber(value) ? value.value : 'no number';
};

describe('a JSON number', () => {
  it.each([
    ...words('0 -0 -0.0 1e400 -1E-400 1.10 0.1000000000000000055511151231257827 9007199254740993'),
    '1234567890123456789012345678901234567890',
    `1${'0'.repeat(5000)}`,
  ])('keeps every digit when it is read and written: %s', (text) => {
    expect(digits(text)).toBe(text);
    expect(writeJson(parseJson(text))).toBe(text);
    expect(writeJson({ amount: new JsonNumber(text) })).toBe(`{"amount":${text}}`);
  });

  it.each('+1 .5 1. 01 - 1e 1e+ 0x10 NaN Infinity -Infinity 1_000 1,5 １'.split(' '))(
    'is rejected in the form %s',
    (text) => expect(outcome(() => parseJson(text))).toBe('refused'),
  );

  it('is distinct from an object with the same fields', () => {
    expect(isJsonNumber(parseJson('1'))).toBe(true);
    expect(isJsonObject(parseJson('1'))).toBe(false);
    const disguised = parseJson('{"isLosslessNumber":true,"value":"5"}');
    expect(isJsonNumber(disguised)).toBe(false);
    expect(isJsonObject(disguised)).toBe(true);
  });

  it('in a list of any length keeps every digit', () => {
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^(0|[1-9][0-9]{0,40})$/),
        fc.stringMatching(/^(\.[0-9]{1,40})?$/),
        fc.stringMatching(/^([eE][+-]?[0-9]{1,4})?$/),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const text = `[${numbers.join(',')}]`;
        expect(writeJson(parseJson(text))).toBe(text);
      }),
    );
  });
});

describe('a JSON document', () => {
  it('is parsed to the same value as by JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, 3), (text, space) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space);
        expect(plain(parseJson(spaced))).toEqual(JSON.parse(spaced));
      }),
    );
  });

  it('is written in the same form as by JSON.stringify', () => {
    const value = fc.jsonValue({ depthSize: 'medium' });
    fc.assert(
      fc.property(value, (document) => {
        expect(writeJson(document)).toBe(JSON.stringify(document));
      }),
    );
  });

  it('is accepted or rejected as by JSON.parse, except for duplicate keys', () => {
    const piece = fc.constantFrom(
      ...words('{ } [ ] , : " \\ \\u00 \\uD800 "a" "b": true false null nul 0 1 - . e + /'),
      ...[' ', '\n', '\u00a0', '\ufeff', '\u0000', '\t"'],
    );
    const garbage = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(garbage, fc.string(), mutated()), (text) => {
        const expected = outcome(() => JSON.parse(text));
        const actual = outcome(() => plain(parseJson(text)));
        if (actual === 'refused' && expected !== 'refused') expect(text).toMatch(/"([^"]*)".*"\1"/s);
        else expect(actual).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('omits undefined properties, and throws TypeError for undefined itself', () => {
    expect(writeJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(() => writeJson(undefined)).toThrow(new TypeError('This value cannot be written as JSON.'));
  });

  it('can be indented', () => {
    expect(writeJson({ a: [new JsonNumber('1.0')] }, 2)).toBe('{\n  "a": [\n    1.0\n  ]\n}');
  });
});

/** Valid JSON with one character changed, put in or taken out. */
function mutated(): fc.Arbitrary<string> {
  return fc.tuple(fc.json(), fc.nat(), fc.nat(2), fc.string({ maxLength: 1 })).map(([text, at, cut, put]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + cut);
  });
}

describe('a hostile JSON document', () => {
  it('may repeat a key with the same value, but not with another one', () => {
    expect(plain(parseJson('{"a":1,"a":1}'))).toEqual({ a: 1 });
    expect(plain(parseJson('{"a":{"b":[1,2]},"a":{"b":[1,2]}}'))).toEqual({ a: { b: [1, 2] } });
    for (const text of words(
      '{"a":1,"a":2} {"a":1,"a":1.0} {"a":1,"a":"1"} {"a":[],"a":[1]} {"a":null,"a":0}',
    ))
      expect([text, outcome(() => parseJson(text))]).toEqual([text, 'refused']);
    expect(outcome(() => parseJson('{"amount":1,"\\u0061mount":2}'))).toBe('refused');
  });

  it('has __proto__ and constructor as own keys, without changing a prototype', () => {
    const value = parseJson('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}');
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(writeJson(value)).toBe('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}');
  });

  it(`is rejected beyond ${MAX_JSON_DEPTH} levels`, () => {
    const nested = (open: string, close: string, levels: number) =>
      open.repeat(levels) + close.repeat(levels);
    expect(outcome(() => parseJson(nested('[', ']', MAX_JSON_DEPTH)))).not.toBe('refused');
    for (const levels of [MAX_JSON_DEPTH + 1, 10_000, 1_000_000]) {
      expect(outcome(() => parseJson(nested('[', ']', levels)))).toBe('refused');
      expect(outcome(() => parseJson(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`))).toBe('refused');
      expect(outcome(() => parseJson('['.repeat(levels)))).toBe('refused');
    }
  });

  it('may contain any number of brackets side by side or in strings', () => {
    expect(plain(parseJson(`[${Array(5000).fill('[]').join(',')}]`))).toHaveLength(5000);
    expect(plain(parseJson(`["${'['.repeat(5000)}","\\"${'{'.repeat(5000)}"]`))).toHaveLength(2);
  });

  it('keeps lone surrogates and writes them as escapes', () => {
    expect(parseJson('"\\ud800"')).toBe('\ud800');
    expect(parseJson('"\ud800"')).toBe('\ud800');
    expect(writeJson('\udfff')).toBe('"\\udfff"');
  });

  it.each([
    ...words(`{ {"a" {"a": {"a":1 {"a":1,} [1,] "a "\\ "\\u12 "\\x41" {'a':1} {a:1} undefined <html></html>`),
    ...['', ' ', '// no\n1', '1 2', '"\n"', '\ufeff{}'],
  ])('is rejected with a SyntaxError: %j', (text) => expect(outcome(() => parseJson(text))).toBe('refused'));
});
