import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Migration } from '../../../src/core/database/database.ts';
import { openDatabase } from '../../../src/core/database/open.ts';
import { LEDGER_VERSION, openLedger } from '../../../src/core/ledger/ledger.ts';
import { LEDGER_MIGRATIONS } from '../../../src/core/ledger/migrations.ts';
import type { LedgerSchema } from '../../../src/core/ledger/schema.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { claimed, INTENT, OTHER, OWNER, observed, swapOf } from './entries.ts';
import { openTables } from './tables.ts';

/** The step after the ones that there are. */
const NEXT: Migration = {
  version: LEDGER_VERSION + 1,
  statements: ["ALTER TABLE intents ADD COLUMN later text NOT NULL DEFAULT 'now'"],
};

describe.each(BOTH_DATABASES)('the schema of a ledger on $kind', ({ fresh }) => {
  it('is upgraded to the next version without losing rows', async () => {
    const location = await fresh();
    const ledger = await openLedger(location);
    const entry = await claimed(ledger, OWNER, INTENT, 'key-1', 1);
    await ledger.close();
    const upgraded = await openDatabase(location, [...LEDGER_MIGRATIONS, NEXT], { name: 'ledger' });
    const { rows } = await sql`SELECT id, later FROM intents`.execute(upgraded.kysely);
    expect(rows).toEqual([{ id: entry.id, later: 'now' }]);
    await upgraded.close();
  });

  it('is rejected and left unchanged if a newer version wrote it', async () => {
    const location = await fresh();
    const newer = () =>
      openDatabase<LedgerSchema>(location, [...LEDGER_MIGRATIONS, NEXT], { name: 'ledger' });
    const ledger = await openLedger(location);
    const entry = await claimed(ledger, OWNER, INTENT, 'key-1', 1);
    await ledger.close();
    await (await newer()).close();
    const words = `was written by a newer swapctl (schema ${NEXT.version}, this one knows ${LEDGER_VERSION}).`;
    const refused = { code: 'storage_failed', message: expect.stringContaining(words) };
    for (const attempt of [1, 2])
      await expect(openLedger(location), `attempt ${attempt}`).rejects.toMatchObject(refused);
    const kept = await newer();
    const rows = await kept.kysely.selectFrom('intents').select(['id', 'idempotency_key']).execute();
    expect(rows).toEqual([{ id: entry.id, idempotency_key: 'key-1' }]);
    await kept.close();
  });
});

describe.each(BOTH_DATABASES)('a ledger on $kind', ({ fresh }) => {
  it('keeps the labels of the request that was sent', async () => {
    const ledger = await openLedger(await fresh());
    const entry = await claimed(ledger, OWNER, { ...INTENT, labels: { team: 'ops' } }, 'k', 1);
    expect(await ledger.byId(entry.id)).toMatchObject({ request: INTENT, labels: { team: 'ops' } });
    await ledger.settle(entry.id, { outcome: 'not-sent', reason: 'no way', at: 2 });
    await ledger.claim(OWNER, { ...INTENT, labels: { team: 'dev' } }, 'k', 3);
    await ledger.created(entry.id, observed('AAAAAA', 9, 4), null);
    expect(await ledger.byOrder(OWNER, 'AAAAAA')).toMatchObject({ request: INTENT, labels: { team: 'dev' } });
    const plain = await claimed(ledger, OWNER, INTENT, null, 5);
    expect((await ledger.byId(plain.id))?.labels).toEqual({});
    await ledger.close();
  });

  it('records when the status last changed', async () => {
    const location = await fresh();
    const ledger = await openLedger(location);
    const entry = await claimed(ledger, OWNER, INTENT, null, 1);
    await ledger.created(entry.id, observed('AAAAAA', 9, 10), null);
    await ledger.seen(OWNER, observed('AAAAAA', 9, 20));
    const changedAt = async () => {
      const tables = await openTables(location);
      const row = await tables.kysely.selectFrom('intents').select('changed_at').executeTakeFirstOrThrow();
      await tables.close();
      return row.changed_at;
    };
    expect(await changedAt()).toBe(10);
    await ledger.seen(OWNER, observed('AAAAAA', 1, 30));
    expect(await changedAt()).toBe(30);
    await ledger.close();
  });

  it('keeps the first response, the last trusted one, the furthest status, and the owner', async () => {
    const ledger = await openLedger(await fresh());
    const entry = await claimed(ledger, OWNER, INTENT, 'k', 1);
    await ledger.created(entry.id, observed('Aa'), null);
    const lie = swapOf('Aa');
    const other = { ...lie, deposit: { ...lie.deposit, address: 'other' } };
    const doubted = await ledger.seen(OWNER, { swap: other, doubts: ['deposit_changed'], at: 5 });
    expect(doubted).toMatchObject({ swap: lie, seenAt: 5, doubts: ['deposit_changed'] });
    expect(await ledger.byId(entry.id)).toMatchObject({ swap: lie, first: lie, doubts: ['deposit_changed'] });

    const paid = { ...swapOf('Aa', 4), deposit: { ...other.deposit, txId: 'f00d' } };
    await ledger.seen(OWNER, { swap: paid, doubts: ['deposit_changed'], at: 6 });
    await ledger.seen(OWNER, observed('Aa', 1, 7));
    const now = await ledger.byId(entry.id);
    expect(now).toMatchObject({ first: lie, furthest: 'success', swap: { statusCode: 1 }, doubts: [] });

    expect(now).toMatchObject(OWNER);
    expect(await ledger.byOrder({ ...OTHER, profile: OWNER.profile }, 'Aa')).toBeNull();
    expect(await ledger.byOrder({ ...OWNER, profile: 'renamed' }, 'Aa')).toMatchObject({ id: entry.id });
    expect(await ledger.byOrder(OWNER, 'AA')).toBeNull();
    await ledger.close();
  });
});
