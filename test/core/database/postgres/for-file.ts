import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres } from './server.ts';

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
