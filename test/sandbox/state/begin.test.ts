import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { openOperator } from '../../../src/sandbox/operator/operator.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { type RanHere, runHere } from '../../helpers/run-here.ts';
import { freshFile } from '../sandbox.ts';
import { startHere } from '../start-here.ts';

const run = (home: string, ...args: string[]): Promise<RanHere> => runHere([...args, '--json'], { home });

it('the database of the built-in service is rejected if truncated to zero bytes', async () => {
  const home = await temporaryFolder();
  expect((await run(home, 'quote', 'BTC', 'ETH', '0.1')).error).toBeNull();
  const file = `${home}/.local/state/swapctl/sandbox.db`;
  truncateSync(file, 0);
  for (const args of [
    ['quote', 'BTC', 'ETH', '0.1'],
    ['sandbox', 'orders'],
    ['sandbox', 'reset'],
    ['sandbox', 'start', '--port', '0'],
  ])
    expect((await run(home, ...args)).error).toMatchObject({
      exitCode: 11,
      message: `The database ${file} is damaged: it is empty.`,
    });
  expect(statSync(file).size).toBe(0);
});

it('an empty file is accepted by sandbox start --database, and rejected by operators and as a ledger', async () => {
  const [home, file] = [await temporaryFolder(), freshFile()];
  writeFileSync(file, '', { mode: 0o600 });
  await expect(openLedger(file)).rejects.toMatchObject({ code: 'storage_failed' });
  await expect(openOperator({ database: file })).rejects.toMatchObject({ code: 'storage_failed' });
  expect(statSync(file).size).toBe(0);
  const started = await startHere(home, '--database', file);
  expect((await run(home, 'sandbox', 'info', '--database', file)).stdout).toContain('"orders":0');
  expect((await started.stop()).error).toBeNull();
});
