import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InMemory } from '../../src/core/database/database.ts';
import { BusyError } from '../../src/core/database/failures.ts';
import { openDatabase } from '../../src/core/database/open.ts';
import { openOperator } from '../../src/sandbox/operator/operator.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { SANDBOX_MIGRATIONS, type SandboxSchema } from '../../src/sandbox/state/schema.ts';
import { call, newOrder, statusOf } from './sandbox.ts';

const open = (memory: InMemory, busyTimeout: number) =>
  openDatabase<SandboxSchema>(memory, SANDBOX_MIGRATIONS, { name: 'sandbox', busyTimeout });

describe('a sandbox in memory', () => {
  it('is shared by a server and an operator with the same InMemory object only', async () => {
    const database = new InMemory();
    const [one, two] = [
      await startSandbox({ database, rateLimit: { count: 5, windowSeconds: 3600 } }),
      await startSandbox({ database: new InMemory() }),
    ];
    const operator = await openOperator({ database });
    expect(two.credentials).not.toEqual(one.credentials);
    const order = await newOrder(one);
    expect((await operator.orders.deposit(order)).status).toBe(1);
    expect(await statusOf(one, order)).toBe(1);
    expect((await call(two, 'get-transaction', { id: order })).status).toBe(404);
    const credentials = await operator.partners.add('second');
    const statuses = [];
    for (let read = 0; read < 6; read += 1)
      statuses.push((await call({ ...one, credentials }, 'get-all-coins')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    await operator.reset();
    expect((await call({ ...one, credentials }, 'get-all-coins')).status).toBe(200);
    expect(await operator.info()).toMatchObject({ kind: 'sqlite', orders: 0, partners: 2 });
    expect(operator.location).toBe('memory');
    for (const each of [operator, one, two]) await each.close();
  });

  it('lets readers wait for a transaction until their timeout', async () => {
    const memory = new InMemory();
    const [writer, patient, hasty] = [
      await open(memory, 5000),
      await open(memory, 5000),
      await open(memory, 50),
    ];
    const partners = ({ kysely }: typeof writer) =>
      kysely.selectFrom('sandbox_partners').select('name').execute();
    let finish = (): void => undefined;
    const added = writer.transaction(async (tx) => {
      const row = { generation: 0, public_key: 'a', name: 'a', secret: '', position: 1 };
      await tx.insertInto('sandbox_partners').values(row).execute();
      await new Promise<void>((resolve) => (finish = resolve));
    });
    await pause(1);
    const seen = partners(patient);
    await expect(partners(hasty)).rejects.toBeInstanceOf(BusyError);
    finish();
    await added;
    expect(await seen).toEqual([{ name: 'a' }]);
    await Promise.all([writer, patient, hasty].map((each) => each.close()));
  });
});
