import { describe, expect, it } from 'vitest';
import { checkLabel, labelCells, labelsText, sameLabels } from '../../../src/core/swap/labels.ts';

const BAD_KEY = 'its key is not 1 to 64 letters, digits, dots, hyphens and underscores';

describe('a label', () => {
  it.each([
    ['team=ops', 'team', 'ops'],
    ['a.b_c-9=', 'a.b_c-9', ''],
    ['note=a=b, c', 'note', 'a=b, c'],
    ['note=für Zoë 💶', 'note', 'für Zoë 💶'],
    [`${'k'.repeat(64)}=${'💶'.repeat(256)}`, 'k'.repeat(64), '💶'.repeat(256)],
    ['__proto__=x', '__proto__', 'x'],
  ])('$0 is split into a key and a value', (text, key, value) => {
    expect(checkLabel(text)).toEqual({ ok: true, key, value });
  });

  it.each([
    ['team', 'it is not key=value'],
    ['=ops', BAD_KEY],
    ['a b=ops', BAD_KEY],
    ['té=ops', BAD_KEY],
    [`${'k'.repeat(65)}=x`, BAD_KEY],
    [`a=${'x'.repeat(257)}`, 'its value is longer than 256 characters'],
    ['a=x\ny', 'its value contains an unprintable character'],
    ['a=x\u202ey', 'its value contains an unprintable character'],
    ['a=\u001b[31m', 'its value contains an unprintable character'],
  ])('$0 is rejected: $1', (text, reason) => expect(checkLabel(text)).toEqual({ ok: false, reason }));

  it('is printed with others as comma-separated key=value pairs', () => {
    expect(labelsText({ team: 'ops', invoice: '17' })).toBe('team=ops, invoice=17');
    expect(labelsText({})).toBe('');
    expect(labelCells({ team: 'ops' }, ['invoice', 'team', 'constructor'])).toEqual(['', 'ops', '']);
  });
});

it.each([
  ['in another order', { a: '1', b: '2' }, { b: '2', a: '1' }, true],
  ['with composed letters', { team: 'Zo\u00eb' }, { team: 'Zoe\u0308' }, true],
  ['with blanks around a value', { a: ' 1 ' }, { a: '1' }, true],
  ['with one that has no value', { a: '1', b: '' }, { a: '1' }, true],
  ['with another value', { a: '1' }, { a: '2' }, false],
  ['with another key', { a: '1' }, { b: '1' }, false],
  ['with one more', { a: '1' }, { a: '1', b: '2' }, false],
  ['in another letter case', { a: 'x' }, { a: 'X' }, false],
])('labels %s are equal: %j %j %s', (_, a, b, same) => {
  expect(sameLabels(a, b)).toBe(same);
  expect(sameLabels(b, a)).toBe(same);
});
