import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { InterruptedError } from '../../src/base/errors.ts';
import type { CommandData } from '../../src/cli/operations/command-line.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { profileEnv } from '../helpers/raw-server.ts';
import { runMain } from '../helpers/run-main.ts';

/** Twice as long as a transaction id, which is not secret. */
const SECRET = '4f1c9ab0'.repeat(16);
const HUGE = 'Long-Text '.repeat(12_000);

/** Maximum length of an error, in characters. */
const MAX_PRINTED = 6000;

/** The value of each argument that is not the tested one, by name; `x` for any other name. */
const USUAL: Readonly<Record<string, string>> = {
  from: 'BTC',
  to: 'ETH',
  amount: '1',
  coin: 'BTC',
  network: 'ETH',
  order: 'ABCDEF',
  shell: 'bash',
  key: 'qr',
  value: 'on',
};
const usualWord = ({ name }: { readonly name: string }) => USUAL[name] ?? 'x';

/** Options and commands that write a file, which must not be left in this folder. */
const WRITTEN = ['--output', '--database', 'policy audit export'];

/** The command lines of one command with the value as each argument and as the value of each option. */
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

/** The line of `sandbox start` with a command that contains the path of its new database. */
const KEY_LINE = /^public key \S+; to see its secret: swapctl sandbox partner list .*\n/m;

it.each([
  ['a secret', SECRET],
  ['120 kB of text', HUGE],
])('an error about any argument or option is short and repeats no secret: %s', async (_what, value) => {
  const home = await temporaryFolder();
  mkdirSync(join(home, 'exports'));
  const env = { ...profileEnv('http://127.0.0.1:9'), SWAPCTL_SANDBOX_ROUGH: '' };
  const listed = await runMain(['help', '--json'], { home });
  const commands = listed.json<{ commands: CommandData[] }>().commands.filter(({ runnable }) => runnable);
  const lines = commands.flatMap((command) => linesOf(command, value, home));
  expect(lines.length).toBeGreaterThan(200);
  const bad: string[] = [];
  for (const line of [...lines, [value], ['-p', value, 'status'], ['sandbox', value]]) {
    const abort = new AbortController();
    // Some of these commands are valid, and serve or wait.
    const timer = setTimeout(() => abort.abort(new InterruptedError('SIGTERM')), 60);
    const run = await runMain([...line, '--no-input', '--json'], { home, env, signal: abort.signal });
    clearTimeout(timer);
    // The result of a valid command contains the names that it was given.
    const printed = (run.code === 0 ? '' : run.stdout) + run.stderr.replace(KEY_LINE, '');
    if (printed.includes(SECRET) || printed.length > MAX_PRINTED)
      bad.push(`${line.map((word) => word.replace(value, 'VALUE')).join(' ')}: ${printed.slice(0, 200)}`);
  }
  expect(bad).toEqual([]);
});
