import { describe, expect, it } from 'vitest';
import type { DoctorCheck } from '../../../../src/cli/commands/doctor/view.ts';
import { openDatabase } from '../../../../src/core/database/open.ts';
import { LEDGER_MIGRATIONS } from '../../../../src/core/ledger/migrations.ts';
import type { LedgerSchema } from '../../../../src/core/ledger/schema.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { type Desk, deskWith, ledgerOf } from '../batch/desk.ts';

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
async function examined(desk: Desk) {
  const { checks } = JSON.parse((await desk.run(['doctor', '--json'])).stdout) as { checks: DoctorCheck[] };
  return checks.find(({ name }) => name === 'policy');
}

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
  const create = ['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes', '--json'];
  const { order } = JSON.parse((await desk.run(create)).stdout) as { order: string };
  const head = async (...args: string[]) => {
    const { auditHead } = JSON.parse((await desk.run([...args, '--json'])).stdout) as { auditHead: string };
    return auditHead;
  };
  const verified = await head('report');
  expect(verified).toMatch(/^2:[0-9a-f]{64}$/);
  expect((await desk.run(['policy', 'audit', 'verify', '--head', verified])).error).toBeNull();
  expect(await head('history', 'support', order)).toBe(verified);
});
