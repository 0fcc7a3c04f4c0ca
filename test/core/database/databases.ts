import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshPostgres } from './postgres/fresh.ts';

/** A kind of database, and how to get a fresh one of it. */
interface DatabaseKind {
  readonly kind: 'sqlite' | 'postgres';
  readonly fresh: () => Promise<string>;
}

const SQLITE: DatabaseKind = {
  kind: 'sqlite',
  fresh: async () => join(mkdtempSync(join(tmpdir(), 'swapctl-test-')), 'test.db'),
};
const POSTGRES: DatabaseKind = { kind: 'postgres', fresh: freshPostgres };

/** Both kinds of database for `describe.each`; without PostgreSQL in `npm run test:fast`. SQLite is the first. */
export const BOTH_DATABASES: readonly [DatabaseKind, ...DatabaseKind[]] =
  process.env['SWAPCTL_TEST_FAST'] === '1' ? [SQLITE] : [SQLITE, POSTGRES];
