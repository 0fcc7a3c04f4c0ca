import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOfFile, temporaryFolder } from '../../helpers/home.ts';
import { PROGRAM, runProgram } from '../../helpers/program.ts';
import { BTC_TO_ETH } from '../../helpers/swap-service.ts';

const home = await folderOfFile();

/** Runs the built program in a shell. */
const program = (line: string, shell: string) => runProgram(line.split(' '), { home, shell });

describe.concurrent('standard output', () => {
  it.for(['-V', '--help', 'coins', 'coins --json', 'help statuses'])(
    'on a full disk makes `swapctl %s` exit with 1',
    async (line) => {
      const run = await program(line, '"$0" "$@" > /dev/full');
      expect(run.code).toBe(1);
      expect(run.stderr).toMatch(/could not be written to standard output \(ENOSPC\)/);
      if (line.includes('--json'))
        expect(run.error()).toMatchObject({ code: 'write_failed', outcome: 'done' });
    },
  );

  it.for(['-V', '--help', 'coins', 'coins --json', 'quote BTC ETH 1 -w -i 0.1'])(
    'closed by the reader makes `swapctl %s` exit with 0 without a message',
    async (line) => {
      const run = await program(line, 'set -o pipefail; "$0" "$@" | true');
      expect([run.code, run.stderr]).toEqual([0, '']);
    },
  );

  describe('closed by the shell', () => {
    const closed = 'error: Standard output is closed, so nothing was done.\n';

    it.for(['coins', 'quote BTC ETH 0.1', 'history', 'create', 'status', 'help statuses', '--help', '-V'])(
      'makes `swapctl %s` exit with 1',
      async (line) => {
        const run = await program(line, '"$0" "$@" >&-');
        expect([run.code, run.stderr.startsWith(closed)]).toEqual([1, true]);
      },
    );

    it('is detected in bash and sh, and create sends nothing', async () => {
      const create = '"$0" "$@" create BTC ETH 0.1 -a 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --yes';
      const line = `${create} >&-; test $? = 1 && sh -c '${create} >&-; test $? = 1' "$0" "$@"`;
      const run = await runProgram([], { home, shell: line });
      expect([run.code, run.stderr.split(closed).length]).toEqual([0, 3]);
      expect((await runProgram(['history', '--json'], { home })).json()).toEqual([]);
    });

    it('is distinguished from /dev/null', async () => {
      const discarding = [
        '"$0" "$@" > /dev/null',
        '"$0" "$@" <> /dev/null >&0; exec 1<> /dev/null; "$0" "$@"',
      ];
      for (const shell of discarding) expect((await program('coins', shell)).code).toBe(0);
      const spawned = spawnSync(process.execPath, [PROGRAM, 'coins'], {
        env: { HOME: home },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      expect(spawned.status).toBe(0);
    });
  });

  it('cut off by head ends without a message', async () => {
    const run = await program('coins', 'set -o pipefail; "$0" "$@" | head -1');
    expect([run.code, run.stdout, run.stderr]).toEqual([0, 'BTC\tBitcoin\tBTC\tBTC\t\n', '']);
  });

  it.for(['2>&-', '2> /dev/full'])('is unaffected by the stderr redirection %s', async (redirection) => {
    expect((await program('nope', `"$0" "$@" ${redirection}`)).code).toBe(2);
    expect((await program('coins usdd', `"$0" "$@" ${redirection}`)).code).toBe(0);
  });
});

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

it('batch fails if its output is closed, and completes with the same file later', async () => {
  const home = await temporaryFolder();
  const rows = Array.from({ length: 12 }, (_, index) => `BTC,ETH,0.0${index + 10},${ETH}`);
  writeFileSync(join(home, 'rows.csv'), ['from,to,amount,address', ...rows, ''].join('\n'));
  const batch = ['batch', join(home, 'rows.csv'), '--yes', '--quiet', '--json', '--budget', '600/60s'];
  const shell = `{ "$0" "$@" -o '${join(home, 'out.jsonl')}'; echo "ended with $?" >&2; } | head -1`;
  const lost = await runProgram(batch, { home, shell });
  expect(lost.stderr).toMatch(/ended with 1\n$/);
  expect(lost.stderr).toMatch(/"message":"Stopped after \d+ of 12 rows .*Standard output was closed\./);
  const again = await runProgram(batch, { home });
  expect([again.code, again.stdout.match(/"outcome":"(?:created|existing)"/g)?.length]).toEqual([0, 12]);
  const orders = await runProgram(['sandbox', 'orders', '--json'], { home });
  expect(orders.json<unknown[]>()).toHaveLength(12);
});

it('api prints the response of a create on standard error if stdout fails, and exits with 7', async () => {
  const home = await temporaryFolder();
  const args = ['api', 'create-transaction', '--input', '-', '--yes'];
  const run = await runProgram(args, {
    home,
    input: JSON.stringify(BTC_TO_ETH),
    shell: '"$0" "$@" > /dev/full',
  });
  expect(run.code).toBe(7);
  expect(run.stderr).toMatch(/The service responded: .*"orderNumber":"[A-Z]{6}"/);
});
