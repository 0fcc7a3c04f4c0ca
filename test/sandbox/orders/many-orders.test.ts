import { afterAll, describe, expect, it } from 'vitest';
import { call, readAnswer, type TestAnswer, testSandbox } from '../sandbox.ts';
import { addOrders } from './many.ts';

const ORDERS = 6000;

async function admin(method: string, path: string, body?: object): Promise<TestAnswer> {
  const response = await fetch(`${sandbox.adminUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.adminToken}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return readAnswer(response);
}

const sandbox = await testSandbox({ adminPort: 0 });
await addOrders(sandbox, ORDERS);

afterAll(() => sandbox.stop());

/** How many requests of a client are answered, one after the other, while some work goes on. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  let underWay = true;
  void work.finally(() => {
    underWay = false;
  });
  let answered = 0;
  while (underWay) {
    expect((await call(sandbox, 'get-coin-network', { coin: 'BTC' })).status).toBe(200);
    answered += 1;
  }
  return answered;
}

describe('a sandbox with very many orders', () => {
  it('answers others while it lists them, each once and newest first', async () => {
    const listing = admin('GET', '/orders');
    expect(await answeredDuring(listing)).toBeGreaterThan(5);
    const orders: { order: string }[] = (await listing).json;
    expect(new Set(orders.map(({ order }) => order)).size).toBe(ORDERS);
  });

  it('lists them in pages that join without a gap', async () => {
    const all: string[] = (await admin('GET', '/orders?limit=250')).json.map(({ order }: never) => order);
    const first: string[] = (await admin('GET', '/orders?limit=120')).json.map(({ order }: never) => order);
    const second: string[] = (await admin('GET', `/orders?after=${first.at(-1)}&limit=130`)).json.map(
      ({ order }: never) => order,
    );
    expect([...first, ...second]).toEqual(all);
    const oldest = (await admin('GET', '/orders')).json.at(-1).order;
    expect((await admin('GET', `/orders?after=${oldest}`)).json).toEqual([]);
  });

  it('reports an order to list after that does not exist', async () => {
    for (const after of ['nothing', 'ZZZZZZ', '%1b']) {
      const answer = await admin('GET', `/orders?after=${after}`);
      expect([answer.status, answer.json.error.code]).toEqual([404, 'not_found']);
      expect(answer.text).not.toContain('\u001b');
    }
  });

  it('responds to others while its clock advances, and reports every transition in order', async () => {
    const advance = admin('POST', '/clock/advance', { milliseconds: 3_600_000 });
    expect(await answeredDuring(advance)).toBeGreaterThan(5);
    const { transitions } = (await advance).json;
    expect(transitions).toHaveLength(ORDERS);
    const names: string[] = transitions.map(({ order }: { order: string }) => order);
    expect(names).toEqual(names.toSorted());
    expect((await admin('GET', '/clock')).json.offsetSeconds).toBe(3600);
  });

  it('keeps the state of every order when its clock is set back', async () => {
    expect((await admin('POST', '/clock/reset')).json.offsetSeconds).toBe(0);
    const orders: { status: string; endedAt: string }[] = (await admin('GET', '/orders')).json;
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['overdue']));
    expect(new Set(orders.map(({ endedAt }) => endedAt)).size).toBe(1);
  });
});
