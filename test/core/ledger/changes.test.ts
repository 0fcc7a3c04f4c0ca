import { describe, expect, it } from 'vitest';
import { MAX_CHANGES, type Observation, writeChange } from '../../../src/core/ledger/changes.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { claimed, INTENT, OWNER, observed } from './entries.ts';
import { ledgerAt } from './events/ledgers.ts';
import { openTables } from './tables.ts';

/** A create that was sent at 1. */
async function sent(location: string, key: string | null = null) {
  const ledger = await ledgerAt(location);
  const { id } = await claimed(ledger, OWNER, INTENT, key, 1);
  return { ledger, id, changes: () => ledger.changes(id) };
}

/** A created swap, first seen at 10. */
async function created(location: string, refundAddress: string | null = null) {
  const entry = await sent(location);
  await entry.ledger.created(entry.id, observed('AAAAAA', 9, 10), refundAddress);
  return entry;
}

function confirmed(confirmations: number, at: number): Observation {
  const { swap, ...observation } = observed('AAAAAA', 1, at);
  return { ...observation, swap: { ...swap, deposit: { ...swap.deposit, txId: 'tx-1', confirmations } } };
}

describe.each(BOTH_DATABASES)('the recorded changes of a swap on $kind', ({ fresh }) => {
  it('start over when the entry is linked to a different order', async () => {
    const { ledger, id, changes } = await sent(await fresh());
    const settled = { outcome: 'unknown', reason: 'another order', order: 'AAAAAA', at: 5 } as const;
    await ledger.settle(id, settled);
    await ledger.refundAddressSet(OWNER, { ...observed('AAAAAA', 3, 10), doubts: ['coin_changed'] }, 'bc1q');
    await ledger.addSent(id, { txId: 'tx-of-AAAAAA', from: 'bc1q', at: 11, dueAt: 12 });
    const reported = { txId: [null, 'tx-of-AAAAAA'], from: [null, 'bc1q'] };
    expect((await changes()).at(-1)?.changes).toEqual(reported);
    await ledger.addNote(id, { text: 'asked', ticket: 'CASE-1', until: 999 }, 13);
    await ledger.created(id, observed('BBBBBB', 9, 20), null);
    const { swap } = observed('BBBBBB');
    const nothing = { doubted: null, refundAddress: null, doubts: [], sent: null, quietUntil: null };
    const linked = { order: 'BBBBBB', swap, first: swap, furthest: 'new', changedAt: 20, ticket: 'CASE-1' };
    expect(await ledger.byId(id)).toMatchObject({ ...nothing, ...linked });
    expect((await changes()).at(-1)).toMatchObject({
      at: 20,
      unchangedUntil: null,
      changes: { statusCode: [null, 9] },
    });
    const scope = { profile: null, order: 'BBBBBB', undelivered: false, since: null };
    const { events } = await ledger.events.list(scope, null);
    expect(events.map(({ body }) => JSON.parse(body).previous)).toEqual([null]);
  });

  it('keep a refund address that was set before the create was settled with the same order', async () => {
    const { ledger, id } = await sent(await fresh());
    await ledger.settle(id, { outcome: 'unknown', reason: 'no rate', order: 'AAAAAA', at: 5 });
    await ledger.refundAddressSet(OWNER, observed('AAAAAA', 9, 10), 'bc1qset');
    await ledger.created(id, observed('AAAAAA', 9, 20), 'bc1qrequested');
    expect((await ledger.byId(id))?.refundAddress).toBe('bc1qset');
  });

  it('are all kept with their times, and a poll without changes adds none', async () => {
    const location = await fresh();
    const { ledger, changes } = await created(location, 'bc1qfirst');
    await ledger.seen(OWNER, observed('AAAAAA', 9, 20));
    await ledger.seen(OWNER, confirmed(0, 30));
    for (const at of [40, 50]) await ledger.seen(OWNER, confirmed(1, at));
    await ledger.refundAddressSet(OWNER, confirmed(1, 60), 'bc1qsecond');
    await ledger.refundAddressSet(OWNER, confirmed(1, 65), 'bc1qsecond');
    await ledger.seen(OWNER, { ...confirmed(1, 70), doubts: ['amount_changed'] });
    await ledger.seen(OWNER, confirmed(1, 80));

    const [first, ...later] = await changes();
    const begun = { type: 'swap.new', status: 'new', statusCode: 9 };
    expect(first).toMatchObject({ at: 10, unchangedUntil: null, ...begun });
    expect(first?.changes).toMatchObject({ statusCode: [null, 9], refundAddress: [null, 'bc1qfirst'] });
    const confirming = {
      status: ['new', 'confirmation'],
      statusCode: [9, 1],
      'deposit.txId': [null, 'tx-1'],
      'deposit.confirmations': [null, 0],
    };
    const steps = [
      [30, 20, 'swap.confirmation', confirming],
      [40, 30, 'swap.changed', { 'deposit.confirmations': [0, 1] }],
      [60, 50, 'refund_address.set', { refundAddress: ['bc1qfirst', 'bc1qsecond'] }],
      [70, 65, 'swap.doubtful', { doubts: [[], ['amount_changed']] }],
      [80, 70, 'swap.changed', { doubts: [['amount_changed'], []] }],
    ];
    const state = { status: 'confirmation', statusCode: 1 };
    expect(later).toEqual(
      steps.map(([at, unchangedUntil, type, changes]) => ({ ...state, at, unchangedUntil, type, changes })),
    );
    const database = await openTables(location);
    const rows = await database.kysely.selectFrom('changes').select('sequence').orderBy('sequence').execute();
    await database.close();
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('include a change that another process recorded since the entry was read', async () => {
    const { ledger, changes } = await created(await fresh());
    const read = await ledger.byOrder(OWNER, 'AAAAAA');
    await ledger.seen(OWNER, observed('AAAAAA', 1, 20));
    // The response of a slower poll, which says what was known before.
    await ledger.seen(OWNER, observed('AAAAAA', 9, 30), read);
    expect((await changes()).map(({ at, status }) => [at, status])).toEqual([
      [10, 'new'],
      [20, 'confirmation'],
      [30, 'new'],
    ]);
    const current = await ledger.byOrder(OWNER, 'AAAAAA');
    expect(await ledger.seen(OWNER, observed('AAAAAA', 9, 40), current)).toEqual({ ...current, seenAt: 40 });
    expect(await ledger.byOrder(OWNER, 'AAAAAA')).toEqual({ ...current, seenAt: 40 });
    expect(await changes()).toHaveLength(3);
  });

  it('keep the ticket of an earlier note if a later one has none', async () => {
    const { ledger, id } = await created(await fresh());
    await ledger.addNote(id, { text: 'asked', ticket: 'T-1', until: null }, 20);
    await ledger.addNote(id, { text: 'again', ticket: null, until: null }, 30);
    expect(await ledger.byId(id)).toMatchObject({ ticket: 'T-1' });
  });

  it('keep the stored swap up to date while it waits for its deposit', async () => {
    const { ledger, id } = await created(await fresh());
    const { swap, ...observation } = observed('AAAAAA', 9, 20);
    const expiresAt = '2026-01-31T13:00:00.000Z';
    await ledger.seen(OWNER, { ...observation, swap: { ...swap, expiresAt } });
    expect((await ledger.byId(id))?.swap).toEqual({ ...swap, expiresAt });
  });

  it('include a doubtful response once, which does not replace the stored swap', async () => {
    const { ledger, id, changes } = await created(await fresh());
    const { swap, ...observation } = observed('AAAAAA', 9, 20);
    const other = { ...swap, deposit: { ...swap.deposit, address: 'bc1qother' } };
    for (const at of [20, 30, 40])
      await ledger.seen(OWNER, { ...observation, at, swap: other, doubts: ['deposit_changed'] });
    expect((await ledger.byId(id))?.swap?.deposit.address).toBe(swap.deposit.address);
    await ledger.seen(OWNER, observed('AAAAAA', 9, 50));
    const reported = (await changes()).slice(1);
    expect(reported.map(({ at, type, unchangedUntil }) => [at, type, unchangedUntil])).toEqual([
      [20, 'swap.doubtful', 10],
      [50, 'swap.changed', 40],
    ]);
    expect(reported[1]?.changes).toEqual({
      'deposit.address': ['bc1qother', swap.deposit.address],
      doubts: [['deposit_changed'], []],
    });
  });

  it('include each status once, even if a successful swap becomes new again', async () => {
    const { ledger, id } = await created(await fresh());
    await ledger.seen(OWNER, observed('AAAAAA', 4, 20));
    for (const at of [30, 40, 50])
      await ledger.seen(OWNER, { ...observed('AAAAAA', 9, at), doubts: ['went_backwards'] });
    expect((await ledger.changes(id)).map(({ at, statusCode }) => [at, statusCode])).toEqual([
      [10, 9],
      [20, 4],
      [30, 9],
    ]);
    expect(await ledger.byId(id)).toMatchObject({ swap: { statusCode: 4 }, doubted: { statusCode: 9 } });
  });

  it('are limited in number, and the last one then spans all later changes', async () => {
    const location = await fresh();
    const { ledger, changes } = await created(location);
    const other = await claimed(ledger, OWNER, INTENT, null, 1);
    const last = { at: 9, unchangedUntil: 8, type: 'swap.new', status: 'new', statusCode: 9, changes: {} };
    const database = await openTables(location);
    await writeChange(database.kysely, other.id, MAX_CHANGES, last);
    await database.close();
    for (let at = 0; at < MAX_CHANGES + 20; at += 1) await ledger.seen(OWNER, confirmed(at, 100 + at));
    expect(await ledger.changes(other.id)).toEqual([last]);
    const all = await changes();
    expect(all).toHaveLength(MAX_CHANGES);
    expect(all.at(-2)?.changes).toEqual({ 'deposit.confirmations': [MAX_CHANGES - 4, MAX_CHANGES - 3] });
    expect(all.at(-1)).toMatchObject({
      at: 100 + MAX_CHANGES + 19,
      changes: { 'deposit.confirmations': [MAX_CHANGES - 3, MAX_CHANGES + 19] },
    });
  });

  it('start with the outcome of the create', async () => {
    const { ledger, id, changes } = await sent(await fresh(), 'k');
    await ledger.settle(id, { outcome: 'unknown', reason: 'cut off', at: 2 });
    await ledger.created(id, observed('AAAAAA', 9, 30), null);
    expect(await changes()).toMatchObject([
      { at: 2, type: 'create.unknown', status: null },
      { at: 30, type: 'swap.new', status: 'new' },
    ]);
  });
});
