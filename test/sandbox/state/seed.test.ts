import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { SqliteConnection } from '../../../src/core/database/sqlite/connection.ts';
import type { EndpointName } from '../../../src/core/partner-api/endpoints.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { SEEDED_CLOCK } from '../../../src/sandbox/state/assumptions.ts';
import {
  admin,
  call,
  freshFile,
  NEW_SWAP,
  newOrder,
  QUOTE,
  sandboxForTest,
  type TestSandbox,
  testSandbox,
} from '../sandbox.ts';

const CALLS = [
  ['exchange-coin', QUOTE],
  ['create-transaction', NEW_SWAP],
  ['get-transaction', { id: 'NOSUCH' }],
] as const;

/** All rows of a database, table by table. */
function dump(path: string): string {
  const sqlite = new SqliteConnection(path, 1000);
  const tables = sqlite.run(`select name from sqlite_master where type = 'table' order by name`).rows as {
    name: string;
  }[];
  const content = tables.map(({ name }) => [name, sqlite.run(`select * from ${name} order by 1, 2`).rows]);
  sqlite.close();
  return JSON.stringify(content);
}

/** The responses to a fixed sequence of requests and operator actions, as text. */
async function story(sandbox: TestSandbox): Promise<readonly string[]> {
  const answers: string[] = [];
  const keep = async (endpoint: EndpointName, parameters: Readonly<Record<string, unknown>>) => {
    const answer = await call(sandbox, endpoint, parameters);
    answers.push(`${answer.status} ${answer.headers.get('ratelimit-remaining')} ${answer.text}`);
  };
  await keep('exchange-coin', QUOTE);
  const id = await newOrder(sandbox);
  const other = await newOrder(sandbox, { typeSwap: 1 });
  await sandbox.operator.orders.deposit(id);
  await sandbox.operator.faults.add({ probability: 0.5, status: 500 });
  await sandbox.operator.partners.add('acme');
  sandbox.clock.pass(5000);
  for (let index = 0; index < 8; index += 1)
    await keep('get-transaction', { id: index % 2 === 0 ? id : other });
  await sandbox.operator.clock.advance(3_600_000);
  await sandbox.operator.faults.clear();
  await keep('get-transaction', { id });
  await keep('update-refund-address', { id: other, refundAddress: 'r' });
  await keep('exchange-coin', QUOTE);
  return answers;
}

async function storyOf(seed?: number) {
  const sandbox = await testSandbox(seed === undefined ? {} : { seed });
  const answers = await story(sandbox);
  await sandbox.stop();
  return { answers, dumped: dump(sandbox.database) };
}

describe('a sandbox with a seed', () => {
  it('has the same responses and database after the same calls', async () => {
    const [one, two] = [await storyOf(7), await storyOf(7)];
    expect(two.answers).toEqual(one.answers);
    expect(two.dumped).toBe(one.dumped);
    expect(one.answers.filter((answer) => answer.startsWith('500')).length).toBeGreaterThan(0);
  });

  it('returns the same bytes whatever time passes and whenever the log is written', async () => {
    const answersWith = async (pause: number, logEvery: number): Promise<readonly string[]> => {
      const options = { seed: 7, ...SEEDED_CLOCK, adminPort: 0, keepsRequests: true };
      const sandbox = await testSandbox({ ...options, rateLimit: { count: 20, windowSeconds: 30 } });
      const answers: string[] = [];
      for (let index = 0; index < 80; index += 1) {
        const [endpoint, parameters] = CALLS[index % CALLS.length] ?? CALLS[0];
        const { status, headers, text } = await call(sandbox, endpoint, parameters);
        answers.push(JSON.stringify([status, [...headers], text]));
        sandbox.clock.pass(pause);
        // Reading the log writes pending requests, for which the state is read.
        if (index % logEvery === 0) await admin(sandbox, 'GET', '/requests');
      }
      await sandbox.stop();
      return answers;
    };
    const quick = await answersWith(0, 1000);
    expect(new Set(quick.map((answer) => answer.slice(1, 4)))).toEqual(new Set(['200', '201', '404', '429']));
    expect(await answersWith(7_300, 3)).toEqual(quick);
  });

  it('has other responses and another database with another seed or none', async () => {
    const all = [await storyOf(7), await storyOf(8), await storyOf(), await storyOf()];
    expect(new Set(all.map(({ dumped }) => dumped)).size).toBe(4);
    expect(new Set(all.map(({ answers }) => answers.join())).size).toBe(4);
  });

  it('stores its seed and rejects another one', async () => {
    const database = freshFile();
    const first = await startSandbox({ database, seed: 1 });
    await first.close();
    const again = await startSandbox({ database });
    expect(again.credentials).toEqual(first.credentials);
    await again.close();
    await expect(startSandbox({ database, seed: 2 })).rejects.toThrow(
      'The database of the sandbox was created with seed 1, not 2.',
    );
    const free = freshFile();
    await (await startSandbox({ database: free })).close();
    await expect(startSandbox({ database: free, seed: 2 })).rejects.toBeInstanceOf(UsageError);
  });

  it('repeats its order numbers after a reset', async () => {
    const sandbox = await sandboxForTest({ seed: 3 });
    const first = await newOrder(sandbox);
    await sandbox.operator.reset();
    expect(await newOrder(sandbox)).toBe(first);
  });
});
