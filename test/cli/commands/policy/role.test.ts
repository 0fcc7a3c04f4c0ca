import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { freshPostgres } from '../../../core/database/postgres/fresh.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';

const DOCS = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'policy.md');

it('a PostgreSQL role as in docs/policy.md can create swaps but not change policy data', async () => {
  const home = await temporaryFolder();
  const owner = await freshPostgres();
  const agent = new URL(owner);
  const role = `agent_${agent.pathname.slice(1)}`;
  [agent.username, agent.password] = [role, 'agent'];
  const [, grants = ''] = /```sql\n([\s\S]*?)```/.exec(readFileSync(DOCS, 'utf8')) ?? [];
  const cap = { version: 1, rules: [{ cap: { coin: 'BTC', amount: '1', per: '24h' } }] };
  const run = (location: string, ...args: readonly (string | object)[]) =>
    runHere([...args.filter((arg) => typeof arg === 'string'), '--sandbox', '--json'], {
      home,
      env: { SWAPCTL_LEDGER: location },
      input: JSON.stringify(args.find((arg) => typeof arg === 'object') ?? cap),
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
  const own = new pg.Client({ connectionString: agent.href });
  await own.connect();
  const denied = async (...statements: readonly string[]) => {
    for (const statement of statements)
      await expect(own.query(statement), statement).rejects.toThrow('permission denied');
  };
  const counted = 'select id, account, outcome, counted_at, deposit_amount from intents';
  const before = (await client.query(counted)).rows;
  expect(Math.abs(Date.now() - Number(before[0].counted_at))).toBeLessThan(60_000);
  await denied(
    ...['0', 'null', '9999999999999', 'counted_at + 1'].map((at) => `update intents set counted_at = ${at}`),
    `update intents set account = 'another'`,
    `update intents set deposit_asset = 'LTC:LTC'`,
    `update intents set deposit_amount = '0'`,
    `update intents set outcome = 'refused'`,
    `update intents set outcome = 'not-sent'; update intents set outcome = 'unknown', counted_at = 0`,
    'insert into intents select * from intents on conflict (id) do update set counted_at = 0',
    'update intents set given_back = 1',
    'delete from intents',
    'truncate intents',
  );
  expect((await client.query(counted)).rows).toEqual(before);
  await client.query(`update guards set owner_key = 'ed25519:pinned'`);
  for (const [outcome, order] of [
    ['unknown', 'null'],
    ['unknown', `'LOST1'`],
    ['dismissed', `'LOST1'`],
  ] as const) {
    await client.query('alter table intents disable trigger keep_counts');
    await client.query(`update intents set outcome = '${outcome}', order_number = ${order}`);
    await client.query('alter table intents enable trigger keep_counts');
    await denied(
      'update intents set given_back = 1',
      ...(order === 'null' ? [] : ['update intents set order_number = null']),
      ...(order === 'null' ? [] : [`update intents set outcome = 'refused'`]),
    );
  }
  await own.query(`insert into intents select (json_populate_record(i, '{"id":"own","outcome":"not-sent",
    "order_number":null,"idempotency_key":null,"counted_at":null}')).* from intents i limit 1`);
  await denied(`update intents set given_back = 1 where id = 'own'`);
  await own.query(`update intents set outcome = 'unknown', given_back = 1, counted_at = 0 where id = 'own'`);
  const [claimed] = (await client.query(`select counted_at, given_back from intents where id = 'own'`)).rows;
  expect([claimed.given_back, Number(claimed.counted_at) > Date.now() - 60_000]).toEqual([0, true]);
  await client.query(`delete from intents where id = 'own'`);
  await client.query(`update guards set owner_key = null`);
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
  const { publicKey } = JSON.parse((await run(owner, 'policy', 'approvals', 'key')).stdout);
  const approve = { version: 1, rules: [{ approve: { by: [publicKey], within: '15m' } }] };
  expect((await run(owner, 'policy', 'set', '-', approve)).error).toBeNull();
  const wanted = await run(agent.href, ...create);
  const { id } = (wanted.error?.details?.['approval'] ?? {}) as { id: string };
  expect((await run(agent.href, 'policy', 'approvals', 'grant', id, '--yes')).error?.code).toBe(
    'storage_failed',
  );
  expect((await run(owner, 'policy', 'approvals', 'grant', id, '--yes')).error).toBeNull();
  expect((await run(agent.href, ...create, '--approval', id)).error).toBeNull();
  await denied(
    `update approvals set state = 'granted', request = '{}'`,
    'delete from approval_uses',
    `update audit set body = ''`,
    'delete from audit',
  );
  await own.end();
  expect((await run(agent.href, ...create, '--approval', id)).error?.code).toBe('approval_required');
  const { checks } = JSON.parse((await run(agent.href, 'doctor')).stdout);
  expect(checks.find(({ name }: { name: string }) => name === 'ledger')).toMatchObject({ state: 'ok' });
  await client.query(`drop owned by ${role}; drop role ${role}`);
  await client.end();
});
