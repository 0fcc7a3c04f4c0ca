import { describe, expect, it } from 'vitest';
import { BOTH_DATABASES } from '../../core/database/databases.ts';
import { addOrders } from '../orders/many.ts';
import {
  call,
  diffOf,
  NEW_SWAP,
  newOrder,
  openState,
  QUOTE,
  sandboxForTest,
  statusOf,
  testSandbox,
} from '../sandbox.ts';

describe.each(BOTH_DATABASES)('a sandbox snapshot on $kind', ({ fresh }) => {
  it('restores orders, events, faults, partners and clock', async () => {
    const sandbox = await sandboxForTest({ database: await fresh() });
    const { operator, clock } = sandbox;
    const [waiting, funded] = [await newOrder(sandbox), await newOrder(sandbox)];
    await operator.orders.deposit(funded);
    const second = await operator.partners.add('second');
    await operator.faults.add({ endpoint: 'get-all-coins', status: 500, times: 2 });
    expect((await call(sandbox, 'get-all-coins')).status).toBe(500);
    await operator.clock.advance(1000);
    const saved = await operator.snapshots.save('a');
    expect(saved).toMatchObject({ name: 'a', orders: 2, replaced: false, savedAt: clock.now() });
    expect(saved.now).toBe(clock.now() + 1000);
    const [orders, faults] = [await operator.orders.list(), await operator.faults.list()];

    await operator.orders.move(funded, 'freeze');
    const later = await newOrder(sandbox);
    await operator.partners.remove('second');
    await operator.faults.clear();
    await operator.clock.advance(86_400_000);
    clock.pass(5000);
    expect(await operator.snapshots.load('a')).toMatchObject({ name: 'a', orders: 2 });

    expect([await operator.orders.list(), await operator.faults.list()]).toEqual([orders, faults]);
    expect((await operator.clock.read()).now).toBe(saved.now);
    expect((await call(sandbox, 'get-transaction', { id: later })).status).toBe(404);
    expect([await statusOf(sandbox, waiting), await statusOf(sandbox, funded)]).toEqual([9, 1]);
    const read = await call({ ...sandbox, credentials: second }, 'get-coin-network', { coin: 'BTC' });
    expect(read.status).toBe(200);
    const statuses = [await call(sandbox, 'get-all-coins'), await call(sandbox, 'get-all-coins')];
    expect(statuses.map(({ status }) => status)).toEqual([500, 200]);
    clock.pass(10 * 60_000);
    expect(await statusOf(sandbox, funded)).toBe(4);
  });

  it('when loaded, makes new orders repeat the numbers created since it was saved only if the sandbox has a seed', async () => {
    for (const seed of [undefined, 7]) {
      const clockStart = seed === undefined ? {} : { seed, clockStart: 1_800_000_000_000 };
      const sandbox = await testSandbox({ database: await fresh(), ...clockStart });
      await newOrder(sandbox);
      await sandbox.operator.snapshots.save('one');
      const second = await newOrder(sandbox);
      await sandbox.operator.snapshots.load('one');
      expect((await newOrder(sandbox)) === second).toBe(seed !== undefined);
      expect(await sandbox.operator.orders.list()).toHaveLength(2);
      await sandbox.stop();
    }
  });

  it('is replaced by a later one of the same name, kept by a reset, and can be removed', async () => {
    const sandbox = await sandboxForTest({ database: await fresh() });
    const { operator } = sandbox;
    await operator.snapshots.save('empty');
    await newOrder(sandbox);
    await operator.snapshots.save('full');
    expect(await operator.snapshots.save('empty')).toMatchObject({ orders: 1, replaced: true });
    await operator.reset();
    expect((await operator.snapshots.list()).map(({ name, orders }) => [name, orders])).toEqual([
      ['full', 1],
      ['empty', 1],
    ]);
    await operator.snapshots.remove('full');
    expect((await operator.snapshots.list()).map(({ name }) => name)).toEqual(['empty']);
    await expect(operator.snapshots.load('full')).rejects.toMatchObject({ code: 'not_found' });
    await expect(operator.snapshots.remove('full')).rejects.toMatchObject({ code: 'not_found' });
    await expect(operator.snapshots.save('a b')).rejects.toMatchObject({ code: 'usage' });
    await expect(operator.snapshots.load('\0')).rejects.toMatchObject({ code: 'not_found' });
    expect(await operator.orders.list()).toEqual([]);
    await operator.snapshots.load('empty');
    expect(await operator.orders.list()).toHaveLength(1);
  });

  it('with a damaged row is rejected, and the current state is kept', async () => {
    const sandbox = await sandboxForTest({ database: await fresh() });
    const { operator } = sandbox;
    const order = await newOrder(sandbox);
    await operator.faults.add({ endpoint: 'get-all-coins', status: 500 });
    for (const name of ['order', 'empty', 'fault', 'good']) await operator.snapshots.save(name);
    const database = await openState(sandbox.database);
    const { kysely } = database;
    const saved = await kysely.selectFrom('sandbox_snapshots').select(['name', 'generation']).execute();
    const of = (wanted: string) => saved.find(({ name }) => name === wanted)?.generation ?? -1;
    const setTerms = (name: string, terms: string) =>
      kysely.updateTable('sandbox_orders').set({ terms }).where('generation', '=', of(name)).execute();
    await setTerms('order', '{"type":');
    await setTerms('empty', '{}');
    const faults = kysely.updateTable('sandbox_faults').where('generation', '=', of('fault'));
    await faults.set({ rule: '{"status":7}' }).execute();
    const damaged = { order: `order ${order}`, empty: `order ${order}`, fault: 'fault 1' };
    for (const [name, what] of Object.entries(damaged))
      await expect(operator.snapshots.load(name)).rejects.toMatchObject({
        code: 'storage_failed',
        message: `The snapshot ${name} is damaged: ${what} cannot be read. It was not loaded.`,
      });
    await expect(operator.snapshots.diff('order', 'good')).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining(`order ${order} is damaged`),
    });
    expect(await statusOf(sandbox, order)).toBe(9);
    await operator.snapshots.load('good');
    for (const { name } of saved) await operator.snapshots.remove(name);
    // Removed snapshots leave no rows.
    const rows = await kysely.selectFrom('sandbox_orders').select('generation').execute();
    expect(rows).toEqual(await kysely.selectFrom('sandbox_state').select('generation').execute());
    await database.close();
  });

  it('is loaded in one step for every request, even while two are loaded at the same time', async () => {
    const database = await fresh();
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const [sandbox, other] = [await testSandbox({ database, log }), await testSandbox({ database, log })];
    const { operator } = sandbox;
    const keys = sandbox.credentials;
    // In state a the order waits for its deposit and the second partner exists; state b is a day later, paused.
    const order = await newOrder(sandbox);
    const second = await operator.partners.add('second');
    const late = { refundAddress: 'tb1qother' };
    await operator.snapshots.save('a');
    await operator.orders.deposit(order);
    await operator.orders.move(order, 'pause');
    await call(sandbox, 'update-refund-address', { id: order, ...late });
    await operator.partners.remove('second');
    await operator.faults.add({ endpoint: 'get-coin-network', status: 500 });
    await operator.clock.advance(86_400_000);
    await operator.snapshots.save('b');
    const priceAt: Record<string, string> = {};
    for (const name of ['a', 'b']) {
      await operator.snapshots.load(name);
      priceAt[name] = (await call(sandbox, 'exchange-coin', QUOTE)).text;
    }

    let isOver = false;
    const seen = { a: 0, b: 0 };
    const client = async (place: typeof sandbox) => {
      while (!isOver) {
        const answers = await Promise.all([
          call(place, 'get-transaction', { id: order }),
          call(place, 'exchange-coin', QUOTE),
          call({ ...place, credentials: second }, 'get-coin-network', { coin: 'BTC' }),
          call(place, 'get-coin-network', { coin: 'BTC' }),
          call(place, 'update-refund-address', { id: order, ...late }),
          call({ ...place, credentials: second }, 'create-transaction', NEW_SWAP),
        ]);
        const [read, price, ofSecond, ofFirst, refund, created] = answers;
        expect([9, 10]).toContain(read?.json.status);
        // A paused order without its deposit would mix both states.
        expect(read?.json.txId === '').toBe(read?.json.status === 9);
        expect(Object.values(priceAt)).toContain(price?.text);
        expect([200, 403]).toContain(ofSecond?.status);
        expect([200, 500]).toContain(ofFirst?.status);
        expect(refund?.status).toBe(200);
        expect([201, 403]).toContain(created?.status);
        if (created?.status === 201)
          expect(created.json.pairs.receive.coin.value).toBe(JSON.parse(priceAt['a'] ?? '').receive);
        seen[read?.json.status === 9 ? 'a' : 'b'] += 1;
      }
    };
    const clients = Promise.all([client(sandbox), client(other), client(other)]);
    clients.catch(() => (isOver = true));
    // A busy machine may need more turns until the clients have met both states.
    const isEnough = (turn: number) => turn >= 200 || (turn >= 8 && Math.min(seen.a, seen.b) > 0);
    for (let turn = 0; !isOver && !isEnough(turn); turn += 1) {
      const [one, two] = turn % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      await Promise.all([operator.snapshots.load(one ?? ''), other.operator.snapshots.load(two ?? '')]);
      await call({ ...sandbox, credentials: keys }, 'exchange-coin', QUOTE);
    }
    isOver = true;
    await clients;
    expect(Math.min(seen.a, seen.b)).toBeGreaterThan(0);
    // A request that is restarted in the new state is not logged as an error.
    expect(lines.filter((line) => line.startsWith('error:'))).toEqual([]);
    await operator.snapshots.load('b');
    expect(await diffOf(operator, 'b', null)).toMatchObject({ same: true });
    expect(await operator.orders.list()).toHaveLength(1);
    await sandbox.stop();
    await other.stop();
  }, 60_000);
});

describe.each(BOTH_DATABASES)('a snapshot diff on $kind', ({ fresh }) => {
  it('lists additions, removals and changes, except those due to time alone', async () => {
    const sandbox = await sandboxForTest({ database: await fresh() });
    const { operator, clock } = sandbox;
    const [gone, moved, alone] = [await newOrder(sandbox), await newOrder(sandbox), await newOrder(sandbox)];
    await operator.orders.deposit(alone);
    await operator.partners.add('old');
    const { id } = await operator.faults.add({ endpoint: 'get-all-coins', status: 500, times: 1 });
    await operator.snapshots.save('a');
    clock.pass(3000);
    expect(await diffOf(operator, 'a', null)).toMatchObject({ same: true, from: { name: 'a' } });

    await operator.orders.deposit(moved, '0.2');
    await call(sandbox, 'get-all-coins');
    await operator.partners.remove('old');
    await operator.partners.add('new');
    const added = await newOrder(sandbox);
    const diff = await diffOf(operator, 'a', null);
    expect(diff).toMatchObject({ same: false, to: { name: null } });
    expect(diff.orders).toMatchObject({ added: [{ order: added, status: 'new' }], removed: [] });
    expect(diff.orders.changed.map(({ order }: { order: string }) => order)).toEqual([moved]);
    expect(diff.orders.changed[0]?.changes).toMatchObject({
      status: ['new', 'confirmation'],
      'deposit.amount': ['0.1', '0.2'],
      events: [0, 1],
    });
    expect(diff.partners).toEqual({ added: [{ name: 'new' }], removed: [{ name: 'old' }], changed: [] });
    expect(diff.faults.changed).toMatchObject([{ id, changes: { seen: [0, 1], fired: [0, 1] } }]);
    expect(diff.clock.changes).toEqual({});

    await operator.clock.advance(600_000);
    await operator.snapshots.save('b');
    const later = await diffOf(operator, 'a', 'b');
    expect(later.clock.changes).toEqual({ advancedSeconds: [0, 600] });
    expect(later.orders.changed.map(({ order }: { order: string }) => order)).toEqual([moved, alone]);
    expect(later.orders.changed[1]?.changes).toMatchObject({ status: ['confirmation', 'success'] });
    const back = await diffOf(operator, 'b', 'a');
    expect(back.orders).toMatchObject({ added: [], removed: [{ order: added }] });
    await operator.snapshots.load('a');
    clock.pass(30_000);
    expect(await diffOf(operator, 'a', null)).toMatchObject({ same: true });
    await operator.reset();
    const { removed } = (await diffOf(operator, 'a', null)).orders;
    expect(removed.map(({ order }: { order: string }) => order)).toEqual([gone, moved, alone]);
    await expect(operator.snapshots.diff('nothing', null)).rejects.toMatchObject({ code: 'not_found' });
  });
});

// Only on a file, because the moment at which a server reads is not known.
it('a snapshot diff throws storage_failed if one of its snapshots is replaced while it reads', async () => {
  const sandbox = await sandboxForTest();
  const { operator } = sandbox;
  await addOrders(sandbox, 500, true);
  await operator.snapshots.save('a');
  await operator.clock.advance(86_400_000);
  await operator.snapshots.save('b');
  const { orders, same } = await operator.snapshots.diff('a', 'b');
  expect([orders.removed.length, orders.changed.length, same]).toEqual([0, 500, false]);
  const replaced = operator.snapshots.diff('a', 'b');
  replaced.catch(() => undefined);
  // The first orders of both have been read.
  await new Promise((resolve) => setImmediate(resolve));
  await operator.snapshots.save('b');
  await expect(replaced).rejects.toMatchObject({ code: 'storage_failed' });
  await operator.reset();
  expect((await operator.snapshots.diff('a', null)).orders.removed).toHaveLength(500);
});
