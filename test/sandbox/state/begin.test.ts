import { existsSync, readdirSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { openOperator } from '../../../src/sandbox/operator/operator.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { type RanHere, runHere } from '../../helpers/run-here.ts';
import { freshFile } from '../sandbox.ts';
import { type Started, startHere } from '../start-here.ts';

const MOVE_AWAY = 'swapctl never overwrites it; move it away to start with a new one.';

/** A home folder in which the built-in service has been used. */
async function usedHome(): Promise<{ home: string; sandboxFile: string }> {
  const home = await temporaryFolder();
  expect((await runHere(['quote', 'BTC', 'ETH', '0.1'], { home })).error).toBeNull();
  return { home, sandboxFile: `${home}/.local/state/swapctl/sandbox.db` };
}

const run = (home: string, ...args: string[]): Promise<RanHere> => runHere([...args, '--json'], { home });

it('the database of the built-in service is rejected if truncated to zero bytes, and created again once it is moved away', async () => {
  const { home, sandboxFile } = await usedHome();
  truncateSync(sandboxFile, 0);
  for (const args of [
    ['quote', 'BTC', 'ETH', '0.1'],
    ['sandbox', 'orders'],
    ['sandbox', 'reset'],
    ['sandbox', 'start', '--port', '0'],
  ]) {
    const { error } = await run(home, ...args);
    expect(error).toMatchObject({
      exitCode: 11,
      message: `The database ${sandboxFile} is damaged: it is empty.`,
      hint: MOVE_AWAY,
    });
  }
  expect(statSync(sandboxFile).size).toBe(0);
  renameSync(sandboxFile, `${sandboxFile}.torn`);
  expect((await run(home, 'quote', 'BTC', 'ETH', '0.1')).error).toBeNull();
  expect(readdirSync(`${home}/.local/state/swapctl`).filter((name) => name.includes('.new-'))).toEqual([]);
});

describe('an empty file as a sandbox database', () => {
  const emptyFile = (): string => {
    const file = freshFile();
    writeFileSync(file, '', { mode: 0o600 });
    return file;
  };

  it('is accepted by sandbox start --database', async () => {
    const [home, database] = [await temporaryFolder(), emptyFile()];
    const started: Started = await startHere(home, '--database', database);
    expect((await run(home, 'sandbox', 'info', '--database', database)).stdout).toContain('"orders":0');
    expect((await started.stop()).error).toBeNull();
    expect(statSync(database).mode & 0o777).toBe(0o600);
  });

  it('is rejected by operators, and as a ledger', async () => {
    const file = emptyFile();
    await expect(openLedger(file)).rejects.toMatchObject({ code: 'storage_failed', hint: MOVE_AWAY });
    await expect(openOperator({ database: file })).rejects.toMatchObject({ code: 'storage_failed' });
    expect(statSync(file).size).toBe(0);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});
