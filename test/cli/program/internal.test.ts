import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folderOfFile } from '../../helpers/home.ts';
import { PROGRAM, runProgram } from '../../helpers/program.ts';

const ROOT = dirname(dirname(PROGRAM));

const home = await folderOfFile();
const spoilt = join(home, 'program');

/** A copy of the built program in which one chunk does what no one foresaw. */
beforeAll(() => {
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(ROOT, part), join(spoilt, part), { recursive: true });
  }
  const chunks = join(spoilt, 'dist', 'chunks');
  const [chunk = ''] = readdirSync(chunks).filter((name) => /^quote-/.test(name));
  writeFileSync(join(chunks, chunk), "throw new RangeError('spoilt \\u001b[2J chunk');\n");
});

const swapctl = (line: string) =>
  runProgram(line.split(' '), { home, shell: `exec "$0" '${join(spoilt, 'bin', 'swapctl.js')}' "\${@:2}"` });

describe.concurrent('an internal error', () => {
  it('has code internal and exit code 1 and leaves standard output empty', async () => {
    const run = await swapctl('quote BTC ETH 0.1 --json');
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.error()).toMatchObject({
      code: 'internal',
      message: 'Something went wrong inside swapctl: RangeError: spoilt <U+001B>[2J chunk',
      hint: expect.stringContaining('--debug'),
      outcome: 'unknown',
      exitCode: 1,
    });
  });

  it('is reported without a stack unless --debug is set', async () => {
    const [plain, debugged] = await Promise.all([
      swapctl('quote BTC ETH 0.1'),
      swapctl('quote BTC ETH 0.1 --debug'),
    ]);
    expect([plain.code, plain.stdout, debugged.code, debugged.stdout]).toEqual([1, '', 1, '']);
    expect(plain.stderr).toMatch(/^error: Something went wrong inside swapctl: RangeError/);
    expect(plain.stderr).not.toMatch(/^ {4}at /m);
    expect(debugged.stderr).toMatch(/^ {4}at /m);
  });

  it.each([{ line: 'quote BTC ETH 0.1 --debug' }, { line: 'quote BTC ETH 0.1', SWAPCTL_DEBUG: '1' }])(
    "has a stack with the source's functions, files and lines: $line",
    async ({ line, ...env }) => {
      const planted = join(home, 'planted.cjs');
      writeFileSync(planted, "Date.prototype.toISOString = () => { throw new RangeError('planted'); };");
      const NODE_OPTIONS = `--require ${planted}`;
      const { stderr } = await runProgram(line.split(' '), { home, env: { ...env, NODE_OPTIONS } });
      expect(stderr).toMatch(
        /^ {4}at async runQuote \(\S+\/src\/cli\/commands\/quote\/quote\.ts:\d+:\d+\)$/m,
      );
      const places = [...stderr.matchAll(/\((\S+\/src\/\S+\.ts):(\d+):\d+\)$/gm)];
      const [thrower, caller] = places.map(([, file = '', number]) => {
        return readFileSync(file, 'utf8').split('\n')[Number(number) - 1];
      });
      expect(thrower).toContain('.toISOString()');
      expect(caller).toContain('rfc3339(');
    },
  );
});
