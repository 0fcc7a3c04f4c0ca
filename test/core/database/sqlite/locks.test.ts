import { mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/core/database/database.ts';
import { openDatabase } from '../../../../src/core/database/open.ts';
import { inspectSqliteFile } from '../../../../src/core/database/sqlite/file.ts';
import { BOTH_LOCKS, HAS_SQLITE3, locksOf, sqlite3, TELLS_LOCKS } from '../../../helpers/locks.ts';
import { NOTES, type NotesSchema } from '../notes.ts';

const NEWER = [...NOTES, { version: 2, statements: ['create table later (id text)'] }];

const freshPath = () => join(mkdtempSync(join(tmpdir(), 'swapctl-locks-')), 'notes.db');

const write = (database: Database<NotesSchema>, id: string) =>
  database.kysely.insertInto('notes').values({ id, body: '', seen_at: 1 }).execute();

describe.runIf(TELLS_LOCKS)('a SQLite file that this process has open', () => {
  const held = (path: string) => locksOf(process.pid, path);

  it('stays locked whatever else the process does with it', async () => {
    const path = freshPath();
    const database = await openDatabase<NotesSchema>(path, NOTES);
    await write(database, 'a');
    expect(held(path)).toEqual(BOTH_LOCKS);

    expect(inspectSqliteFile(path)).toBe('database');
    expect(held(path)).toEqual(BOTH_LOCKS);
    const link = `${path}.link`;
    symlinkSync(path, link);
    for (const location of [path, link]) {
      const second = await openDatabase<NotesSchema>(location, NOTES);
      await write(second, location);
      expect(held(path)).toEqual(BOTH_LOCKS);
      await second.close();
      expect(held(path)).toEqual(BOTH_LOCKS);
    }
    await (await openDatabase<NotesSchema>(path, NEWER)).close();
    await expect(openDatabase<NotesSchema>(path, NOTES)).rejects.toThrow('newer swapctl');
    expect(held(path)).toEqual(BOTH_LOCKS);
    await database.close();
  });

  it.runIf(HAS_SQLITE3)('keeps its write-ahead log while another SQLite reads it', async () => {
    const path = freshPath();
    const database = await openDatabase<NotesSchema>(path, NOTES);
    await write(database, 'a');
    await (await openDatabase<NotesSchema>(path, NOTES)).close();
    await write(database, 'b');
    const log = statSync(`${path}-wal`).ino;
    expect(await sqlite3(path, 'select id from notes order by id')).toBe('a\nb');
    expect(statSync(`${path}-wal`).ino).toBe(log);
    await write(database, 'c');
    expect(await sqlite3(path, 'select count(*) from notes; pragma integrity_check')).toBe('3\nok');
    await database.close();
  });
});

it.runIf(HAS_SQLITE3).each([
  ['that keeps a rollback journal', 'pragma journal_mode = delete'],
  ['that keeps a log', 'pragma journal_mode = wal'],
  ['with large pages', 'pragma page_size = 65536'],
])('the SQLite file of another program %s is rejected and left unchanged', async (_kind, pragma) => {
  const path = freshPath();
  await sqlite3(path, `${pragma}; create table diary (day text); insert into diary values ('monday')`);
  const [before, { mtimeMs }] = [readFileSync(path), statSync(path)];
  const opened = openDatabase<NotesSchema>(path, NOTES);
  await expect(opened).rejects.toThrow(`The database ${path} belongs to another program.`);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
  expect(readdirSync(join(path, '..'))).toEqual(['notes.db']);
});
