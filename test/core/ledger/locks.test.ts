import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { BOTH_LOCKS, HAS_SQLITE3, locksOf, sqlite3, TELLS_LOCKS } from '../../helpers/locks.ts';
import { type RanHere, runHere } from '../../helpers/run-here.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

it.runIf(TELLS_LOCKS && HAS_SQLITE3)('a watch keeps its locks while others use the ledger', async () => {
  const home = await temporaryFolder();
  const state = join(home, '.local', 'state', 'swapctl');
  const files = [join(state, 'ledger.db'), join(state, 'sandbox.db')];
  const create = async () => {
    const args = ['create', 'BTC', 'ETH', '0.1', '--address', ADDRESS, '--yes', '--json'];
    const { stdout, error } = await runHere(args, { home });
    expect(error).toBeNull();
    return JSON.parse(stdout).order as string;
  };
  const orders = [await create()];
  const stopping = new AbortController();
  let watch: Promise<RanHere> | undefined;
  await new Promise<void>((resolve) => {
    watch = runHere(['status', ...orders, '--watch', '--interval', '1', '--json'], {
      home,
      signal: stopping.signal,
      onOutput: () => resolve(),
    });
  });
  const held = () => files.map((file) => locksOf(process.pid, file));
  const expectHeld = (after: string) => expect(held(), after).toEqual([BOTH_LOCKS, BOTH_LOCKS]);
  expectHeld('the first poll');
  for (const args of [['history'], ['status', ...orders], ['history', '--json'], ['status']]) {
    expect((await runHere(args, { home })).error).toBeNull();
    expectHeld(args.join(' '));
    orders.push(await create());
    expectHeld('a create');
    const log = statSync(`${files[0]}-wal`).ino;
    const query = 'select order_number from intents; pragma integrity_check';
    const listed = await sqlite3(files[0] ?? '', query);
    expect(listed.split('\n').sort()).toEqual([...orders, 'ok'].sort());
    expect(statSync(`${files[0]}-wal`).ino).toBe(log);
  }
  stopping.abort(new InterruptedError('SIGINT'));
  await watch;
});
