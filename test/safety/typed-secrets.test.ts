import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/base/errors.ts';
import type { CommandData } from '../../src/cli/operations/command-line.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runMain } from '../helpers/run-main.ts';

/** Half as long, it would have the form of a transaction id, which identifies a swap and is no secret. */
const SECRET = '4f1c9ab0'.repeat(16);
const HUGE = 'Long-Text '.repeat(12_000);

/** No error needs more, in characters. */
const MAX_PRINTED = 6000;

/** What each argument is while another one is tried; all others are `x`. */
const USUAL: Readonly<Record<string, string>> = {
  ...{ from: 'BTC', to: 'ETH', amount: '1', coin: 'BTC', network: 'ETH', order: 'ABCDEF' },
  ...{ shell: 'bash', key: 'qr', value: 'on' },
};
const usualWord = ({ name }: { readonly name: string }) => USUAL[name] ?? 'x';

/** Options, and commands with an argument, that name a file to write; a relative one would be left in this folder. */
const WRITTEN = ['--output', '--database', 'policy audit export'];

/** Each command line with a value in place of each argument, and behind each option, with or without one of its own. */
function linesOf({ path, arguments: places, options }: CommandData, value: string, home: string): string[][] {
  const words = path.split(' ');
  const usual = places.filter(({ required }) => required).map(usualWord);
  const ofOption = ({ long }: { readonly long: string }) =>
    WRITTEN.includes(long) ? join(home, value) : value;
  return [
    ...places.map((_, at) => [
      ...words,
      ...places.slice(0, at).map(usualWord),
      WRITTEN.includes(path) ? join(home, 'exports', value) : value,
    ]),
    ...options
      .filter(({ value: taken }, at) => taken !== null || at === 0)
      .map((option) => [...words, ...usual, `${option.long}=${ofOption(option)}`]),
    [...words, ...usual, `--unknown=${value}`],
  ];
}

/** A command to copy, with the path of the database that `sandbox start` has just made. */
const KEY_LINE = /^public key \S+; to see its secret: swapctl sandbox partner list .*\n/m;

describe('a secret, or 120 kB of text, in any place of a command line', () => {
  it.each([
    ['a secret', SECRET],
    ['a huge text', HUGE],
  ])('is not repeated by any error, which stays short: %s', async (_what, value) => {
    const home = await temporaryFolder();
    mkdirSync(join(home, 'exports'));
    const env = {
      ...{ SWAPCTL_BASE_URL: 'http://127.0.0.1:9', SWAPCTL_PUBLIC_KEY: 'pk', SWAPCTL_SECRET: 'the-secret' },
      SWAPCTL_SANDBOX_ROUGH: '',
    };
    const listed = await runMain(['help', '--json'], { home });
    const commands = listed.json<{ commands: CommandData[] }>().commands.filter(({ runnable }) => runnable);
    const lines = commands.flatMap((command) => linesOf(command, value, home));
    expect(lines.length).toBeGreaterThan(200);
    const bad: string[] = [];
    for (const line of [...lines, [value], ['-p', value, 'status'], ['sandbox', value]]) {
      const abort = new AbortController();
      // Some lines are good, and begin to serve or to wait.
      const timer = setTimeout(() => abort.abort(new InterruptedError('SIGTERM')), 60);
      const run = await runMain([...line, '--no-input', '--json'], { home, env, signal: abort.signal });
      clearTimeout(timer);
      // The result of a line that is good has the names that it was given.
      const printed = (run.code === 0 ? '' : run.stdout) + run.stderr.replace(KEY_LINE, '');
      if (printed.includes(SECRET) || printed.length > MAX_PRINTED)
        bad.push(`${line.map((word) => word.replace(value, 'VALUE')).join(' ')}: ${printed.slice(0, 200)}`);
    }
    expect(bad).toEqual([]);
  });
});
