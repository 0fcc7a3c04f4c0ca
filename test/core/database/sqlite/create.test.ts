import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StorageError } from '../../../../src/base/errors.ts';
import { openDatabase } from '../../../../src/core/database/open.ts';
import { moveIntoPlaceUnderLock } from '../../../../src/core/database/sqlite/create.ts';
import { bundleProgram } from '../bundle.ts';
import { NOTES, type NotesSchema } from '../notes.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'swapctl-creation-'));
const freshPath = (): string => join(folder(), 'notes.db');
/** What lies in a database's folder, but for what SQLite itself may still keep beside it. */
const beside = (path: string): readonly string[] =>
  readdirSync(join(path, '..')).filter((name) => !/^notes\.db-(?:wal|shm)$/.test(name));

async function openAndClose(path: string, allowEmptyFile = false): Promise<readonly string[]> {
  const database = await openDatabase<NotesSchema>(path, NOTES, { allowEmptyFile });
  const rows = await database.kysely.selectFrom('notes').select('id').orderBy('id').execute();
  await database.close();
  return rows.map(({ id }) => id);
}

async function refusal(path: string): Promise<StorageError> {
  const error: unknown = await openAndClose(path).catch((reason: unknown) => reason);
  if (!(error instanceof StorageError)) throw new Error(`expected a StorageError, got ${String(error)}`);
  return error;
}

/** Starts a program and resolves when it waits for the word. */
async function ready(program: string, ...args: string[]): Promise<ChildProcess> {
  const child = fork(program, args);
  await once(child, 'message');
  return child;
}

const exitOf = async (child: ChildProcess): Promise<unknown> => (await once(child, 'exit'))[0];

describe('an empty database file', () => {
  it('is rejected as damaged and left unchanged, until it is moved away', async () => {
    const path = freshPath();
    await openAndClose(path);
    truncateSync(path, 0);
    const error = await refusal(path);
    expect(error.message).toBe(`The database ${path} is damaged: it is empty.`);
    expect(error.hint).toBe('swapctl never overwrites it; move it away to start with a new one.');
    expect([statSync(path).size, beside(path)]).toEqual([0, ['notes.db']]);
    renameSync(path, `${path}.torn`);
    expect(await openAndClose(path)).toEqual([]);
  });

  it('is used as a new database with allowEmptyFile', async () => {
    const path = freshPath();
    writeFileSync(path, '', { mode: 0o600 });
    expect(await openAndClose(path, true)).toEqual([]);
    expect(await openAndClose(path)).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

it('a missing database file is not created through a broken link', async () => {
  const path = freshPath();
  symlinkSync(join(folder(), 'away.db'), path);
  expect((await refusal(path)).message).toBe(`The database ${path} is a broken link.`);
});

describe('a database file', () => {
  it('may be a link, and has its log next to the target', async () => {
    const [path, link] = [freshPath(), freshPath()];
    await openAndClose(path);
    symlinkSync(path, link);
    const database = await openDatabase<NotesSchema>(link, NOTES);
    await database.kysely.insertInto('notes').values({ id: 'a', body: '', seen_at: 1 }).execute();
    expect([existsSync(`${path}-wal`), existsSync(`${link}-wal`)]).toEqual([true, false]);
    await database.close();
  });

  it.each([':memory:', 'file:notes?mode=memory', 'a b%20?#.db'])('may be named %s', async (name) => {
    const path = join(folder(), name);
    await openAndClose(path);
    expect(statSync(path).size).toBeGreaterThan(0);
  });

  it('is rejected if it is a pipe', async () => {
    const path = freshPath();
    execFileSync('mkfifo', ['-m', '600', path]);
    expect((await refusal(path)).message).toBe(`The database ${path} is not a file.`);
  });

  it.each([
    ['of another program', 'root:x:0:0:root:', (path: string) => `The file ${path} is not a database.`],
    ['that is empty', '', (path: string) => `Others can read the empty file ${path}.`],
  ])('%s is rejected without advice to change its permissions', async (_what, content, message) => {
    const path = freshPath();
    writeFileSync(path, content, { mode: 0o644 });
    const error = await refusal(path);
    expect([error.message, error.hint]).toEqual([message(path), expect.stringMatching(/^Use another file/)]);
    expect([statSync(path).mode & 0o777, readFileSync(path, 'utf8')]).toEqual([0o644, content]);
  });

  it('has no temporary files next to it, not even those of killed processes', async () => {
    const path = freshPath();
    const [draft, lock, other] = [`${path}.new-0123456789abcdef`, `${path}.new-lock`, `${path}.new-idea`];
    for (const file of [draft, lock, other]) writeFileSync(file, '', { mode: 0o600 });
    await openAndClose(path);
    expect(beside(path)).toEqual(['notes.db', 'notes.db.new-idea']);
    linkSync(path, draft);
    await openAndClose(path);
    expect(beside(path)).toEqual(['notes.db', 'notes.db.new-idea']);
  });
});

const opener = await bundleProgram(new URL('../open-notes.ts', import.meta.url), 'open-notes');
const publisher = await bundleProgram(new URL('./publish-once.ts', import.meta.url), 'publish-once');

describe('processes that create one database at the same time', () => {
  const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
  const runAll = async (program: string, path: string) => {
    const children = await Promise.all(ids.map((id) => ready(program, path, id)));
    for (const child of children) child.send('go');
    expect(await Promise.all(children.map(exitOf))).toEqual(ids.map(() => 0));
  };

  it('all use the same database', async () => {
    const path = join(folder(), 'state', 'swapctl', 'notes.db');
    await runAll(opener, path);
    expect(await openAndClose(path)).toEqual(ids);
    expect(beside(path)).toEqual(['notes.db']);
  });

  it('leave a complete database or none when they are killed', async () => {
    const killed = async (delay: number): Promise<void> => {
      const path = freshPath();
      const child = await ready(opener, path, 'a');
      child.send('go');
      await pause(delay);
      child.kill('SIGKILL');
      await exitOf(child);
      if (existsSync(path)) expect(statSync(path).size).toBeGreaterThan(0);
      for (const name of readdirSync(join(path, '..')))
        expect(statSync(join(path, '..', name)).mode & 0o777).toBe(0o600);
      expect([[], ['a']]).toContainEqual(await openAndClose(path));
      expect(beside(path)).toEqual(['notes.db']);
    };
    for (let delay = 0; delay < 30; delay += 6) await Promise.all([delay, delay + 2, delay + 4].map(killed));
    // Fifteen processes start one after the other.
  }, 60_000);

  it('have one winner if the file system has no links', async () => {
    const path = freshPath();
    await runAll(publisher, path);
    const winner = readFileSync(path, 'utf8');
    const losers = ids.filter((id) => id !== winner).map((id) => `notes.db.${id}`);
    expect(beside(path).filter((name) => name !== 'notes.db.new-lock')).toEqual(['notes.db', ...losers]);
    moveIntoPlaceUnderLock(`${path}.${losers[0]?.at(-1)}`, path);
    expect(readFileSync(path, 'utf8')).toBe(winner);
  });
});
