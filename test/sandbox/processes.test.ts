import { describe, expect, it } from 'vitest';
import { openOperator } from '../../src/sandbox/operator/operator.ts';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { call, NEW_SWAP, type Place, statusOf } from './sandbox.ts';
import { serverProcesses } from './server-process.ts';

const serve = await serverProcesses('serve');

/** Creates orders until the budget is used up or the server is gone; the orders that were answered. */
async function keepCreating(place: Place, budget: ReturnType<typeof budgetOf>): Promise<readonly string[]> {
  const made: string[] = [];
  while (budget.take()) {
    const answer = await call(place, 'create-transaction', NEW_SWAP).catch(() => undefined);
    if (answer === undefined) break;
    if (answer.status === 201) made.push(answer.json.orderNumber);
  }
  return made;
}

/** Requests that all clients share; `halfway` is fulfilled when half of them have started. */
function budgetOf(requests: number) {
  let left = requests;
  let reached = (): void => undefined;
  const halfway = new Promise<void>((resolve) => (reached = resolve));
  const take = () => {
    left -= 1;
    if (left === requests / 2) reached();
    return left >= 0;
  };
  return { halfway, take };
}

describe.each(BOTH_DATABASES)('two sandbox processes on one $kind database', ({ fresh }) => {
  it('keep every acknowledged order once when one process is killed under load', async () => {
    const database = await fresh();
    const [first, second] = [await serve(database), await serve(database)];
    const budget = budgetOf(120);
    const work = [first, second, first, second, first, second].map((place) => keepCreating(place, budget));
    await budget.halfway;
    await first.end('SIGKILL');
    const made = (await Promise.all(work)).flat();
    expect(made.length).toBeGreaterThan(90);
    expect(new Set(made).size).toBe(made.length);

    const operator = await openOperator({ database });
    const orders = await operator.orders.list();
    const recorded = orders.map(({ order }) => order);
    expect(new Set(recorded).size).toBe(recorded.length);
    expect(recorded).toEqual(expect.arrayContaining(made));
    expect(new Set(orders.map(({ deposit }) => deposit.address)).size).toBe(orders.length);

    const last = made.at(-1) ?? '';
    await operator.orders.deposit(last);
    expect(await statusOf(second, last)).toBe(1);
    await operator.close();
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('together allow exactly the number of requests of the rate limit', async () => {
    const database = await fresh();
    const servers = [await serve(database, 150), await serve(database, 150)];
    const answers = await Promise.all(
      servers.flatMap((place) =>
        Array.from({ length: 120 }, () => call(place, 'get-coin-network', { coin: 'BTC' })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(150);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(90);
    for (const server of servers) expect(await server.end('SIGTERM')).toBe(0);
  });
});
