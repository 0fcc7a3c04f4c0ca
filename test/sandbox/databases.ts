import { afterAll, beforeAll } from 'vitest';
import { freshPostgres } from '../database/postgres/fresh.ts';
import { type PostgresServer, startPostgres } from '../database/postgres/server.ts';
import { freshFile } from './sandbox.ts';

/** A kind of database, and how to get a fresh one of it. */
export interface DatabaseKind {
  readonly kind: 'sqlite' | 'postgres';
  readonly fresh: () => Promise<string>;
}

/** Both kinds of database for `describe.each`. */
export const BOTH_DATABASES: readonly DatabaseKind[] = [
  { kind: 'sqlite', fresh: async () => freshFile() },
  { kind: 'postgres', fresh: freshPostgres },
];

/** Starts a PostgreSQL server that a test file may stop, and removes it at the end. */
export function postgresForFile(): () => Promise<PostgresServer> {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());
  return async () => {
    if (server === undefined) throw new Error('The PostgreSQL server runs only while tests do.');
    return server;
  };
}
