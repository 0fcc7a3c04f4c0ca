import { describe, expect, it } from 'vitest';
import type { SwapctlError } from '../../../../src/base/errors.ts';
import { createBatch } from '../../../../src/cli/commands/batch/run.ts';
import { DatabaseSync } from '../../../../src/core/database/sqlite/connection.ts';
import { openLedger } from '../../../../src/core/ledger/ledger.ts';
import { contextOn } from '../../../core/swaps/follow/followers.ts';
import { profileAt } from '../../../helpers/scene.ts';
import { NO_BATCH_OPTIONS } from '../options.ts';
import { amounts, created, deskWith, ledgerOf } from './desk.ts';

/** Long enough that a busy machine adds less than one to the waits that are counted. */
const WAIT_MS = 1000;
const MANY = amounts(...Array.from({ length: 60 }, (_, index) => index + 1));
const OPTIONS = { ...NO_BATCH_OPTIONS, yes: true, budget: { requests: 9999, durationMs: 60_000 } };

/**
 * Runs a batch of sixty rows on a ledger that another connection locks with the n-th create, or before the start, and
 * gives how it ended and how many waits it took.
 */
async function lockedRun(lockAt: number) {
  let creates = 0;
  const well = created();
  const desk = await deskWith({
    'create-transaction': (...call) => {
      creates += 1;
      if (creates === lockAt) lock();
      well(...call);
    },
  });
  const { context, stderr } = contextOn(
    { now: Date.now, sleep: async () => undefined },
    desk.home,
    profileAt(desk.service.url),
  );
  const file = ledgerOf(desk);
  await (await context.ledger()).close();
  const ledger = await openLedger(file, undefined, { busyTimeout: WAIT_MS });
  const other = new DatabaseSync(file);
  let lockedAt = 0;
  const lock = () => {
    other.exec('begin immediate');
    lockedAt = performance.now();
  };
  if (lockAt === 0) lock();
  const error = await createBatch(
    { ...context, ledger: async () => ledger },
    { ...OPTIONS, file: desk.file('rows.csv', MANY) },
  ).then(
    () => null,
    (thrown: SwapctlError) => thrown,
  );
  const waits = (performance.now() - lockedAt) / WAIT_MS;
  other.close();
  await ledger.close();
  return {
    error,
    waits,
    posts: desk.service.posts(),
    requests: desk.service.requests.length,
    printed: `${error?.message} ${error?.hint} ${stderr()}`,
  };
}

describe('a batch whose ledger is locked by another program', () => {
  it('fails before the rows are checked and names the lock', async () => {
    const { error, waits, requests, printed } = await lockedRun(0);
    expect(error).toMatchObject({ code: 'storage_failed', exitCode: 11, outcome: 'nothing-sent' });
    expect(error?.message).toContain('is locked by another process.');
    expect([requests, waits < 3]).toEqual([0, true]);
    expect(printed).not.toMatch(/network/);
  });

  it('exits with 7 and names the lock if the lock occurs between rows', async () => {
    const { error, waits, posts, printed } = await lockedRun(10);
    // What had been sent was created, and is not in the ledger.
    expect(error?.exitCode).toBe(7);
    expect(error?.message).toContain('is locked by another process.');
    // What is under way at the lock is waited for: its outcome, and the rows beside it.
    expect([posts < 16, waits < 6]).toEqual([true, true]);
    expect(printed).not.toMatch(/network/);
  });
});
