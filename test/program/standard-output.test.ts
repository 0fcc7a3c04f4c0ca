import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../helpers/program.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'swapctl-output-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs the built program in a shell. */
const program = (line: string, shell: string) => runProgram(line.split(' '), { home, shell });

describe.concurrent('standard output', () => {
  it.for(['-V', '--help', 'coins', 'coins --json', 'help statuses'])(
    'that is full ends `swapctl %s` with 1',
    async (line) => {
      const run = await program(line, '"$0" "$@" > /dev/full');
      expect(run.code).toBe(1);
      expect(run.stderr).toMatch(/could not be written to standard output \(ENOSPC\)/);
      if (line.includes('--json'))
        expect(run.error()).toMatchObject({ code: 'write_failed', outcome: 'done' });
    },
  );

  it.for(['-V', '--help', 'coins', 'coins --json', 'quote BTC ETH 1 -w -i 0.1'])(
    'that nobody reads ends `swapctl %s` quietly',
    async (line) => {
      const run = await program(line, 'set -o pipefail; "$0" "$@" | true');
      expect([run.code, run.stderr]).toEqual([0, '']);
    },
  );

  it('is cut short by head without a word', async () => {
    const run = await program('coins', 'set -o pipefail; "$0" "$@" | head -1');
    expect([run.code, run.stdout, run.stderr]).toEqual([0, 'BTC\tBitcoin\tBTC\tBTC\n', '']);
  });

  it.for(['2>&-', '2> /dev/full'])('and the exit code stay right with stderr at %s', async (redirection) => {
    expect((await program('nope', `"$0" "$@" ${redirection}`)).code).toBe(2);
    expect((await program('coins usdd', `"$0" "$@" ${redirection}`)).code).toBe(0);
  });
});
