import { describe, expect, test } from 'vitest';
import { isOn, terminalWidth, useColour } from '../../../src/cli/terminal/environment.ts';

describe('colour', () => {
  test.each([
    ['a terminal has it', 'auto', {}, true, true],
    ['a pipe has none', 'auto', {}, false, false],
    ['without the flag the rules are the same', undefined, {}, true, true],
    ['NO_COLOR takes it away', 'auto', { NO_COLOR: '1' }, true, false],
    ['NO_COLOR takes it away whatever it says', 'auto', { NO_COLOR: '0' }, true, false],
    ['an empty NO_COLOR says nothing', 'auto', { NO_COLOR: '' }, true, true],
    ['NO_COLOR beats FORCE_COLOR', 'auto', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    ['FORCE_COLOR gives it to a pipe', 'auto', { FORCE_COLOR: '1' }, false, true],
    ['an empty FORCE_COLOR does too', 'auto', { FORCE_COLOR: '' }, false, true],
    ['FORCE_COLOR=0 takes it away', 'auto', { FORCE_COLOR: '0' }, true, false],
    ['FORCE_COLOR=false takes it away', 'auto', { FORCE_COLOR: 'false' }, true, false],
    ['CLICOLOR_FORCE gives it to a pipe', 'auto', { CLICOLOR_FORCE: '1' }, false, true],
    ['CLICOLOR_FORCE=0 says nothing', 'auto', { CLICOLOR_FORCE: '0' }, false, false],
    ['a dumb terminal has none', 'auto', { TERM: 'dumb' }, true, false],
    ['FORCE_COLOR beats a dumb terminal', 'auto', { TERM: 'dumb', FORCE_COLOR: '1' }, true, true],
    ['--color always beats NO_COLOR and a pipe', 'always', { NO_COLOR: '1' }, false, true],
    ['--color never beats FORCE_COLOR', 'never', { FORCE_COLOR: '1' }, true, false],
  ] as const)('%s', (_, flag, env, terminal, wanted) => {
    expect(useColour(flag, env, terminal)).toBe(wanted);
  });
});

describe('width', () => {
  test.each([
    ['COLUMNS beats the terminal', '132', 80, 132],
    ['the terminal is asked otherwise', undefined, 60, 60],
    ['80 where nobody knows', undefined, undefined, 80],
    ['a COLUMNS that is no number is passed over', 'wide', 60, 60],
    ['a COLUMNS of zero is passed over', '0', 60, 60],
    ['a COLUMNS below zero is passed over', '-5', 60, 60],
    ['an empty COLUMNS is passed over', '', 60, 60],
    ['a terminal of no width counts as unknown', undefined, 0, 80],
  ])('%s', (_, columns, actual, wanted) => {
    expect(terminalWidth(columns, actual)).toBe(wanted);
  });
});

test.each([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['0', false],
  ['false', false],
  ['FALSE', false],
  ['', false],
  [undefined, false],
])('a variable set to %s counts as %s', (value, wanted) => {
  expect(isOn(value)).toBe(wanted);
});
