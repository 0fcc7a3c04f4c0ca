import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../helpers/free-port.ts';
import { hasTool } from '../../../helpers/tools.ts';

/** Debian puts it where only root looks. */
const PROGRAM = '/usr/sbin/pgbouncer';

/** Whether a PgBouncer can be started here. */
export const HAS_PGBOUNCER = hasTool(PROGRAM);

/** A PgBouncer in front of a database, which gives each transaction another connection. */
export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a PgBouncer in transaction mode with two connections to the server; `settings` are lines of its file. */
export async function startPgBouncer(database: string, settings: readonly string[] = []): Promise<PgBouncer> {
  const server = new URL(database);
  const folder = mkdtempSync(join(tmpdir(), 'swapctl-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const { hostname, port: serverPort, username, password } = server;
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username} password=${password}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 2',
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(PROGRAM, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      printed += String(chunk);
      if (printed.includes('process up')) resolve();
    });
    child.once('close', () => reject(new Error(`PgBouncer did not start: ${printed}`)));
  });
  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGKILL');
      await closed;
      process.off('exit', onExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
