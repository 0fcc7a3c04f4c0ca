import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../../helpers/free-port.ts';
import { postgresBinaries } from './binaries.ts';
import { initialise, startServer } from './process.ts';

const PASSWORD = 'password';

/** A PostgreSQL server; every call of `database` gives a URL of a fresh, empty database. */
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
  const binaries = await postgresBinaries();
  const folder = mkdtempSync(join(binaries.place, 'swapctl-postgres-'));
  const { uid, gid } = binaries.user;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const data = join(folder, 'data');
  await initialise(binaries, data, PASSWORD);
  const port = await freePort();
  let server = await startServer(binaries, data, port);
  return {
    database: () => createDatabase(`postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`),
    stop: () => server.stop(),
    start: async () => {
      server = await startServer(binaries, data, port);
    },
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
      binaries.remove();
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
  // Where no disk is waited for, a copy of files takes a fifth of the time of one through the log: 8 ms, not 43.
  await onServer(admin, `create database ${name} strategy file_copy`);
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
