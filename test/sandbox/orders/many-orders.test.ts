import { afterAll, describe, expect, it } from 'vitest';
import { admin as adminOf, call, testSandbox } from '../sandbox.ts';
import { addOrders } from './many.ts';

const ORDERS = 6000;

const sandbox = await testSandbox({ adminPort: 0 });
await addOrders(sandbox, ORDERS);
const admin = (method: string, path: string, body?: object) => adminOf(sandbox, method, path, body);

afterAll(() => sandbox.stop());

/** The number of requests that are answered one after the other while some work is in progress. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  let underWay = true;
  void work.finally(() => (underWay = false));
  let answered = 0;
  while (underWay) {
    expect((await call(sandbox, 'get-coin-network', { coin: 'BTC' })).status).toBe(200);
    answered += 1;
  }
  return answered;
}

describe('a sandbox with 6,000 orders', () => {
  it('answers other requests while it lists each order once', async () => {
    const listing = admin('GET', '/orders');
    expect(await answeredDuring(listing)).toBeGreaterThan(5);
    const orders: { order: string }[] = (await listing).json;
    expect(new Set(orders.map(({ order }) => order)).size).toBe(ORDERS);
  });

  it('lists its orders in pages without gaps', async () => {
    const all: string[] = (await admin('GET', '/orders?limit=250')).json.map(({ order }: never) => order);
    const first: string[] = (await admin('GET', '/orders?limit=120')).json.map(({ order }: never) => order);
    const second: string[] = (await admin('GET', `/orders?after=${first.at(-1)}&limit=130`)).json.map(
      ({ order }: never) => order,
    );
    expect([...first, ...second]).toEqual(all);
    const oldest = (await admin('GET', '/orders')).json.at(-1).order;
    expect((await admin('GET', `/orders?after=${oldest}`)).json).toEqual([]);
  });

  it('reports an unknown order in after as not_found', async () => {
    for (const after of ['nothing', 'ZZZZZZ', '%1b']) {
      const answer = await admin('GET', `/orders?after=${after}`);
      expect([answer.status, answer.json.error.code]).toEqual([404, 'not_found']);
      expect(answer.text).not.toContain('\u001b');
    }
  });

  it('answers other requests while its clock advances, and reports every transition in order', async () => {
    const advance = admin('POST', '/clock/advance', { milliseconds: 3_600_000 });
    expect(await answeredDuring(advance)).toBeGreaterThan(5);
    const { transitions } = (await advance).json;
    expect(transitions).toHaveLength(ORDERS);
    const names: string[] = transitions.map(({ order }: { order: string }) => order);
    expect(names).toEqual(names.toSorted());
    expect((await admin('GET', '/clock')).json.offsetSeconds).toBe(3600);
  });
});
