import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deliverDue } from '../../../src/core/swaps/listen/deliver.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { liveHeap } from '../../helpers/live-heap.ts';
import { OWNER } from '../ledger/entries.ts';
import { ledgerAt } from '../ledger/events/ledgers.ts';
import { fillLedger } from '../ledger/fill.ts';
import { openTables } from '../ledger/tables.ts';
import { delivering } from './delivering.ts';

const EVENTS = 600;
const BODY = 'x'.repeat(100_000);

const { account, profile, environment } = OWNER;
const EVENT = {
  account,
  profile,
  environment,
  sequence: 1,
  type: 'swap.success',
  at: 1,
  body: BODY,
  delivery: 'pending',
  attempts: 0,
  next_attempt_at: 1,
  last_error: null,
  lease: null,
  lease_until: null,
  delivered_at: null,
};

/** Writes events that wait for delivery, each of another swap. */
async function fillEvents(location: string): Promise<void> {
  await fillLedger(location, { swaps: EVENTS, open: 1 });
  const database = await openTables(location);
  await database.transaction(async (tx) => {
    for (let index = 0; index < EVENTS; index += 1) {
      const of = { id: `evt_${index}`, intent_id: `id-${index}`, order_number: `ORDER${index}` };
      await tx
        .insertInto('events')
        .values({ ...EVENT, ...of })
        .execute();
    }
  });
  await database.close();
}

it('a backlog of events is delivered in bounded memory', async () => {
  const location = join(await temporaryFolder(), 'ledger.db');
  await fillEvents(location);
  const ledger = await ledgerAt(location);
  const before = liveHeap();
  let [delivered, most] = [0, 0];
  const tried = await deliverDue({
    ...delivering(ledger),
    pause: async () => undefined,
    onSettled: () => {
      delivered += 1;
      if (delivered % 200 === 0) most = Math.max(most, liveHeap() - before);
    },
  });
  expect([tried, delivered, await ledger.events.undelivered(OWNER.account)]).toEqual([EVENTS, EVENTS, 0]);
  // All bodies together are 60 MB.
  expect(most).toBeLessThan(10_000_000);
});
