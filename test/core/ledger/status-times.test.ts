import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { claimed, INTENT, OTHER, OWNER, observed } from './entries.ts';
import { ledgerAt } from './events/ledgers.ts';

const [NEW, CONFIRMATION, EXCHANGING, SUCCESS] = [9, 1, 3, 4];
const MINUTE = 60_000;

/** Creates a swap at a time, and polls it at others. */
async function course(
  ledger: Ledger,
  order: string,
  start: number,
  polls: readonly (readonly [minutes: number, status: number])[],
  owner = OWNER,
  intent = INTENT,
): Promise<void> {
  const entry = await claimed(ledger, owner, intent, null, start);
  await ledger.created(entry.id, observed(order, NEW, start), null);
  for (const [minutes, status] of polls)
    await ledger.seen(owner, observed(order, status, start + minutes * MINUTE));
}

/** A ledger with twenty swaps that were paid after five minutes, and confirmed after one to five more. */
async function learnedLedger(location: string): Promise<void> {
  const ledger = await ledgerAt(location);
  for (let index = 0; index < 20; index += 1) {
    const polls = [
      [4, NEW],
      [6, CONFIRMATION],
      [6 + 2 * (index % 3), CONFIRMATION],
      [8 + 2 * (index % 3), EXCHANGING],
      [30, SUCCESS],
    ] as const;
    await course(ledger, `A${index}`, index, polls);
  }
  await course(ledger, 'OTHERS', 0, [[500, CONFIRMATION]], OTHER);
}

const ENTRY = { ...OWNER, request: INTENT };

describe.each(BOTH_DATABASES)('the learned status times in a ledger on $kind', ({ fresh }) => {
  it('are those of one account, with changes dated midway between two polls', async () => {
    const location = await fresh();
    await learnedLedger(location);
    const { statusTimes } = await ledgerAt(location);
    const of = (p10: number, median: number, p90: number) => {
      return { count: 20, p10: p10 * MINUTE, median: median * MINUTE, p90: p90 * MINUTE };
    };
    expect(await statusTimes(ENTRY, 'new', MINUTE)).toEqual({ ...of(5, 5, 5), next: 'confirmation' });
    expect(await statusTimes(ENTRY, 'confirmation', MINUTE)).toEqual({ ...of(2, 4, 6), next: 'exchanging' });
    expect(await statusTimes(ENTRY, 'success', MINUTE)).toBeNull();
    expect(await statusTimes({ ...ENTRY, account: 'account-3' }, 'new', MINUTE)).toBeNull();
    expect(await statusTimes({ ...ENTRY, request: null }, 'new', MINUTE)).toBeNull();
  });

  it('leave out swaps older than thirty days', async () => {
    const location = await fresh();
    await learnedLedger(location);
    const days = 30 * 24 * 60 * MINUTE;
    // The last of the twenty was requested at 19 ms.
    expect(await (await ledgerAt(location)).statusTimes(ENTRY, 'new', days + 18)).toMatchObject({ count: 1 });
    expect(await (await ledgerAt(location)).statusTimes(ENTRY, 'new', days + 19)).toBeNull();
  });

  it('are those of one pair, and are read again after ten minutes', async () => {
    const location = await fresh();
    const [writer, reader] = [await ledgerAt(location), await ledgerAt(location)];
    const paid = (order: string, intent = INTENT) =>
      course(writer, order, 0, [[1, CONFIRMATION]], OWNER, intent);
    const other = { coin: 'LTC', network: 'LTC' };
    await paid('A');
    await paid('TO-ANOTHER', { ...INTENT, receive: other });
    await paid('FROM-ANOTHER', { ...INTENT, deposit: other });
    await course(writer, 'LIVE', 0, [[1, CONFIRMATION]], { ...OWNER, environment: 'live' });
    const count = async (at: number) => (await reader.statusTimes(ENTRY, 'new', at))?.count;
    expect(await count(MINUTE)).toBe(1);
    await paid('B');
    expect([await count(11 * MINUTE - 1), await count(11 * MINUTE)]).toEqual([1, 2]);
  });

  it('decide when a swap is polled next', async () => {
    const location = await fresh();
    await learnedLedger(location);
    const ledger = await ledgerAt(location);
    const start = 60 * MINUTE;
    const due = () => ledger.polls.nextDue({ owner: OWNER, orders: ['B'] }, start + 3 * MINUTE);
    await course(ledger, 'B', start, [[1, CONFIRMATION]]);
    // A tenth had left the status after two minutes.
    expect(await due()).toBe(start + 3 * MINUTE);
    await ledger.seen(OWNER, observed('B', CONFIRMATION, start + 3 * MINUTE));
    expect(await due()).toBe(start + 3 * MINUTE + (4 * MINUTE) / 20);
  });
});
