import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { postgresForFile } from '../core/database/postgres/for-file.ts';
import { ownsPostgres } from '../core/database/postgres/server.ts';
import { call, NEW_SWAP, newOrder, sandboxForTest } from './sandbox.ts';

const server = postgresForFile();

describe('a sandbox on PostgreSQL', () => {
  it.runIf(ownsPostgres())('responds with 500 while PostgreSQL is down', async () => {
    const postgres = await server();
    const lines: string[] = [];
    const sandbox = await sandboxForTest({
      database: await postgres.database(),
      log: (line) => lines.push(line),
    });
    const id = await newOrder(sandbox);
    await postgres.stop();
    const failures = [
      ['get-all-coins', {}, 'Error retrieving coins data.'],
      ['exchange-coin', {}, 'Failed to process the request.'],
      ['get-transaction', { id }, 'Failed to process the request.'],
      ['create-transaction', NEW_SWAP, 'Failed create transaction.'],
      ['update-refund-address', { id, refundAddress: 'r' }, 'Failed to update refund address'],
    ] as const;
    for (const [endpoint, parameters, message] of failures) {
      const answer = await call(sandbox, endpoint, parameters);
      expect(answer.json).toEqual({ statusCode: 500, message });
    }
    await postgres.start();
    expect((await call(sandbox, 'get-transaction', { id })).json.orderNumber).toBe(id);
    const next = await newOrder(sandbox);
    const orders = await sandbox.operator.orders.list();
    expect(orders.map(({ order, refundAddress }) => [order, refundAddress])).toEqual([
      [next, null],
      [id, null],
    ]);
    expect(lines.filter((line) => line.startsWith('error: '))).toHaveLength(failures.length);
    expect(lines.join('\n')).not.toContain('password');
  });

  it.runIf(ownsPostgres())('keeps every acknowledged order when the server stops under load', async () => {
    const postgres = await server();
    const sandbox = await sandboxForTest({ database: await postgres.database() });
    await newOrder(sandbox);
    const flood = Promise.all(
      Array.from({ length: 80 }, () => call(sandbox, 'create-transaction', NEW_SWAP)),
    );
    const stopped = postgres.stop();
    const answers = await flood;
    await stopped;
    await postgres.start();
    const made = answers.filter(({ status }) => status === 201).map(({ json }) => json.orderNumber);
    expect(answers.filter(({ status }) => status !== 201 && status !== 500)).toEqual([]);
    const orders = await sandbox.operator.orders.list();
    expect(orders.map(({ order }) => order)).toEqual(expect.arrayContaining(made));
    expect(await newOrder(sandbox)).toMatch(/^[A-Z]{6}$/);
  });
});

it('a reset of a sandbox on PostgreSQL waits for a create in progress and leaves no order', async () => {
  const database = await (await server()).database();
  const sandbox = await sandboxForTest({ database, seed: 3 });
  await newOrder(sandbox);
  const client = new pg.Client(database);
  await client.connect();
  await client.query('begin');
  await client.query('update sandbox_state set orders_made = orders_made + 1');
  const reset = sandbox.operator.reset();
  for (let waiting = '0'; waiting === '0'; ) {
    const { rows } = await client.query('select count(*) as locks from pg_locks where not granted');
    waiting = rows[0].locks;
  }
  await client.query(`insert into sandbox_orders (generation, sequence, order_number, partner_key, refund_address, created_at, changes_from, changes_until, terms)
      select generation, sequence + 1, 'ZZZZZZ', partner_key, refund_address, created_at, changes_from, changes_until, terms from sandbox_orders`);
  await client.query('commit');
  await client.end();
  await reset;
  expect(await sandbox.operator.orders.list()).toEqual([]);
  expect(await newOrder(sandbox)).toMatch(/^[A-Z]{6}$/);
});
