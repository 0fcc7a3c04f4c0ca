import { afterEach, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../../../src/base/errors.ts';
import { approvalResult, approvalsView } from '../../../../src/cli/commands/policy/approvals.ts';
import type { CreateIntent } from '../../../../src/core/ledger/entry.ts';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { type GuardedRequest, guardedRefund } from '../../../../src/core/ledger/policy/request.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { OWNER } from '../entries.ts';
import { openTables } from '../tables.ts';
import {
  AT,
  approvalIdOf,
  approvedBy,
  BTC,
  closeLedgers,
  DAY,
  grantShown,
  open,
  REFUND_REQUEST,
  set,
  signer,
} from './gates.ts';

afterEach(closeLedgers);

const INTENT: CreateIntent = {
  ...BTC,
  receive: { coin: 'USDT', network: 'TRX' },
  type: 'fixed',
  address: 'TPayout',
  memo: 'memo-1',
  refundAddress: 'bc1qrefund',
  minReceive: '100',
};
const LABELS = { invoice: '7' };
const REFUND: GuardedRequest = guardedRefund(REFUND_REQUEST);

/** Changes one part of what is stored, at its path in the request. */
const PARTS: readonly (readonly [path: string, value: unknown])[] = [
  ['kind', 'refund'],
  ['host', 'other.example.com'],
  ['request.deposit.coin', 'LTC'],
  ['request.deposit.network', 'LIGHTNING'],
  ['request.receive.coin', 'USDC'],
  ['request.receive.network', 'ETH'],
  ['request.amount', '0.1'],
  ['request.asked', '0.1'],
  ['request.lastSource', 'receive'],
  ['request.type', 'float'],
  ['request.address', 'TStranger'],
  ['request.memo', null],
  ['request.memo', 'memo-2'],
  ['request.refundAddress', null],
  ['request.refundAddress', 'bc1qstranger'],
  ['request.minReceive', '90'],
  ['labels.invoice', '8'],
  ['labels.more', 'x'],
  ['labels', {}],
  ['request', null],
];
const REFUND_PARTS: typeof PARTS = [
  ['order', 'ORDER2'],
  ['refundAddress', 'bc1qstranger'],
  ['deposit.coin', 'LTC'],
  ['deposit.network', 'LIGHTNING'],
  ['deposit.amount', '0.1'],
  ['host', 'other.example.com'],
];
const COLUMNS = [
  ['environment', 'live'],
  ['policy', 'another'],
  ['digest', 'another'],
  ['account', 'another'],
] as const;

/** What a promise is fulfilled or rejected with. */
const endOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

function changed(text: string, path: string, value: unknown): string {
  const whole = JSON.parse(text);
  const names = path.split('.');
  const parent = names.slice(0, -1).reduce((part, name) => part[name], whole);
  parent[names.at(-1) ?? ''] = value;
  return JSON.stringify(whole);
}

describe.each(BOTH_DATABASES)('an approval whose stored request was altered, on $kind', ({ fresh }) => {
  const key = signer();

  async function scene() {
    const location = await fresh();
    const ledger = await open(location);
    const database = await openTables(location);
    await set(ledger, approvedBy(key));
    const rowOf = (id: string) =>
      database.kysely.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return { ledger, database, rowOf };
  }
  const given = (approval: string | null) => (approval === null ? null : { id: approval });
  const asked = (ledger: Ledger, approval: string | null = null, intent = INTENT): Promise<unknown> => {
    const content = { ...intent, labels: LABELS };
    return endOf(ledger.claim(OWNER, content, null, AT, { approval: given(approval) }));
  };
  const refund = (ledger: Ledger, approval: string | null = null): Promise<unknown> =>
    endOf(ledger.gate.refund(OWNER, REFUND, given(approval), AT));
  const REFUSED = { code: 'policy_refused', exitCode: 12 };

  it('is shown as altered and cannot be used, and each attempt is in the audit chain', async () => {
    const { ledger, database, rowOf } = await scene();
    for (const [parts, ask] of [
      [PARTS, asked],
      [REFUND_PARTS, refund],
    ] as const) {
      const id = approvalIdOf(await ask(ledger));
      await grantShown(ledger, id, key, AT);
      const row = await rowOf(id);
      const write = (values: object) =>
        database.kysely.updateTable('approvals').set(values).where('id', '=', id).execute();
      const alterations = [
        ...parts.map(([path, value]) => ({ request: changed(row.request, path, value) })),
        ...COLUMNS.map(([column, value]) => ({ [column]: value })),
      ];
      for (const alteration of alterations) {
        const what = JSON.stringify(alteration);
        await write({ state: 'pending', ...alteration });
        expect((await ledger.approvals.byId(id, AT))?.state, what).toBe('altered');
        await expect(grantShown(ledger, id, key, AT), what).rejects.toMatchObject(REFUSED);
        await write({ ...row, state: 'granted', ...alteration });
        // Under another account it is none of this one's.
        if (!('account' in alteration)) expect(await ask(ledger, id), what).toMatchObject(REFUSED);
        await write(row);
      }
      expect(await ask(ledger, id), 'as it was requested').not.toBeInstanceOf(Error);
    }
    const links = [];
    for await (const { body } of ledger.audit.links()) links.push(JSON.parse(body).type);
    expect(links.filter((type) => type === 'approval.altered').length).toBeGreaterThan(50);
    expect(await ledger.audit.verify(null)).toMatchObject({ problems: [] });
    await database.close();
  });

  it('cannot be used if its deposit amount or expiry was rewritten after the signature', async () => {
    const { ledger, database, rowOf } = await scene();
    const ask = (amount: string, approval: string | null) =>
      asked(ledger, approval, { ...INTENT, lastSource: 'receive', asked: '900', amount });
    const id = approvalIdOf(await ask('0.5', null));
    await grantShown(ledger, id, key, AT);
    const row = await rowOf(id);
    const write = (values: object) => database.kysely.updateTable('approvals').set(values).execute();
    await write({ request: changed(row.request, 'request.amount', '5') });
    expect((await ledger.approvals.byId(id, AT))?.state).toBe('altered');
    expect(await ask('5', id)).toMatchObject(REFUSED);
    await write({ until: row.until + 1 });
    expect(await ask('0.5', id)).toMatchObject(REFUSED);
    await write(row);
    expect(await ask('0.5', id)).toMatchObject({ outcome: 'not-sent' });
    await database.close();
  });

  it('cannot be used if it is valid for longer than the policy allows', async () => {
    const { ledger, database } = await scene();
    const id = approvalIdOf(await asked(ledger));
    const until = AT + 365 * DAY;
    await database.kysely.updateTable('approvals').set({ until }).execute();
    await grantShown(ledger, id, key, AT);
    const message = expect.stringContaining(`Approval ${id} is valid for longer than the policy allows.`);
    expect(await asked(ledger, id)).toMatchObject({ message });
    await database.close();
  });

  it.each([
    { until: 9e15 },
    { requested_at: -9e15 },
    { wanted: '[[7]]' },
    { wanted: '[]' },
    { grants: '[{"key":7}]' },
    { grants: `[{"key":"","signature":"","actor":"","at":9e15}]` },
    { request: '[]' },
    { request: '{"kind":"create"}' },
  ])('neither hides others nor approves anything when it is unreadable: %j', async (values) => {
    const { ledger, database } = await scene();
    const id = approvalIdOf(await asked(ledger));
    await database.kysely.updateTable('approvals').set(values).execute();
    const other = approvalIdOf(await refund(ledger));
    const all = approvalsView((await ledger.approvals.list(null, AT)).map(approvalResult), AT);
    const rows = [...all.rows()].filter((row) => row[1] !== 'altered');
    expect(rows.map((row) => row[0])).toEqual([other]);
    expect(await asked(ledger, id)).toBeInstanceOf(SwapctlError);
    await database.close();
  });
});
