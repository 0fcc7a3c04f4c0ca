import { describe, expect, it } from 'vitest';
import { StorageError } from '../../../src/base/errors.ts';
import { UniqueViolationError } from '../../../src/core/database/failures.ts';
import { openDatabase } from '../../../src/core/database/open.ts';
import { BOTH_DATABASES } from './databases.ts';
import { NOTES, type NotesSchema } from './notes.ts';

describe.each(BOTH_DATABASES)('a database on $kind', ({ kind, fresh }) => {
  const note = (id: string, seen_at = 1_790_000_000_000) => ({ id, body: null, seen_at });

  it('stores text, null and milliseconds unchanged', async () => {
    const database = await openDatabase<NotesSchema>(await fresh(), NOTES);
    expect(database.kind).toBe(kind);
    const row = { id: 'ключ 🔑', body: '0.100000000000000000001', seen_at: 1_790_000_000_123 };
    for (const each of [row, note('null')]) await database.kysely.insertInto('notes').values(each).execute();
    const rows = await database.kysely.selectFrom('notes').selectAll().orderBy('body').execute();
    expect(rows).toEqual(expect.arrayContaining([row, note('null')]));
    await database.close();
  });

  it('rolls back a transaction that throws, and commits any other', async () => {
    const database = await openDatabase<NotesSchema>(await fresh(), NOTES);
    const failing = database.transaction(async (tx) => {
      await tx.insertInto('notes').values(note('a')).execute();
      throw new RangeError('no');
    });
    await expect(failing).rejects.toThrow(RangeError);
    const kept = await database.transaction(async (tx) => {
      await tx.insertInto('notes').values(note('b')).execute();
      return 'kept';
    });
    expect(kept).toBe('kept');
    expect(await database.kysely.selectFrom('notes').select('id').execute()).toEqual([{ id: 'b' }]);
    await database.close();
  });

  it('throws UniqueViolationError for an existing row, and StorageError otherwise', async () => {
    const database = await openDatabase<NotesSchema>(await fresh(), NOTES);
    const insert = (): Promise<unknown> => database.kysely.insertInto('notes').values(note('a')).execute();
    await insert();
    await expect(insert()).rejects.toBeInstanceOf(UniqueViolationError);
    const returning = database.kysely.insertInto('notes').values(note('a')).returning('id').execute();
    await expect(returning).rejects.toBeInstanceOf(UniqueViolationError);
    const missing = database.kysely.deleteFrom('nothing' as 'notes').execute();
    await expect(missing).rejects.toBeInstanceOf(StorageError);
    await database.close();
  });

  it('counts changed rows, and reads only committed rows outside a transaction', async () => {
    const database = await openDatabase<NotesSchema>(await fresh(), NOTES);
    const outside = database.outside();
    const read = () => outside.selectFrom('notes').select('seen_at').where('id', '=', 'a').execute();
    await database.transaction(async (tx) => {
      await tx.insertInto('notes').values(note('a', 5)).execute();
      expect(await read()).toEqual([]);
    });
    expect(await read()).toEqual([{ seen_at: 5 }]);
    const update = database.kysely.updateTable('notes').set({ seen_at: 6 });
    const [changed] = await update.where('id', '=', 'a').execute();
    expect(changed?.numUpdatedRows).toBe(1n);
    await database.close();
  });

  it('tracks a schema version for each name, and rejects a newer one', async () => {
    const location = await fresh();
    const other = [{ version: 3, statements: ['create table more (id text)'] }];
    await (await openDatabase(location, NOTES, { name: 'ledger' })).close();
    await (await openDatabase(location, other, { name: 'sandbox' })).close();
    await (await openDatabase(location, NOTES, { name: 'ledger' })).close();
    const older = openDatabase(location, NOTES, { name: 'sandbox' });
    await expect(older).rejects.toThrow('was written by a newer swapctl (schema 3, this one knows 1)');
  });

  it('is migrated once when it is opened several times at the same time', async () => {
    const location = await fresh();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase<NotesSchema>(location, NOTES)));
    for (const [index, { kysely }] of opened.entries())
      await kysely
        .insertInto('notes')
        .values(note(`n${index}`))
        .execute();
    expect(await opened[0]?.kysely.selectFrom('notes').selectAll().execute()).toHaveLength(4);
    await Promise.all(opened.map((database) => database.close()));
  });

  it('rolls back a migration that fails halfway', async () => {
    const location = await fresh();
    const broken = [...NOTES, { version: 2, statements: ['create table half (id text)', 'create nonsense'] }];
    await expect(openDatabase(location, broken)).rejects.toBeInstanceOf(StorageError);
    const mended = [...NOTES, { version: 2, statements: ['create table half (id text)'] }];
    await (await openDatabase(location, mended)).close();
  });
});
