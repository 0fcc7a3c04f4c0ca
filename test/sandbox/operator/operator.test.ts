import { describe, expect, it } from 'vitest';
import { SwapctlError, UsageError } from '../../../src/base/errors.ts';
import { smallCatalogue } from '../catalogue/small-catalogue.ts';
import { call, freshFile, newOrder, openState, sandboxForTest, statusOf } from '../sandbox.ts';

const start = (options: Parameters<typeof sandboxForTest>[0] = {}) =>
  sandboxForTest({ catalogue: smallCatalogue(), ...options });

describe('a deposit to a sandbox order', () => {
  it('takes the order through every status to success, as its partner sees it', async () => {
    const sandbox = await start();
    const id = await newOrder(sandbox);
    const seen = [await statusOf(sandbox, id)];
    await sandbox.operator.orders.deposit(id);
    const begin = sandbox.clock.now();
    for (const pass of [0, 4000, 5000, 6000]) {
      sandbox.clock.pass(pass);
      seen.push(await statusOf(sandbox, id));
    }
    expect(seen).toEqual([9, 1, 3, 12, 4]);
    const { json } = await call(sandbox, 'get-transaction', { id });
    const time = (after: number): string => new Date(begin + after).toISOString();
    expect(json).toMatchObject({
      txId: expect.stringMatching(/^[0-9a-f]{64}$/),
      confirmation: 2,
      receivedTime: time(0),
      gettingInTheBlock: time(2000),
      riskScore: expect.any(Number),
      swapTime: { start: time(0), end: time(9000), duration: '00:00:09' },
      receiveTransaction: {
        txId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        address: json.pairs.receive.address,
        receivedTime: time(9000),
        gettingInTheBlock: time(11_000),
        amount: json.pairs.receive.coin.value,
        confirmation: 3,
        fees: 0,
      },
    });
  });

  it('is processed faster by the time scale of the server that created the order', async () => {
    const sandbox = await start({ timeScale: 1000 });
    const id = await newOrder(sandbox);
    await sandbox.operator.orders.deposit(id);
    sandbox.clock.pass(15);
    expect(await statusOf(sandbox, id)).toBe(4);
  });

  it('requires an existing order and an amount within the decimals of the coin', async () => {
    const { operator, ...sandbox } = await start();
    const id = await newOrder(sandbox);
    for (const unknown of ['ABCDEF', 'abc'])
      await expect(operator.orders.deposit(unknown)).rejects.toMatchObject({ code: 'not_found' });
    for (const amount of ['1,5', '0', '-1', '0.123456789', '1e3'])
      await expect(operator.orders.deposit(id, amount)).rejects.toMatchObject({ code: 'invalid_amount' });
    expect(await statusOf(sandbox, id)).toBe(9);
  });
});

describe('a sandbox operator', () => {
  it('advances the clock without reading orders that cannot change', async () => {
    const { operator, database: location, ...sandbox } = await start({ database: freshFile() });
    const id = await newOrder(sandbox);
    const database = await openState(location);
    const { kysely } = database;
    const { terms } = await kysely.selectFrom('sandbox_orders').select('terms').executeTakeFirstOrThrow();
    const write = (text: string) => kysely.updateTable('sandbox_orders').set({ terms: text }).execute();
    await write('unreadable');
    expect((await operator.clock.advance(1)).transitions).toEqual([]);
    await write(terms);
    const { transitions } = await operator.clock.advance(60 * 60_000);
    expect(transitions).toMatchObject([{ order: id, from: 9, to: 5 }]);
    await write('unreadable');
    expect((await operator.clock.advance(1)).transitions).toEqual([]);
    await database.close();
  });

  it('moves an order along the allowed transitions only', async () => {
    const { operator, ...sandbox } = await start();
    const id = await newOrder(sandbox);
    await expect(operator.orders.move(id, 'pause')).rejects.toMatchObject({
      message: `Order ${id} cannot be moved by "pause": it is new (9), and status 9 does not allow it.`,
      hint: 'No move is allowed before its deposit: swapctl sandbox deposit <order>',
    });
    await operator.orders.deposit(id);
    expect((await operator.orders.move(id, 'pause')).status).toBe(10);
    await expect(operator.orders.move(id, 'fail')).rejects.toMatchObject({
      hint: 'Allowed now: resume, refund, succeed.',
    });
  });

  it('lists orders newest first with the names of their partners', async () => {
    const { operator, ...sandbox } = await start();
    const second = await operator.partners.add('second');
    const ids = [await newOrder(sandbox), await newOrder({ ...sandbox, credentials: second })];
    expect((await operator.orders.list()).map(({ order, partner }) => [order, partner])).toEqual([
      [ids[1], 'second'],
      [ids[0], 'default'],
    ]);
    expect((await operator.orders.list({ limit: 1 })).map(({ order }) => order)).toEqual([ids[1]]);
    await operator.partners.remove('second');
    expect((await operator.orders.list({ limit: 1 }))[0]?.partner).toBeNull();
  });

  it('adds and removes partners, except the default one', async () => {
    const { operator } = await start();
    const added = await operator.partners.add('acme.test-1');
    expect(added).toEqual({
      name: 'acme.test-1',
      publicKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await operator.partners.list()).map(({ name }) => name)).toEqual(['default', 'acme.test-1']);
    await expect(operator.partners.add('acme.test-1')).rejects.toThrow('Partner acme.test-1 already exists.');
    await expect(operator.partners.add('a b')).rejects.toBeInstanceOf(UsageError);
    const fixed = 'The default partner cannot be removed.';
    await expect(operator.partners.remove('default')).rejects.toThrow(fixed);
    await expect(operator.partners.remove('nobody')).rejects.toBeInstanceOf(SwapctlError);
    await operator.partners.remove('acme.test-1');
    expect((await operator.partners.add('acme.test-1')).publicKey).not.toBe(added.publicKey);
  });

  it('reports the contents of a running sandbox and can reset it', async () => {
    const { operator, ...sandbox } = await start({ rateLimit: { count: 3, windowSeconds: 60 } });
    const id = await newOrder(sandbox);
    await operator.faults.add({ status: 500, endpoint: 'get-all-coins' });
    await operator.clock.advance(5000);
    expect(await operator.info()).toEqual({
      kind: 'sqlite',
      orders: 1,
      partners: 1,
      faults: 1,
      coins: 6,
      networks: 6,
      seed: null,
      clock: { now: expect.any(Number), offset: 5000, standsStill: false },
    });
    expect(await statusOf(sandbox, id)).toBe(9);
    expect((await call(sandbox, 'get-coin-network', { coin: 'BTC' })).status).toBe(200);
    expect((await call(sandbox, 'get-coin-network', { coin: 'BTC' })).status).toBe(429);
    await operator.reset();
    expect(await operator.info()).toMatchObject({ orders: 0, partners: 1, faults: 0, clock: { offset: 0 } });
    expect((await call(sandbox, 'get-transaction', { id })).status).toBe(404);
    expect(await newOrder(sandbox)).not.toBe(id);
  });
});
