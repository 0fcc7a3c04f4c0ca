import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runProgram } from '../../helpers/program.ts';
import { BTC_TO_ETH } from '../../helpers/swap-service.ts';

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
