import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import type { PostgresBinaries } from './binaries.ts';

const READY = 'database system is ready to accept connections';

// A test database may lose everything in a power cut; waiting for the disk would only slow the tests, as would tidying
// hundreds of databases that are used once.
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'autovacuum=off',
  // No one copies these databases either, so the log may be short.
  'wal_level=minimal',
  'max_wal_senders=0',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
];

/** A running server. */
export interface PostgresProcess {
  /** Breaks all connections, and resolves once the process is gone. */
  stop(): Promise<void>;
}

/** Makes a cluster whose user `postgres` has the password. Throws with what initdb said where it fails. */
export async function initialise(binaries: PostgresBinaries, data: string, password: string): Promise<void> {
  const passwordFile = `${data}.password`;
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const child = run(binaries.initdb, binaries, [
    `--pgdata=${data}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=password',
    '--no-sync',
    '--encoding=UTF8',
    '--no-locale',
  ]);
  const printed = collect(child);
  const [code] = await once(child, 'close');
  rmSync(passwordFile);
  if (code !== 0) throw new Error(`The tests' PostgreSQL could not be set up: ${printed()}`);
}

/** Starts a server on a port of 127.0.0.1. Throws with what it said where it ends before it is ready. */
export async function startServer(
  binaries: PostgresBinaries,
  data: string,
  port: number,
): Promise<PostgresProcess> {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const child = run(binaries.postgres, binaries, ['-D', data, '-p', `${port}`, ...settings]);
  const printed = collect(child);
  const closed = once(child, 'close');
  // A test run that is cut short leaves no server behind.
  const onExit = (): void => void child.kill('SIGINT');
  process.once('exit', onExit);
  const forget = () => process.off('exit', onExit);
  closed.then(forget, forget);
  const isReady = await Promise.race([ready(child, printed), closed.then(() => false)]);
  if (!isReady) throw new Error(`The tests' PostgreSQL could not be started: ${printed()}`);
  return {
    stop: async () => {
      child.kill('SIGINT');
      await closed;
    },
  };
}

function run(program: string, { user }: PostgresBinaries, args: readonly string[]): ChildProcess {
  return spawn(program, args, { ...user, cwd: '/', env: { ...process.env, LC_ALL: 'C' } });
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.resume();
  child.stderr?.on('data', (chunk: Buffer) => {
    text = `${text}${chunk}`.slice(-4000);
  });
  return () => text;
}

function ready(child: ChildProcess, printed: () => string): Promise<true> {
  return new Promise((resolve) => {
    child.stderr?.on('data', () => {
      if (printed().includes(READY)) resolve(true);
    });
  });
}
