import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Migration } from '../../../../src/core/database/database.ts';
import { DatabaseSync } from '../../../../src/core/database/sqlite/connection.ts';
import { openReadOnly } from '../../../../src/core/database/sqlite/read-only.ts';
import { openSqlite } from '../../../../src/core/database/sqlite/sqlite.ts';
import { temporaryFolder } from '../../../helpers/home.ts';

const MIGRATIONS: readonly Migration[] = [{ version: 1, statements: ['create table swaps (id text)'] }];
const NEXT: Migration = { version: 2, statements: ['create table more (id text)'] };

async function database(): Promise<string> {
  const path = join(await temporaryFolder(), 'ledger.db');
  await (await openSqlite(path, MIGRATIONS, { name: 'ledger' })).close();
  return path;
}

const idsIn = (path: string) => {
  const opened = openReadOnly({ displayName: path, name: 'ledger', migrations: MIGRATIONS });
  const rows = opened?.connection.run('select id from swaps').rows;
  opened?.connection.close();
  opened?.forget();
  return rows;
};

describe('a database opened read-only', () => {
  it('is read in place without creating files', async () => {
    const path = await database();
    const writer = new DatabaseSync(path);
    writer.exec(`insert into swaps values ('one'); pragma wal_checkpoint(truncate)`);
    writer.close();
    const files = readdirSync(join(path, '..'));
    expect(idsIn(path)).toEqual([{ id: 'one' }]);
    expect(readdirSync(join(path, '..'))).toEqual(files);
  });

  it('includes the log of a killed process, by way of a temporary copy', async () => {
    const path = await database();
    const left = join(path, '..', 'left');
    mkdirSync(left);
    const killed = new DatabaseSync(path);
    killed.exec(`insert into swaps values ('in the log')`);
    for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, join(left, `ledger.db${ending}`));
    killed.close();
    const copies = () => readdirSync(tmpdir()).filter((name) => existsSync(join(tmpdir(), name, 'copy.db')));
    const before = copies();
    expect(idsIn(join(left, 'ledger.db'))).toEqual([{ id: 'in the log' }]);
    expect(readdirSync(left)).toEqual(['ledger.db', 'ledger.db-wal']);
    expect(copies()).toEqual(before);
  });

  it('rejects writes', async () => {
    const opened = openReadOnly({ displayName: await database(), name: 'ledger', migrations: MIGRATIONS });
    expect(() => opened?.connection.run(`insert into swaps values ('no')`)).toThrow(/is read-only\.$/);
    opened?.connection.close();
  });

  it.each([
    ['an older swapctl', [...MIGRATIONS, NEXT]],
    ['a newer swapctl', []],
  ])('is undefined if it was written by %s', async (_name, migrations) => {
    expect(openReadOnly({ displayName: await database(), name: 'ledger', migrations })).toBeUndefined();
  });

  it('is undefined if the file is missing', async () => {
    const displayName = join(await temporaryFolder(), 'none.db');
    expect(openReadOnly({ displayName, name: 'ledger', migrations: MIGRATIONS })).toBeUndefined();
  });
});
