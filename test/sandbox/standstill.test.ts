import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { DatabaseSync } from '../../src/core/database/sqlite/connection.ts';
import { openOperator } from '../../src/sandbox/operator/operator.ts';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { freshPostgres } from '../core/database/postgres/fresh.ts';
import { call, NEW_SWAP, newOrder, type Place, testSandbox } from './sandbox.ts';
import { serverProcesses } from './server-process.ts';

/** More creates than fit into one transaction, so that some wait. */
const CREATES = 140;

async function timed(place: Place): Promise<{ status: number; after: number; order?: string }> {
  const began = performance.now();
  const answer = await call(place, 'create-transaction', NEW_SWAP);
  return { status: answer.status, after: performance.now() - began, order: answer.json.orderNumber };
}

/** Takes the lock that creates need, as another program in a transaction does. */
async function hold(kind: 'sqlite' | 'postgres', database: string): Promise<() => Promise<void>> {
  if (kind === 'sqlite') {
    const other = new DatabaseSync(database);
    other.exec('begin exclusive');
    return async () => {
      other.exec('rollback');
      other.close();
    };
  }
  const client = new pg.Client(database);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query('select * from sandbox_state for update');
  return () => client.end();
}

describe.concurrent.each(BOTH_DATABASES)('a sandbox on a locked $kind database', ({ kind, fresh }) => {
  it('fails all creates after one timeout and answers reads immediately', async () => {
    const sandbox = await testSandbox({ database: await fresh() });
    const id = await newOrder(sandbox);
    const release = await hold(kind, sandbox.database);
    const creates = Promise.all(Array.from({ length: CREATES }, () => timed(sandbox)));
    expect((await call(sandbox, 'get-transaction', { id })).status).toBe(200);
    const answers = await creates;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
    expect(Math.min(...answers.map(({ after }) => after))).toBeGreaterThan(4_000);
    await release();
    expect(await newOrder(sandbox)).toMatch(/^[A-Z]{6}$/);
    expect(await sandbox.operator.orders.list()).toHaveLength(2);
    await sandbox.stop();
  });
});

/** Suspends a process inside a transaction, where a lock has kept it waiting. */
async function stopInside(child: ChildProcess, database: string): Promise<void> {
  const release = await hold('postgres', database);
  const watcher = new pg.Client(database);
  await watcher.connect();
  const sessions = async (condition: string): Promise<number> => {
    const { rows } = await watcher.query(
      `select count(*)::int as found from pg_stat_activity where datname = current_database() and ${condition}`,
    );
    return rows[0].found;
  };
  while ((await sessions(`wait_event_type = 'Lock'`)) === 0) await pause(5);
  child.kill('SIGSTOP');
  await release();
  while ((await sessions(`state = 'idle in transaction'`)) === 0) await pause(5);
  await watcher.end();
}

it('a sandbox suspended during a create blocks no other, and fails its own with 500', async () => {
  const database = await freshPostgres();
  const serve = await serverProcesses('serve-standstill');
  const [first, second] = [await serve(database), await serve(database)];
  let isOver = false;
  const made: string[] = [];
  const refused: number[] = [];
  const client = async () => {
    while (!isOver) {
      const { status, order } = await timed(first);
      if (order === undefined) refused.push(status);
      else made.push(order);
    }
  };
  // There is one client only: a second waiting create would get the lock next and hold it in the suspended process.
  const ended = client();
  await stopInside(first.child, database);
  const other = await timed(second);
  // The database ends a create that has waited for 4.5 seconds, so 201 means less.
  expect(other.status).toBe(201);
  first.child.kill('SIGCONT');
  for (const target = made.length + 20; made.length < target; ) await pause(5);
  isOver = true;
  await ended;
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused)).toEqual(new Set([500]));
  const operator = await openOperator({ database });
  const recorded = (await operator.orders.list()).map(({ order }) => order);
  expect(recorded.sort()).toEqual([...made, other.order].sort());
  await operator.close();
  for (const server of [first, second]) expect(await server.end('SIGTERM')).toBe(0);
});
