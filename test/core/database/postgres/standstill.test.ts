import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { StorageError } from '../../../../src/base/errors.ts';
import type { Database } from '../../../../src/core/database/database.ts';
import { BusyError } from '../../../../src/core/database/failures.ts';
import { openDatabase } from '../../../../src/core/database/open.ts';
import { NOTES, type NotesSchema } from '../notes.ts';
import { freshPostgres } from './fresh.ts';
import { silentWay } from './silent-way.ts';

const note = (id: string) => ({ id, body: '', seen_at: 1 });

async function shown({ kysely }: Pick<Database<NotesSchema>, 'kysely'>, setting: string): Promise<string> {
  const { rows } = await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(kysely);
  return rows[0]?.value ?? '';
}

it.each([
  ['keeps each commit in a crash', 'synchronous_commit', 'off', 'on'],
  ['refuses no commit that waited', 'transaction_isolation', 'serializable', 'read committed'],
])('a PostgreSQL database %s, whatever its sessions are set to', async (_what, setting, given, wanted) => {
  const option = setting.replace(/^transaction/, 'default_$&');
  const url = `${await freshPostgres()}?options=-c%20${option}%3D${given}`;
  const database = await openDatabase<NotesSchema>(url, NOTES);
  expect(await database.transaction((kysely) => shown({ kysely }, setting))).toBe(wanted);
  expect(await shown(database, setting)).toBe(wanted);
  await database.close();
});

describe('a stalled PostgreSQL database', () => {
  it('has a timeout for every kind of wait', async () => {
    const limits = { busyTimeout: 4500, statementTimeout: 4600 };
    const database = await openDatabase<NotesSchema>(await freshPostgres(), NOTES, limits);
    expect(await shown(database, 'idle_in_transaction_session_timeout')).toBe('3s');
    expect(await shown(database, 'lock_timeout')).toBe('4500ms');
    expect(await shown(database, 'statement_timeout')).toBe('4600ms');
    await database.close();
  });

  it('throws BusyError if a transaction of another connection does not end', async () => {
    const url = await freshPostgres();
    const holder = await openDatabase<NotesSchema>(url, NOTES);
    const waiter = await openDatabase<NotesSchema>(url, NOTES, { busyTimeout: 50 });
    await holder.transaction(async (tx) => {
      await tx.insertInto('notes').values(note('a')).execute();
      const waiting = waiter.kysely.insertInto('notes').values(note('a')).execute();
      await expect(waiting).rejects.toBeInstanceOf(BusyError);
      await expect(waiting).rejects.toThrow('is locked by another process.');
    });
    await Promise.all([holder.close(), waiter.close()]);
  });

  it('throws BusyError if a statement exceeds its timeout', async () => {
    const database = await openDatabase<NotesSchema>(await freshPostgres(), NOTES, { statementTimeout: 50 });
    const waiting = sql`select pg_sleep(60)`.execute(database.kysely);
    await expect(waiting).rejects.toBeInstanceOf(BusyError);
    await expect(waiting).rejects.toThrow('canceling statement due to statement timeout.');
    await database.close();
  });

  it('throws BusyError if the server stops responding', async () => {
    const way = await silentWay(await freshPostgres());
    const database = await openDatabase<NotesSchema>(way.url, NOTES, { statementTimeout: 50 });
    way.fallSilent();
    const waiting = database.kysely.selectFrom('notes').selectAll().execute();
    await expect(waiting).rejects.toBeInstanceOf(BusyError);
    await expect(waiting).rejects.toThrow('could not be used: Query read timeout.');
    await database.close();
    way.close();
  });

  it('throws StorageError if its session is killed, and then uses a new one', async () => {
    const url = await freshPostgres();
    const database = await openDatabase<NotesSchema>(url, NOTES);
    const other = await openDatabase<NotesSchema>(url, NOTES);
    const lost = database.transaction(async (tx) => {
      await tx.insertInto('notes').values(note('lost')).execute();
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other.kysely);
      // The error of the session arrives while nothing is asked of it.
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await expect(lost).rejects.toBeInstanceOf(StorageError);
    await database.transaction((tx) => tx.insertInto('notes').values(note('kept')).execute());
    expect(await other.kysely.selectFrom('notes').select('id').execute()).toEqual([{ id: 'kept' }]);
    await Promise.all([database.close(), other.close()]);
  });

  it('throws StorageError if the server ends a session while it is opened', async () => {
    const way = await silentWay(await freshPostgres());
    const database = await openDatabase<NotesSchema>(way.url, NOTES);
    way.shutDown();
    for (let time = 0; time < 3; time += 1)
      await expect(database.transaction(async () => 'done')).rejects.toBeInstanceOf(StorageError);
    await database.close();
    way.close();
  });

  it('gives a migration more time than a request', async () => {
    const url = await freshPostgres();
    const slow = [...NOTES, { version: 2, statements: ['select pg_sleep(0.5)'] }];
    const limits = { statementTimeout: 100, busyTimeout: 100 };
    const open = () => openDatabase<NotesSchema>(url, slow, limits);
    const [first, second] = await Promise.all([open(), open()]);
    await first.kysely.insertInto('notes').values(note('a')).execute();
    expect(await second.kysely.selectFrom('notes').selectAll().execute()).toEqual([note('a')]);
    await Promise.all([first.close(), second.close()]);
  });
});
