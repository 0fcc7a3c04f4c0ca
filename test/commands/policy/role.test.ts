import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { freshPostgres } from '../../database/postgres/fresh.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs', 'policy.md');

it('a PostgreSQL role with the grants of docs/policy.md creates swaps, and changes neither policy nor stop', async () => {
  const home = await temporaryFolder();
  const owner = await freshPostgres();
  const agent = new URL(owner);
  const role = `agent_${agent.pathname.slice(1)}`;
  [agent.username, agent.password] = [role, 'agent'];
  const [, grants = ''] = /```sql\n([\s\S]*?)```/.exec(readFileSync(DOCS, 'utf8')) ?? [];
  const run = (location: string, ...args: readonly string[]) =>
    runHere([...args, '--sandbox', '--json'], {
      ...{ home, env: { SWAPCTL_LEDGER: location } },
      input: JSON.stringify({ version: 1, rules: [{ cap: { coin: 'BTC', amount: '1', per: '24h' } }] }),
    });
  expect((await run(owner, 'policy', 'set', '-')).error).toBeNull();
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  await client.query(
    `create role ${role} login password 'agent'; ${grants.replaceAll(' agent;', ` ${role};`)}`,
  );

  const create = ['create', 'BTC', 'ETH', '0.4', '-a', ADDRESSES.eth, '--yes'];
  const created = await run(agent.href, ...create);
  expect(created.error).toBeNull();
  for (const args of [
    ['policy', 'set', '-'],
    ['policy', 'stop'],
  ])
    expect((await run(agent.href, ...args)).error, args.join(' ')).toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('permission denied for table guards'),
    });
  expect(
    (await run(agent.href, 'create', 'BTC', 'ETH', '0.7', '-a', ADDRESSES.eth, '--yes')).error?.code,
  ).toBe('policy_refused');
  const { checks } = JSON.parse((await run(agent.href, 'doctor')).stdout);
  expect(checks.find(({ name }: { name: string }) => name === 'ledger')).toMatchObject({ state: 'ok' });
  await client.query(`drop owned by ${role}; drop role ${role}`);
  await client.end();
});
