import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/core/database/database.ts';
import { openDatabase } from '../../src/core/database/open.ts';
import { DatabaseSync } from '../../src/core/database/sqlite/connection.ts';
import type { Order, RecordedOrder } from '../../src/sandbox/orders/order.ts';
import { OrderRepository, orderPagesOf } from '../../src/sandbox/orders/repository.ts';
import { initializeState } from '../../src/sandbox/state/initialize.ts';
import { SANDBOX_MIGRATIONS, type SandboxSchema } from '../../src/sandbox/state/schema.ts';
import { StateReplaced, stateRow } from '../../src/sandbox/state/state-row.ts';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { call, newOrder, openState, sandboxForTest, statusOf, type TestSandbox } from './sandbox.ts';

const side = {
  coin: 'BTC',
  name: 'Bitcoin "₿"',
  network: 'BTC',
  amount: '0.100000000000000000000000000001',
  address: 'a',
  memo: '',
  fee: '0',
  confirmations: 2,
};

function order(sequence: number): Order {
  return {
    orderNumber: `N${sequence}`,
    sequence,
    partnerKey: 'key',
    type: 'float',
    deposit: side,
    receive: { ...side, amount: '123456789012345678901234567890.5' },
    minAmount: '0.001',
    refundAddress: '',
    createdAt: 1_790_000_000_000 + sequence,
    windowMs: 1,
    confirmationMs: 2,
    exchangeMs: 3,
  };
}

async function insert(database: Database<SandboxSchema>, orders: readonly Order[]): Promise<void> {
  await database.transaction((tx) => new OrderRepository(tx).insert(0, orders));
}

const deposit = { kind: 'deposit', at: 1_790_000_000_500, amount: '0.2', receive: null, txId: 't' } as const;

const firstPage = async (...asked: Parameters<typeof orderPagesOf>): Promise<readonly RecordedOrder[]> =>
  (await orderPagesOf(...asked).next()).value ?? [];
const numbersOf = (orders: readonly RecordedOrder[]) => orders.map(({ order }) => order.sequence);

/** Takes the lock that a process holds while it upgrades a database. */
async function holdUpgrade(kind: 'sqlite' | 'postgres', location: string): Promise<() => Promise<void>> {
  if (kind === 'sqlite') {
    const other = new DatabaseSync(location);
    other.exec('begin immediate');
    return async () => other.close();
  }
  const client = new pg.Client(location);
  await client.connect();
  await client.query('select pg_advisory_lock(7905021)');
  return () => client.end();
}

describe.each(BOTH_DATABASES)('the orders of a sandbox on $kind', ({ kind, fresh }) => {
  const open = async (): Promise<Database<SandboxSchema>> => {
    const database = await openState(await fresh());
    onTestFinished(() => database.close());
    await initializeState(database, { now: Date.now });
    return database;
  };

  it('are read back unchanged, with their events in order', async () => {
    const database = await open();
    const orders = new OrderRepository(database.kysely);
    await insert(database, [order(1), order(2)]);
    await orders.append({ order: order(2), events: [] }, deposit);
    await orders.append({ order: order(2), events: [deposit] }, { kind: 'pause', at: deposit.at });
    const found = await orders.find(2);
    expect(found).toEqual({ order: order(2), events: [deposit, { kind: 'pause', at: deposit.at }] });
    expect(await orders.find(3)).toBeUndefined();
    expect(await orders.findIn({ generation: 0 }, 2)).toEqual(found);
    expect(await orders.findIn({ generation: 0 }, 3)).toBeUndefined();
    await expect(orders.findIn({ generation: 1 }, 2)).rejects.toBeInstanceOf(StateReplaced);
  });

  it('accept a refund address only from their own partner', async () => {
    const database = await open();
    const orders = new OrderRepository(database.kysely);
    await insert(database, [order(1)]);
    const update = { refundAddress: 'r', generation: 0 };
    const other = { ...update, partnerKey: 'key', generation: 1 };
    await expect(orders.setRefundAddress(1, other)).rejects.toBeInstanceOf(StateReplaced);
    expect(await orders.setRefundAddress(1, { ...update, partnerKey: 'other' })).toBe(false);
    expect(await orders.setRefundAddress(2, { ...update, partnerKey: 'key' })).toBe(false);
    expect(await orders.setRefundAddress(1, { ...update, partnerKey: 'key' })).toBe(true);
    expect((await orders.find(1))?.order.refundAddress).toBe('r');
  });

  it('are read in pages, newest first', async () => {
    const database = await open();
    await insert(database, [1, 2, 3, 4, 5].map(order));
    await new OrderRepository(database.kysely).append({ order: order(3), events: [] }, deposit);
    expect(numbersOf(await firstPage(database, { limit: 2 }))).toEqual([5, 4]);
    expect(numbersOf(await firstPage(database, { limit: 2, before: 4 }))).toEqual([3, 2]);
    expect((await firstPage(database, { limit: 1, before: 4 }))[0]?.events).toEqual([deposit]);
    expect(await firstPage(database, { limit: 2, before: 1 })).toEqual([]);
  });

  it('are found by the period in which their status may change, which an event extends', async () => {
    const database = await open();
    const orders = new OrderRepository(database.kysely);
    const created = order(0).createdAt;
    // The deposit window of each ends a millisecond after its creation.
    await insert(database, [1, 2, 3, 4, 5].map(order));
    const during = async (after: number, until: number) =>
      numbersOf(await firstPage(database, { changing: [created + after, created + until] }));
    expect(await during(3, 5)).toEqual([4, 3]);
    expect(await during(6, 400)).toEqual([]);
    await orders.append({ order: order(2), events: [] }, { ...deposit, receive: '1' });
    // A late deposit is confirmed after 4 ms, exchanged after 3 ms and paid out after 4 ms more.
    expect([await during(6, 400), await during(510, 511), await during(511, 512)]).toEqual([[2], [2], []]);
  });

  it('are in one state with one partner if several connections open the database at the same time', async () => {
    const location = await fresh();
    const first = await openState(location);
    const opened = [first, await openState(location), await openState(location)];
    const states = await Promise.all(opened.map((database) => initializeState(database, { now: Date.now })));
    expect(new Set(states.map((state) => state.master_key)).size).toBe(1);
    const partners = await first.kysely.selectFrom('sandbox_partners').select('name').execute();
    expect(partners).toEqual([{ name: 'default' }]);
    expect((await stateRow(first.kysely)).partners_made).toBe(1);
    await Promise.all(opened.map((database) => database.close()));
  });

  it('are opened after another process has upgraded them, with a notice', async () => {
    const location = await fresh();
    await (await openDatabase(location, [], { name: 'first' })).close();
    const release = await holdUpgrade(kind, location);
    let opening: Promise<Database<SandboxSchema>> | undefined;
    await new Promise<void>((onUpgradeWait) => {
      opening = openDatabase(location, SANDBOX_MIGRATIONS, { name: 'sandbox', onUpgradeWait });
    });
    await release();
    await (await opening)?.close();
  });
});

describe.each(BOTH_DATABASES)('two sandbox servers on one $kind database', ({ fresh }) => {
  async function pair(): Promise<readonly [TestSandbox, TestSandbox]> {
    const database = await fresh();
    return [await sandboxForTest({ database }), await sandboxForTest({ database })];
  }

  it('share orders, partners, clock and faults immediately', async () => {
    const [one, two] = await pair();
    expect(two.credentials).toEqual(one.credentials);
    const id = await newOrder(one);
    expect(await statusOf(two, id)).toBe(9);
    await one.operator.orders.deposit(id);
    expect(await statusOf(two, id)).toBe(1);
    await two.operator.clock.advance(3_600_000);
    expect(await statusOf(one, id)).toBe(4);
    expect(await statusOf(two, id)).toBe(4);
    const credentials = await two.operator.partners.add('late');
    expect((await call({ ...one, credentials }, 'get-all-coins')).status).toBe(200);
    await one.operator.faults.add({ status: 500, times: 3 });
    const statuses = [];
    for (const place of [one, two, one, two, one]) statuses.push((await call(place, 'get-all-coins')).status);
    expect(statuses).toEqual([500, 500, 500, 200, 200]);
  });

  it('apply only one of simultaneous moves of an order', async () => {
    const [one, two] = await pair();
    const id = await newOrder(one);
    await one.operator.orders.deposit(id);
    const places = [one, two, one, two, one, two, one, two];
    const moves = await Promise.allSettled(places.map(({ operator }) => operator.orders.move(id, 'pause')));
    expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await two.operator.orders.list())[0]?.transitions.map(({ to }) => to)).toEqual([1, 10]);
  });

  it('inject a fault exactly as often as its rule says', async () => {
    const [one, two] = await pair();
    await one.operator.faults.add({ status: 500, times: 9 });
    await one.operator.faults.add({ status: 404, endpoint: 'get-coin-network', times: 4 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        call(index % 2 === 0 ? one : two, 'get-coin-network', { coin: 'BTC' }),
      ),
    );
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect([count(500), count(404), count(200)]).toEqual([9, 4, 37]);
  });
});
