import { expect, test } from 'vitest';
import { isOn, terminalWidth, useColour } from '../../../src/cli/terminal/environment.ts';

test.each([
  ['is used on a terminal', 'auto', {}, true, true],
  ['is not used in a pipe', 'auto', {}, false, false],
  ['is used on a terminal without --color', undefined, {}, true, true],
  ['is disabled by NO_COLOR', 'auto', { NO_COLOR: '1' }, true, false],
  ['is disabled by NO_COLOR=0', 'auto', { NO_COLOR: '0' }, true, false],
  ['is not affected by an empty NO_COLOR', 'auto', { NO_COLOR: '' }, true, true],
  ['is off with NO_COLOR and FORCE_COLOR', 'auto', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ['is used in a pipe with FORCE_COLOR', 'auto', { FORCE_COLOR: '1' }, false, true],
  ['is used in a pipe with an empty FORCE_COLOR', 'auto', { FORCE_COLOR: '' }, false, true],
  ['is disabled by FORCE_COLOR=0', 'auto', { FORCE_COLOR: '0' }, true, false],
  ['is disabled by FORCE_COLOR=false', 'auto', { FORCE_COLOR: 'false' }, true, false],
  ['is used in a pipe with CLICOLOR_FORCE', 'auto', { CLICOLOR_FORCE: '1' }, false, true],
  ['is not affected by CLICOLOR_FORCE=0', 'auto', { CLICOLOR_FORCE: '0' }, false, false],
  ['is not used on a dumb terminal', 'auto', { TERM: 'dumb' }, true, false],
  ['is used on a dumb terminal with FORCE_COLOR', 'auto', { TERM: 'dumb', FORCE_COLOR: '1' }, true, true],
  ['is used in a pipe with --color always', 'always', { NO_COLOR: '1' }, false, true],
  ['is disabled by --color never', 'never', { FORCE_COLOR: '1' }, true, false],
] as const)('color %s', (_, flag, env, terminal, wanted) => {
  expect(useColour(flag, env, terminal)).toBe(wanted);
});

test.each([
  ['is COLUMNS instead of the terminal width', '132', 80, 132],
  ['is the terminal width without COLUMNS', undefined, 60, 60],
  ['is 80 if unknown', undefined, undefined, 80],
  ['ignores a COLUMNS that is not a number', 'wide', 60, 60],
  ['ignores COLUMNS=0', '0', 60, 60],
  ['ignores a negative COLUMNS', '-5', 60, 60],
  ['ignores an empty COLUMNS', '', 60, 60],
  ['is 80 if the terminal reports 0', undefined, 0, 80],
])('the width of output %s', (_, columns, actual, wanted) => {
  expect(terminalWidth(columns, actual)).toBe(wanted);
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
])('an environment variable set to %s is on: %s', (value, wanted) => {
  expect(isOn(value)).toBe(wanted);
});
