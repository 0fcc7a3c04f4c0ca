import { beforeAll, describe, expect, it } from 'vitest';
import { visible } from '../../../src/base/text.ts';
import { asciiOf } from '../../../src/cli/terminal/encode.ts';
import { isAsciiLocale } from '../../../src/cli/terminal/environment.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';

const CREATE = 'create BTC ETH 0.1 --address 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --yes';
/** What a person sees: a swap with its QR code, a quote, tables, sums with bars, an error. */
const LINES = [CREATE, 'quote BTC ETH 0.1', 'coins -L 5', 'history', 'report --sandbox', 'quote BTC NIX 1'];
/** Characters that draw: blocks, lines and the like. */
const DRAWING = /[\u2500-\u259f\u2800-\u28ff]/;

const screens = new Map<string, string>();

/** Everything that the lines print at a terminal whose environment has one more variable. */
async function screensWith(name: string, value: string): Promise<string> {
  const home = await temporaryFolder();
  let all = '';
  for (const line of LINES) {
    const env = { [name]: value, TERM: 'xterm-256color' };
    const run = await runHere(line.split(' '), { home, env, terminals: AT_TERMINAL, columns: 120 });
    all += run.stdout + run.stderr + (run.error?.message ?? '');
  }
  return all;
}

beforeAll(async () => {
  for (const [name, value] of [
    ['LANG', 'C.UTF-8'],
    ['ACCESSIBLE', '1'],
    ['LC_ALL', 'C'],
  ] as const)
    screens.set(name, await screensWith(name, value));
});

describe('output on a terminal', () => {
  it('has no block characters or cursor movement with ACCESSIBLE=1', () => {
    expect(screens.get('LANG')).toMatch(DRAWING);
    expect(screens.get('ACCESSIBLE')).toContain('Send exactly');
    expect(screens.get('ACCESSIBLE')).not.toMatch(DRAWING);
    expect(screens.get('ACCESSIBLE')).not.toMatch(/\u001b\[[0-9;]*[A-HJKfhl]/);
  });

  it('is plain ASCII in the C locale', () => {
    expect(screens.get('LC_ALL')).toContain('profile sandbox - sandbox - built-in service');
    expect(screens.get('LC_ALL')).toMatch(/^[\n\x20-\x7e\u001b]*$/);
  });
});

describe('ASCII output', () => {
  it('escapes non-ASCII characters instead of replacing them with similar ones', () => {
    expect(asciiOf(visible('a·b → “é” 中…'))).toBe('a-b -> "<U+00E9>" <U+4E2D>...');
  });

  it.each([
    [{ LC_ALL: 'C' }, true],
    [{ LC_ALL: 'POSIX', LANG: 'de_DE.UTF-8' }, true],
    [{ LC_ALL: '', LC_CTYPE: 'C', LANG: 'C.UTF-8' }, true],
    [{ LANG: 'C' }, true],
    [{ LC_ALL: 'C.UTF-8', LANG: 'C' }, false],
    [{ LANG: 'en_US.UTF-8' }, false],
    [{}, false],
  ])('is used with the locale %j: %s', (env, expected) => {
    expect(isAsciiLocale(env)).toBe(expected);
  });
});
