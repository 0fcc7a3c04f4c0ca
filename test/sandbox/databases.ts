import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres } from '../database/postgres/server.ts';
import { freshFile } from './sandbox.ts';

/** A kind of database, and how to get a fresh one of it. */
export interface DatabaseKind {
  readonly kind: 'sqlite' | 'postgres';
  readonly fresh: () => Promise<string>;
}

/** Both kinds of database for `describe.each`; a PostgreSQL server runs while the file's tests do. */
export function bothDatabases(): readonly DatabaseKind[] {
  const server = postgresForFile();
  return [
    { kind: 'sqlite', fresh: async () => freshFile() },
    { kind: 'postgres', fresh: async () => (await server()).database() },
  ];
}

/** Starts a PostgreSQL server for a test file and stops it at the end. */
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
