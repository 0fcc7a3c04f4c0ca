import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/open.ts';
import { isOwn } from '../../src/ledger/entry.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { LedgerSchema } from '../../src/ledger/schema.ts';
import { LEDGER_MIGRATIONS } from '../../src/ledger/schema.ts';
import { freshPostgres } from '../database/postgres/fresh.ts';
import { INTENT, lookAt, OWNER, swapOf } from './entries.ts';

const KINDS = [
  { kind: 'sqlite', fresh: async () => join(mkdtempSync(join(tmpdir(), 'swapctl-ledger-')), 'ledger.db') },
  { kind: 'postgres', fresh: freshPostgres },
] as const;

/** The ledger as the first version wrote it: a key, an order with the statuses it went through, a lost answer. */
async function oldLedger(location: string): Promise<void> {
  const database = await openDatabase<Pick<LedgerSchema, 'intents' | 'sightings'>>(
    location,
    LEDGER_MIGRATIONS.slice(0, 1),
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

describe.each(KINDS)('a ledger on $kind', ({ fresh }) => {
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
