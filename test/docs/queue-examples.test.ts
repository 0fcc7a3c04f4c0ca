import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freshPostgres } from '../core/database/postgres/fresh.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { PROGRAM } from '../helpers/program.ts';
import { runHere } from '../helpers/run-here.ts';

const TESTS = join(import.meta.dirname, '..');
const EXAMPLES = join(TESTS, '..', 'docs', 'examples');
const REQUEST = ['BTC', 'ETH', '0.1', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'];

/** An example with its own database and a home that has the packages it imports. */
async function example(file: string) {
  const home = await temporaryFolder();
  await copyFile(join(EXAMPLES, file), join(home, file));
  await symlink(join(TESTS, 'node_modules'), join(home, 'node_modules'));
  const env = {
    ...{ PATH: process.env['PATH'], HOME: home, DATABASE_URL: await freshPostgres() },
    ...{ SWAPCTL: JSON.stringify([process.execPath, PROGRAM]), SWAPCTL_PROFILE: 'sandbox' },
    ...{ EXPIRE_SECONDS: '1', PAUSE_MS: '100', DBOS__APPVERSION: 'test' },
  };
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    [process.execPath, [join(home, file), ...args], { env: { ...env, ...more } }] as const;
  const json = async (...args: readonly string[]) =>
    JSON.parse((await runHere([...args, '--json'], { home })).stdout);
  return {
    json,
    run: (...args: Parameters<typeof start>) => promisify(execFile)(...start(...args)),
    spawn: (...args: Parameters<typeof start>) => spawn(...start(...args)),
    crashed: (...args: Parameters<typeof start>) =>
      promisify(execFile)(...start(...args)).then(
        () => null,
        ({ code }: { code: number }) => code,
      ),
  };
}

it('the pg-boss example finds its order after a worker was killed during the create', async () => {
  const { json, run, crashed, spawn: begin } = await example('pg-boss.mjs');
  await run(['add', 'invoice-1', ...REQUEST]);
  expect(await crashed(['work'], { CRASH: 'after-create' })).toBe(1);
  const [made, ...others] = await json('sandbox', 'orders');
  expect(others).toEqual([]);
  await pause(1100);
  const worker = begin(['work']);
  const [line] = (await once(worker.stdout, 'data')) as [Buffer];
  expect(line.toString()).toBe(`invoice-1 ${made.order} found\n`);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  expect(await json('sandbox', 'orders')).toHaveLength(1);
}, 120_000);

it('the DBOS example continues with the existing order after it was killed during the create', async () => {
  const { json, run, crashed } = await example('dbos.mjs');
  expect(await crashed(['start', 'invoice-2', ...REQUEST], { CRASH: 'after-create' })).toBe(1);
  const [{ order }] = await json('sandbox', 'orders');
  await json('sandbox', 'trigger', 'success', '--order', order);
  const { stdout } = await run(['resume', 'invoice-2']);
  expect(stdout).toContain(`invoice-2 ${order} success\n`);
  expect(await json('sandbox', 'orders')).toHaveLength(1);
}, 120_000);
