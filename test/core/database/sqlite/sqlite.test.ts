import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { StorageError } from '../../../../src/base/errors.ts';
import { DEFAULT_SCHEMA_NAME, type PageCheck } from '../../../../src/core/database/database.ts';
import { inspectDatabase, openDatabase } from '../../../../src/core/database/open.ts';
import { NOTES, type NotesSchema } from '../notes.ts';

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'swapctl-database-'));
}

async function filled(path: string): Promise<void> {
  const database = await openDatabase<NotesSchema>(path, NOTES);
  const note = { body: 'x'.repeat(200), seen_at: 1 };
  const notes = Array.from({ length: 200 }, (_, index) => ({ ...note, id: `n${index}` }));
  await database.kysely.insertInto('notes').values(notes).execute();
  await database.close();
}

async function refusal(path: string): Promise<StorageError> {
  const error: unknown = await openDatabase<NotesSchema>(path, NOTES).catch((reason: unknown) => reason);
  if (!(error instanceof StorageError)) throw new Error(`expected a StorageError, got ${String(error)}`);
  return error;
}

describe('a SQLite file', () => {
  it('is created for its owner only, with its folder and its log', async () => {
    const home = join(folder(), 'state', 'swapctl');
    const path = join(home, 'a.db');
    const database = await openDatabase<NotesSchema>(path, NOTES);
    await database.kysely.insertInto('notes').values({ id: 'a', body: 'b', seen_at: 1 }).execute();
    for (const each of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(each).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    chmodSync(`${path}-wal`, 0o644);
    expect((await refusal(path)).message).toBe(`Other users can read the database ${path}-wal.`);
    await database.close();
  });

  it('waits for the disk at each commit, except those of relaxed statements', async () => {
    const database = await openDatabase<NotesSchema>(join(folder(), 'a.db'), NOTES);
    const { kysely, relaxed } = database;
    const level = async (db: typeof kysely) =>
      (await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows[0]?.synchronous;
    const [FULL, NORMAL] = [2, 1];
    expect([await level(kysely), await level(relaxed), await level(kysely)]).toEqual([FULL, NORMAL, FULL]);
    const note = { id: 'a', body: 'b', seen_at: 1 };
    await relaxed.insertInto('notes').values(note).execute();
    await expect(relaxed.insertInto('notes').values(note).execute()).rejects.toThrow();
    await database.transaction(async (tx) => {
      expect(await level(tx)).toBe(FULL);
      expect(await tx.selectFrom('notes').selectAll().execute()).toEqual([note]);
    });
    await database.close();
  });

  it('refuses each relaxed statement after it was closed', async () => {
    const database = await openDatabase<NotesSchema>(join(folder(), 'a.db'), NOTES);
    const { relaxed } = database;
    await database.close();
    for (let times = 0; times < 2; times += 1)
      await expect(relaxed.selectFrom('notes').selectAll().execute()).rejects.toThrow(StorageError);
  });

  it('that others can read is rejected with the chmod that fixes it', async () => {
    const path = join(folder(), "it's.db");
    await filled(path);
    chmodSync(path, 0o644);
    const error = await refusal(path);
    expect(error.message).toBe(`Other users can read the database ${path}.`);
    expect(error.hint).toBe(`Run: chmod 600 '${path.replace("'", "'\\''")}'`);
    execFileSync('sh', ['-c', (error.hint ?? '').replace('Run: ', '')]);
    await (await openDatabase<NotesSchema>(path, NOTES)).close();
  });

  it('with a damaged page is rejected by a quick check if small, and always by a deep one', async () => {
    const path = join(folder(), 'scratched.db');
    await filled(path);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, bytes.length - 4096), { mode: 0o600 });
    const check = (pages: PageCheck) => inspectDatabase(path, NOTES, DEFAULT_SCHEMA_NAME, pages);
    expect(await check('none')).toMatchObject({ version: 1 });
    for (const pages of ['quick', 'deep'] as const) await expect(check(pages)).rejects.toThrow('is damaged');
    truncateSync(path, 101 * 2 ** 20);
    expect(await check('quick')).toMatchObject({ version: 1, unchecked: true });
    await expect(check('deep')).rejects.toThrow('is damaged');
  });

  it('waits for another connection of the same process', async () => {
    const path = join(folder(), 'two.db');
    const open = () => openDatabase<NotesSchema>(path, NOTES);
    const [one, two] = await Promise.all([open(), open()]);
    const write = (database: typeof one, id: string): Promise<unknown> =>
      database.transaction(async (tx) => {
        await tx.insertInto('notes').values({ id, body: '', seen_at: 1 }).execute();
        await new Promise((resolve) => setImmediate(resolve));
      });
    const ids = Array.from({ length: 10 }, (_, index) => `w${index}`);
    await Promise.all(ids.flatMap((id) => [write(one, id), write(two, `${id}-two`)]));
    expect(await one.kysely.selectFrom('notes').selectAll().execute()).toHaveLength(20);
    await Promise.all([one.close(), two.close()]);
  });

  it('is reported as locked if another writer does not finish', async () => {
    const path = join(folder(), 'held.db');
    const one = await openDatabase<NotesSchema>(path, NOTES);
    const two = await openDatabase<NotesSchema>(path, NOTES, { busyTimeout: 30 });
    await one.transaction(async () => {
      const written = two.kysely.insertInto('notes').values({ id: 'x', body: '', seen_at: 1 }).execute();
      await expect(written).rejects.toThrow(`The database ${path} is locked by another process.`);
    });
    await Promise.all([one.close(), two.close()]);
  });
});
