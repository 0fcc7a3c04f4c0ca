import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/open.ts';
import { isOwn } from '../../src/ledger/entry.ts';
import { LEDGER_MIGRATIONS } from '../../src/ledger/migrations.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { LedgerSchema } from '../../src/ledger/schema.ts';
import { freshPostgres } from '../database/postgres/fresh.ts';
import { INTENT, lookAt, OWNER, swapOf } from './entries.ts';

const KINDS = [
  { kind: 'sqlite', fresh: async () => join(mkdtempSync(join(tmpdir(), 'swapctl-ledger-')), 'ledger.db') },
  { kind: 'postgres', fresh: freshPostgres },
] as const;

/** The ledger as the first version wrote it: a key, an order with the statuses it went through, a lost answer. */
async function oldLedger(location: string, version = 1): Promise<void> {
  const database = await openDatabase<Pick<LedgerSchema, 'intents' | 'sightings'>>(
    location,
    LEDGER_MIGRATIONS.slice(0, version),
    { name: 'ledger' },
  );
  const row = (id: string, key: string, order: string | null) => ({
    ...{ id, profile: OWNER.profile, environment: OWNER.environment, host: OWNER.host, idempotency_key: key },
    ...{ request: JSON.stringify(INTENT), outcome: order === null ? 'unknown' : 'created', reason: null },
    ...{ order_number: order, requested_at: 1, seen_at: 2, status_code: order === null ? null : 9, final: 0 },
    snapshot: order === null ? null : JSON.stringify(swapOf(order)),
    refund_address: null,
  });
  const sighting = (id: string, status: string, code: number) => ({
    ...{ id, intent_id: 'a', seen_at: code, status, status_code: code },
  });
  await database.transaction(async (tx) => {
    const intents = [row('a', 'key-1', 'AAAAAA'), row('b', 'key-2', null)] as never[];
    await tx.insertInto('intents').values(intents).execute();
    const seen = [sighting('s1', 'success', 4), sighting('s2', 'new', 9), sighting('s3', 'unknown', 77)];
    await tx.insertInto('sightings').values(seen).execute();
  });
  await database.close();
}

describe.each(KINDS)('a ledger of the first version on $kind', ({ fresh }) => {
  it('keeps its keys, which go with any path and key pair, and what was seen', async () => {
    const location = await fresh();
    await oldLedger(location);
    const ledger = await openLedger(location);
    const kept = await ledger.byKey(OWNER.profile, 'key-1');
    expect(kept).toMatchObject({
      ...{ id: 'a', order: 'AAAAAA', path: null, publicKey: null, doubts: null, furthest: 'success' },
      first: swapOf('AAAAAA'),
    });
    expect(kept !== null && isOwn(kept, { ...OWNER, path: '/v2', publicKey: 'pk-9' })).toBe(true);
    expect(kept !== null && isOwn(kept, { ...OWNER, host: 'other.example' })).toBe(false);
    expect(await ledger.byKey(OWNER.profile, 'key-2')).toMatchObject({ first: null, furthest: null });
    expect((await ledger.begin(OWNER, INTENT, 'key-1', 9)).fresh).toBe(false);
    expect((await ledger.open({ ...OWNER, path: '/v2' })).map(({ id }) => id)).toEqual(['a']);
    expect(await ledger.byOrder(OWNER, 'aaaaaa')).toMatchObject({ id: 'a' });
    await ledger.close();
  });
});

/** The ledger's tables, as they are now. */
async function opened(location: string) {
  const database = await openDatabase<LedgerSchema>(location, LEDGER_MIGRATIONS, { name: 'ledger' });
  return { kysely: database.kysely, close: () => database.close() };
}

describe.each(KINDS)('a ledger of the second version on $kind', ({ fresh }) => {
  it('keeps its swaps, each due at once, held by nobody, and without events', async () => {
    const location = await fresh();
    await oldLedger(location, 2);
    const ledger = await openLedger(location);
    expect((await ledger.open(OWNER)).map(({ id, order }) => [id, order])).toEqual([['a', 'AAAAAA']]);
    await ledger.close();
    const { kysely, close } = await opened(location);
    const rows = await kysely
      .selectFrom('intents')
      .select(['id', 'next_poll_at', 'poll_lease', 'poll_lease_until', 'changed_at', 'events'])
      .orderBy('id')
      .execute();
    const untouched = { next_poll_at: 0, poll_lease: null, poll_lease_until: 0, events: 0 };
    expect(rows).toEqual([
      { id: 'a', ...untouched, changed_at: 77 },
      { id: 'b', ...untouched, changed_at: null },
    ]);
    for (const table of ['events', 'event_attempts', 'budgets', 'webhooks'] as const)
      expect(await kysely.selectFrom(table).selectAll().execute()).toEqual([]);
    await close();
  });
});

describe.each(KINDS)('a ledger of the fourth version on $kind', ({ fresh }) => {
  it('keeps its sightings, and what changes from then on', async () => {
    const location = await fresh();
    await oldLedger(location, 4);
    const ledger = await openLedger(location);
    expect(await ledger.changes('a')).toEqual([]);
    expect(await ledger.sightings('a')).toHaveLength(3);
    await ledger.seen({ ...OWNER, path: '/v2' }, lookAt('AAAAAA', 1, 90));
    expect(await ledger.changes('a')).toEqual([
      {
        ...{ at: 90, unchangedUntil: 2, type: 'swap.confirmation', status: 'confirmation', statusCode: 1 },
        changes: { status: ['new', 'confirmation'], statusCode: [9, 1] },
      },
    ]);
    await ledger.close();
  });
});

describe.each(KINDS)('a ledger of a newer version on $kind', ({ fresh }) => {
  it('is refused, and stays as it is', async () => {
    const location = await fresh();
    const newest = LEDGER_MIGRATIONS.at(-1)?.version ?? 0;
    const next = { version: newest + 1, statements: ['ALTER TABLE intents ADD COLUMN later text'] };
    const newer = await openDatabase(location, [...LEDGER_MIGRATIONS, next], { name: 'ledger' });
    await newer.close();
    for (const attempt of [1, 2])
      await expect(openLedger(location), `attempt ${attempt}`).rejects.toMatchObject({
        code: 'storage_failed',
        message: expect.stringContaining(
          `was written by a newer swapctl (schema ${newest + 1}, this one knows ${newest}).`,
        ),
      });
  });
});

describe.each(KINDS)('a ledger on $kind', ({ fresh }) => {
  it('keeps the labels of a create beside its request, those of the one that is sent', async () => {
    const ledger = await openLedger(await fresh());
    const { entry } = await ledger.begin(OWNER, { ...INTENT, labels: { team: 'ops' } }, 'k', 1);
    expect(await ledger.byId(entry.id)).toMatchObject({ request: INTENT, labels: { team: 'ops' } });
    await ledger.settle(entry.id, { outcome: 'not-sent', reason: 'no way', at: 2 });
    await ledger.claim(entry.id, OWNER, { ...INTENT, labels: { team: 'dev' } }, 3);
    await ledger.created(entry.id, lookAt('AAAAAA', 9, 4), null);
    expect(await ledger.byOrder(OWNER, 'AAAAAA')).toMatchObject({ request: INTENT, labels: { team: 'dev' } });
    const plain = await ledger.begin(OWNER, INTENT, null, 5);
    expect((await ledger.byId(plain.entry.id))?.labels).toEqual({});
    await ledger.close();
  });

  it('knows when a status was last seen to change', async () => {
    const location = await fresh();
    const ledger = await openLedger(location);
    const { entry } = await ledger.begin(OWNER, INTENT, null, 1);
    await ledger.claim(entry.id, OWNER, INTENT, 1);
    await ledger.created(entry.id, lookAt('AAAAAA', 9, 10), null);
    await ledger.seen(OWNER, lookAt('AAAAAA', 9, 20));
    const changedAt = async () => {
      const { kysely, close } = await opened(location);
      const row = await kysely.selectFrom('intents').select('changed_at').executeTakeFirstOrThrow();
      await close();
      return row.changed_at;
    };
    expect(await changedAt()).toBe(10);
    await ledger.seen(OWNER, lookAt('AAAAAA', 1, 30));
    expect(await changedAt()).toBe(30);
    await ledger.close();
  });

  it('keeps what was promised first, what was believed, how far a swap came, and whose it is', async () => {
    const ledger = await openLedger(await fresh());
    const { entry } = await ledger.begin(OWNER, INTENT, 'k', 1);
    await ledger.claim(entry.id, OWNER, INTENT, 1);
    await ledger.created(entry.id, lookAt('Aa'), null);
    const lie = swapOf('Aa');
    const other = { ...lie, deposit: { ...lie.deposit, address: 'other' } };
    const doubted = await ledger.seen(OWNER, { swap: other, doubts: ['deposit_changed'], at: 5 });
    expect(doubted).toMatchObject({ swap: lie, seenAt: 5, doubts: ['deposit_changed'] });
    expect(await ledger.byId(entry.id)).toMatchObject({ swap: lie, first: lie, doubts: ['deposit_changed'] });

    const paid = { ...swapOf('Aa', 4), deposit: { ...other.deposit, txId: 'f00d' } };
    await ledger.seen(OWNER, { swap: paid, doubts: ['deposit_changed'], at: 6 });
    await ledger.seen(OWNER, lookAt('Aa', 1, 7));
    const now = await ledger.byId(entry.id);
    expect(now).toMatchObject({ first: lie, furthest: 'success', swap: { statusCode: 1 }, doubts: [] });

    expect(now).toMatchObject({ path: OWNER.path, publicKey: OWNER.publicKey });
    expect(await ledger.byOrder({ ...OWNER, path: '/other' }, 'Aa')).toBeNull();
    expect(await ledger.byOrder({ ...OWNER, publicKey: 'pk-2' }, 'Aa')).toMatchObject({ id: entry.id });
    expect(await ledger.byOrder(OWNER, 'AA')).toBeNull();
    await ledger.close();
  });
});
