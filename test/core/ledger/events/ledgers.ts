import { afterEach, expect } from 'vitest';
import type { StorageError } from '../../../../src/base/errors.ts';
import type { Entry } from '../../../../src/core/ledger/entry.ts';
import type { RecordedEvent, SwapEvent } from '../../../../src/core/ledger/events/event.ts';
import { type Ledger, openLedger } from '../../../../src/core/ledger/ledger.ts';
import { claimed, INTENT, OWNER, observed } from '../entries.ts';

const opened: Ledger[] = [];

afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
});

/** A handle on a ledger, which is closed after the test. */
export async function ledgerAt(location: string, onDamaged?: (error: StorageError) => void): Promise<Ledger> {
  const ledger = await openLedger(location, onDamaged);
  opened.push(ledger);
  return ledger;
}

/** An intent that was sent. */
export const sentIntent = (ledger: Ledger, at = 1): Promise<Entry> =>
  claimed(ledger, OWNER, INTENT, null, at);

/** A swap that was made. */
export async function createdSwap(ledger: Ledger, order: string, at = 1): Promise<Entry> {
  const entry = await sentIntent(ledger, at);
  expect(await ledger.created(entry.id, observed(order, 9, at), null)).toBe(true);
  return entry;
}

/** All events of the ledger, each swap's in order. */
export async function eventsOf(ledger: Ledger): Promise<readonly RecordedEvent[]> {
  const { events } = await ledger.events.list(ALL, null);
  return events.toSorted((a, b) => a.sequence - b.sequence);
}

/** Every event of every profile. */
export const ALL = { profile: null, order: null, undelivered: false, since: null } as const;

/** The bodies of events. */
export function bodies(events: readonly RecordedEvent[]): readonly SwapEvent[] {
  return events.map(({ body }) => JSON.parse(body) as SwapEvent);
}
