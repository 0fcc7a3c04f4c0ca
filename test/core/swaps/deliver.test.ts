import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StorageError } from '../../../src/base/errors.ts';
import { deliverDue } from '../../../src/core/swaps/listen/deliver.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { OWNER } from '../ledger/entries.ts';
import { createdSwap, ledgerAt } from '../ledger/events/ledgers.ts';
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
