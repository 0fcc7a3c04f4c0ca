import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StorageError } from '../../../src/base/errors.ts';
import { deliverDue, openUpkeep } from '../../../src/core/swaps/listen/deliver.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { OWNER } from '../ledger/entries.ts';
import { bodies, createdSwap, eventsOf, ledgerAt, sentIntent } from '../ledger/events/ledgers.ts';
import { ACCEPTED, delivering } from './delivering.ts';

it('events of at most eight swaps are in flight at a time', async () => {
  const ledger = await ledgerAt(join(await temporaryFolder(), 'ledger.db'));
  await ledger.events.webhooks.listen(OWNER.account, 0);
  for (let index = 0; index < 10; index += 1) await createdSwap(ledger, `ORDER${index}`);
  const answers: (() => void)[] = [];
  let [taken, most, ends] = [0, 0, 0];
  const tried = await deliverDue({
    ...delivering(ledger),
    targets: [
      async () => {
        taken += 1;
        most = Math.max(most, taken - ends);
        await new Promise<void>((resolve) => answers.push(resolve));
        ends += 1;
        return ACCEPTED;
      },
    ],
    // A receiver answers the oldest of them once all that may be sent have been.
    pause: async () => {
      await turn();
      answers.shift()?.();
    },
  });
  expect([tried, taken, most]).toEqual([10, 10, 8]);
  expect(await ledger.events.undelivered(OWNER.account)).toBe(0);
});

it('an event whose delivery could not be recorded is recorded later and not sent again', async () => {
  const ledger = await ledgerAt(join(await temporaryFolder(), 'ledger.db'));
  await ledger.events.webhooks.listen(OWNER.account, 0);
  await createdSwap(ledger, 'ORDER');
  let [sent, isDown] = [0, true];
  const settle: typeof ledger.events.settle = async (...settled) => {
    if (isDown) throw new StorageError('The ledger is locked.');
    await ledger.events.settle(...settled);
  };
  const work = {
    ...delivering(ledger),
    events: { ...ledger.events, settle },
    targets: [
      async () => {
        sent += 1;
        return ACCEPTED;
      },
    ],
  };
  await expect(deliverDue(work)).rejects.toThrow('The ledger is locked.');
  isDown = false;
  // The lease of the event has ended by then, and any listener may take it.
  expect(await deliverDue({ ...work, now: () => 60_000 })).toBe(0);
  expect([sent, await ledger.events.undelivered(OWNER.account)]).toEqual([1, 0]);
});

it('a listener records a create that lost its process once, after at least a minute', async () => {
  const ledger = await ledgerAt(join(await temporaryFolder(), 'ledger.db'));
  const start = 1_790_000_000_000;
  let passed = 0;
  // A ledger on another machine takes its time.
  const recordLostCreates: typeof ledger.events.recordLostCreates = (...args) =>
    turn().then(() => ledger.events.recordLostCreates(...args));
  const events = { ...ledger.events, recordLostCreates };
  const ports = { now: () => start + passed, monotonic: () => passed };
  const upkeep = openUpkeep(ports, events, { account: OWNER.account, keptMs: null });
  await upkeep();
  await sentIntent(ledger, start);
  const types = async () => bodies(await eventsOf(ledger)).map(({ type }) => type);
  for (const [minutes, reported] of [
    [0.9, []],
    [10, ['create.unknown']],
    [20, ['create.unknown']],
  ] as const) {
    passed = minutes * 60_000;
    await upkeep();
    expect([minutes, await types()]).toEqual([minutes, reported]);
  }
});

it.each([
  [1000, 1000],
  [null, 90 * 24 * 3_600_000],
])('a listener prunes events delivered over %j ms ago in steps, again in an hour', async (keptMs, kept) => {
  let [passed, olds] = [0, 2];
  const asked: [number, number][] = [];
  const events = {
    recordLostCreates: async () => 0,
    pruneDelivered: async (before: number) => {
      asked.push([passed, before]);
      olds -= 1;
      return olds < 0 ? 0 : 50;
    },
  };
  const start = 1_790_000_000_000;
  const ports = { now: () => start + passed, monotonic: () => passed };
  const upkeep = openUpkeep(ports, events, { account: OWNER.account, keptMs });
  const hour = 3_600_000;
  for (passed of [0, 5, 9, 10, hour + 8, hour + 9]) await upkeep();
  expect(asked).toEqual([0, 5, 9, hour + 9].map((at) => [at, start + at - kept]));
});
