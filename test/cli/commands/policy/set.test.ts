import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/core/database/open.ts';
import { LEDGER_MIGRATIONS } from '../../../../src/core/ledger/migrations.ts';
import type { LedgerSchema } from '../../../../src/core/ledger/schema.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { amounts, type Desk, deskWith, ledgerOf } from '../batch/desk.ts';
import { checksIn } from '../doctor/checks.ts';

const CREATE = ['create', 'BTC', 'ETH', '0.1', '--address', ADDRESSES.eth, '--yes'];

const AFTER = '2099-01-01T00:00:00.000Z';
const BEFORE = '2000-01-01T00:00:00.000Z';

async function set(desk: Desk, expires: string | null, args: readonly string[] = []) {
  const file = desk.file(
    'policy.json',
    JSON.stringify({ version: 1, ...(expires === null ? {} : { expires }), rules: [{ open: { most: 1 } }] }),
  );
  expect((await desk.run(['policy', 'set', file, '--yes', ...args])).error).toBeNull();
}

/** The doctor's check of the policy. */
const examined = async (desk: Desk) => checksIn(await desk.run(['doctor', '--json'])).of('policy');

describe('swapctl doctor', () => {
  it('reports the policy, its expiry, suspensions, the owner key and a stop', async () => {
    const desk = await deskWith();
    expect(await examined(desk)).toBeUndefined();
    await desk.run(['policy', 'suspend', 'BTC']);
    expect((await examined(desk))?.detail).toBe('no policy, 1 suspension; no owner key pinned');
    await desk.run(['policy', 'unsuspend', 'BTC']);
    await set(desk, null);
    expect(await examined(desk)).toMatchObject({
      state: 'ok',
      detail: '1 rule, never expires; no owner key pinned',
    });
    const owner = ['--owner-key', desk.file('unused', '').replace('unused', 'owner.pem')];
    await set(desk, AFTER, owner);
    const pinned = `1 rule, expires ${AFTER}; owner key ed25519:`;
    expect((await examined(desk))?.detail).toContain(pinned);
    await desk.run(['policy', 'stop']);
    const stopped = await examined(desk);
    expect(stopped).toMatchObject({ state: 'warn', remedy: 'Lift the stop with `swapctl policy resume`.' });
    expect(stopped?.detail).toMatch(/^stopped by .*; 1 rule,/);
    await desk.run(['policy', 'resume', ...owner]);
    await set(desk, BEFORE, owner);
    expect((await examined(desk))?.detail).toContain('expired: everything is refused; 1 rule,');
  });

  it('fails the policy check if the stored policy cannot be read', async () => {
    const desk = await deskWith();
    await set(desk, null);
    const ledger = await openDatabase<LedgerSchema>(ledgerOf(desk), LEDGER_MIGRATIONS, { name: 'ledger' });
    await ledger.kysely.updateTable('guards').set({ policy: '{"version":9,"rules":[]}' }).execute();
    await ledger.close();
    expect(await examined(desk)).toMatchObject({
      state: 'fail',
      detail:
        'The stored policy cannot be read: Unsupported policy version; swapctl supports version 1. Everything is refused.',
      remedy: 'Restore a copy of the ledger, or store the policy again with `swapctl policy set`.',
    });
  });
});

it('the head of the audit chain is the same in report and history support, and accepted by policy audit verify', async () => {
  const desk = await deskWith();
  const { order } = JSON.parse((await desk.run([...CREATE, '--json'])).stdout) as { order: string };
  const head = async (...args: string[]) => {
    const { auditHead } = JSON.parse((await desk.run([...args, '--json'])).stdout) as { auditHead: string };
    return auditHead;
  };
  const verified = await head('report');
  expect(verified).toMatch(/^2:[0-9a-f]{64}$/);
  expect((await desk.run(['policy', 'audit', 'verify', '--head', verified])).error).toBeNull();
  expect(await head('history', 'support', order)).toBe(verified);
});

describe('swapctl policy set in a script', () => {
  it('stores the policy without --yes and prints the changes', async () => {
    const desk = await deskWith();
    const file = desk.file('policy.json', '{"version":1,"rules":[{"open":{"most":0}}]}');
    const { error, stderr } = await desk.run(['policy', 'set', file]);
    expect(error).toBeNull();
    expect(stderr).toContain('adds: at most 0 open swaps');
    expect((await desk.run(CREATE)).error).toMatchObject({ code: 'policy_refused' });
  });

  it('accepts a pair such as BTC_ETH, as quote names it', async () => {
    const desk = await deskWith();
    const file = desk.file('policy.json', '{"version":1,"rules":[{"suspend":{"pair":"BTC_ETH"}}]}');
    expect((await desk.run(['policy', 'set', file])).error).toBeNull();
    expect((await desk.run(CREATE)).error).toMatchObject({ code: 'policy_refused' });
    const { stdout } = await desk.run(['policy', 'suspend', 'btc_eth', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ suspended: [{ kind: 'pair' }] });
    expect((await desk.run(['policy', 'unsuspend', 'BTC/ETH'])).error).toBeNull();
  });
});

async function cap(desk: Desk, amount: string, per: string): Promise<void> {
  const rules = [{ cap: { coin: 'BTC', amount, per } }];
  await desk.run(['policy', 'set', desk.file('policy.json', JSON.stringify({ version: 1, rules }))]);
}

it('batch --dry-run lists the rows that the policy would refuse and counts nothing', async () => {
  const desk = await deskWith();
  await cap(desk, '0.5', '24h');
  const rows = desk.file('rows.csv', amounts('0.4', '0.6'));
  for (let time = 0; time < 2; time += 1) {
    const { error, stdout } = await desk.run(['batch', rows, '--dry-run', '--json']);
    expect(error).toBeNull();
    expect(JSON.parse(stdout)).toMatchObject({
      toCreate: 2,
      warnings: [
        {
          row: 2,
          warning:
            'The policy refuses this. A deposit of 0.6 BTC is over the cap of 0.5 BTC per 24h. 0 BTC used, 0.5 BTC left.',
        },
      ],
    });
  }
  expect(desk.service.posts()).toBe(0);
});

it('batch --dry-run wraps warnings between words and counts the warnings not shown', async () => {
  const desk = await deskWith();
  await cap(desk, '0.05', 'order');
  const rows = desk.file(
    'rows.csv',
    amounts(...Array.from({ length: 102 }, (_, index) => `0.${100 + index}`)),
  );
  const { stdout } = await desk.run(['batch', rows, '--dry-run'], { terminals: ['stdout'], columns: 60 });
  expect(stdout).toContain(
    '\n row 1: The policy refuses this. A deposit of 0.100 BTC is\n over the cap of 0.05 BTC per order.\n',
  );
  expect(stdout).toMatch(/\n [0-9]+ more warnings like these\.\n$/);
});
