import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StorageError } from '../../../src/base/errors.ts';
import { LedgerAccess } from '../../../src/core/swaps/ledger-access.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { ledgerAt } from '../ledger/events/ledgers.ts';
import { contextOn } from './follow/followers.ts';

/** A ledger as a watch uses it, which fails while `isDown`, and what its user is reported. */
async function access() {
  const home = await temporaryFolder();
  const ledger = await ledgerAt(join(home, 'ledger.db'));
  const state = { now: 1_000_000, isDown: false };
  const reported: string[] = [];
  const { context } = contextOn({ now: () => state.now, sleep: async () => undefined }, home);
  const notify = async ({ text }: { readonly text: string }) => void reported.push(text);
  const opened = new LedgerAccess({ ...context, ledger: async () => ledger, notify });
  let tries = 0;
  const work = async () => {
    tries += 1;
    await turn();
    if (state.isDown) throw new StorageError('The database is gone.');
    return 'read';
  };
  return { state, reported, opened, work, tries: () => tries };
}

it('a failing ledger is reported once, retried after two seconds, and given up once leases end', async () => {
  const { state, reported, opened, work, tries } = await access();
  expect(await opened.write(work)).toBe('read');
  state.isDown = true;
  for (const [passed, expected] of [
    [0, 2],
    [1_999, 2],
    [2_000, 3],
    [20_000, 4],
  ] as const) {
    state.now = 1_000_000 + passed;
    expect(await opened.read(work)).toBeNull();
    expect([passed, tries(), opened.isGone(state.now)]).toEqual([passed, expected, false]);
  }
  expect(opened.isGone(state.now + 1)).toBe(true);
  expect(reported).toEqual(['The database is gone. The polled state was not recorded.']);
  [state.now, state.isDown] = [1_030_000, false];
  expect([await opened.write(work), opened.isGone(2_000_000)]).toEqual(['read', false]);
});

it('a ledger that fails again over a minute later is reported again', async () => {
  const { state, reported, opened, work } = await access();
  state.isDown = true;
  for (const now of [1_000_000, 1_060_000, 1_120_001]) {
    state.now = now;
    await opened.read(work);
  }
  expect(reported).toHaveLength(2);
});

it('a ledger that never worked is given up immediately, and other errors are thrown', async () => {
  const { state, opened, work } = await access();
  state.isDown = true;
  await opened.write(work);
  expect(opened.isGone(state.now)).toBe(true);
  const { opened: other } = await access();
  await expect(other.read(() => Promise.reject(new TypeError('a fault')))).rejects.toThrow('a fault');
});
