import { afterEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { auditReads, auditWriter } from '../../../../src/core/ledger/policy/audit.ts';
import { refuseUnlessAllowed } from '../../../../src/core/ledger/policy/evaluate.ts';
import { approvalDigest, guardedCreate, guardedRefund } from '../../../../src/core/ledger/policy/request.ts';
import { parsePolicy } from '../../../../src/core/swap/policy/policy.ts';
import { words } from '../../../helpers/words.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { policyOf } from '../../swap/policy/samples.ts';
import { OTHER, OWNER } from '../entries.ts';
import { openTables } from '../tables.ts';
import {
  AT,
  approvedBy,
  BTC,
  CAP,
  closeLedgers,
  create,
  grantShown,
  open,
  REFUND_REQUEST,
  refused,
  set,
  signer,
} from './gates.ts';

afterEach(closeLedgers);

/** The facts of an audit chain, oldest first. */
async function facts(ledger: Ledger) {
  const all: { readonly type: string; readonly data: object }[] = [];
  for await (const { body } of ledger.audit.links()) all.push(JSON.parse(body));
  return all;
}

const CREATE = { intent: BTC, labels: {}, hasKey: false, quote: null, host: OWNER.host } as const;
const REFUND = guardedRefund(REFUND_REQUEST);

it('a guarded create lists whether it has a key, a refund address and a minimum payout', () => {
  const of = (more: object, hasKey = false) =>
    [...guardedCreate({ ...CREATE, intent: { ...BTC, ...more }, hasKey }).request.has].toSorted();
  expect(of({ refundAddress: null, minReceive: null })).toEqual([]);
  expect(of({ refundAddress: 'bc1q', minReceive: null })).toEqual(['refundAddress']);
  expect(of({ refundAddress: null, minReceive: '1' })).toEqual(['minReceive']);
  expect(of({ refundAddress: null, minReceive: null }, true)).toEqual(['idempotencyKey']);
});

it('a policy or suspension that could not be read back is not stored', async () => {
  const ledger = await open(await BOTH_DATABASES[0].fresh());
  // Written out, it is in the year 10000.
  const expires = '9999-12-31T23:59:59-14:00';
  const late = parsePolicy(JSON.stringify({ version: 1, expires, rules: [] }));
  if (!late.ok) throw new Error('The policy cannot be read.');
  await expect(set(ledger, late.policy)).rejects.toMatchObject({ code: 'usage' });
  const suspension = { what: { network: 'TRX' }, side: null, until: null, reason: 'x'.repeat(501) };
  await expect(ledger.guards.suspend(OWNER, suspension, AT)).rejects.toMatchObject({ code: 'usage' });
  await create(ledger);
});

const CONTEXT = { account: 'a', environment: 'live', policy: 'p' };

it('the digest of a create does not depend on the order of its labels', () => {
  const of = (...labels: readonly (readonly [string, string])[]) =>
    approvalDigest(guardedCreate({ ...CREATE, labels: Object.fromEntries(labels) }).subject, CONTEXT);
  const [a, b, c] = [['a', '1'] as const, ['b', '2'] as const, ['c', '3'] as const];
  expect(of(b, c, a)).toEqual(of(a, b, c));
  expect(of(a, b)).not.toEqual(of(a, b, c));
});

describe.each(BOTH_DATABASES)('the policy gate of a ledger on $kind', ({ fresh }) => {
  it('answers a check with its decision and writes nothing', async () => {
    const ledger = await open(await fresh());
    await set(ledger, CAP);
    const head = await ledger.audit.head();
    const guarded = guardedCreate({ ...CREATE, intent: { ...BTC, amount: '2' } });
    const answer = await ledger.gate.check(OWNER, guarded, null, AT);
    expect(answer).toMatchObject({ decision: 'refuse', approval: null });
    expect(await ledger.audit.head()).toEqual(head);
    const free = await (await open(await fresh())).gate.check(OWNER, guarded, null, AT);
    expect(free).toMatchObject({ decision: 'allow', policy: null });
  });

  it('answers a check with the open approval, and accepts any granted one', async () => {
    const ledger = await open(await fresh());
    const key = signer();
    await set(ledger, approvedBy(key));
    const guarded = guardedCreate(CREATE);
    const check = (approval: 'any' | null, at = AT) => ledger.gate.check(OWNER, guarded, approval, at);
    const none = await check('any');
    expect(none).toMatchObject({ decision: 'approve', approval: null });
    expect(() => refuseUnlessAllowed(none, 'any')).toThrow(
      expect.objectContaining({ hint: 'Nothing was sent.' }),
    );
    await expect(create(ledger)).rejects.toMatchObject({ code: 'approval_required' });
    const [{ id } = { id: '' }] = await ledger.approvals.list(null, AT);
    const asked = { id, until: '2026-11-22T13:00:00.000Z' };
    expect(await check('any')).toMatchObject({ decision: 'approve', approval: asked });
    const larger = guardedCreate({ ...CREATE, intent: { ...BTC, amount: '0.6' } });
    expect(await ledger.gate.check(OWNER, larger, null, AT)).toMatchObject({ approval: null });
    await grantShown(ledger, id, key, AT);
    expect(await check(null)).toMatchObject({ decision: 'approve', approval: asked });
    expect(await check('any')).toMatchObject({ decision: 'allow', approval: asked });
    expect(await check('any', AT + 3_600_000)).toMatchObject({ decision: 'approve', approval: null });
    await create(ledger, { approval: id });
    expect(await check('any')).toMatchObject({ decision: 'approve', approval: null });
  });

  it('applies a stop to its own account only', async () => {
    const ledger = await open(await fresh());
    const [mine, others] = [{ owner: OWNER }, { owner: OTHER }];
    await ledger.guards.stop(OWNER, null, AT);
    await create(ledger, others);
    await ledger.guards.stop(OTHER, null, AT);
    await ledger.guards.resume(OWNER, null, AT);
    await create(ledger, mine);
    await expect(create(ledger, others)).rejects.toMatchObject({ code: 'stopped' });
    await ledger.guards.resume(OTHER, null, AT);
    await ledger.guards.stop(OWNER, null, AT);
    await create(ledger, others);
    await expect(create(ledger, mine)).rejects.toMatchObject({ code: 'stopped' });
  });

  it('records each decision on a refund address with its reasons', async () => {
    const ledger = await open(await fresh());
    const refund = (approval: { id: string } | null = null) =>
      ledger.gate.refund(OWNER, REFUND, approval, AT);
    await refund();
    await set(ledger, policyOf([{ payout: { seen: 1 } }]));
    await expect(refund()).rejects.toMatchObject({
      ...refused,
      hint: 'Nothing was sent. See `swapctl policy show` for the rules and what is left of each.',
      details: { rules: [{ index: 0, kind: 'payout' }] },
    });
    const key = signer();
    await set(ledger, approvedBy(key));
    await expect(refund()).rejects.toMatchObject({
      code: 'approval_required',
      hint: expect.stringContaining('Have it approved with `swapctl policy approvals grant apr_'),
    });
    const [{ id } = { id: '' }] = await ledger.approvals.list(OWNER.account, AT);
    await grantShown(ledger, id, key, AT);
    await refund({ id });
    await expect(refund({ id })).rejects.toMatchObject({ code: 'approval_required' });
    await ledger.guards.stop(OWNER, null, AT);
    await expect(refund()).rejects.toMatchObject({ code: 'stopped' });
    const all = await facts(ledger);
    expect(all.map(({ type }) => type).filter((type) => !type.startsWith('policy'))).toEqual(
      words(`refund decision approval.requested decision approval.granted approval.used refund
      approval.requested decision decision`),
    );
    const reported = all.filter(({ type }) => /^(refund|decision)$/.test(type)).map(({ data }) => data);
    const stopped = /^Creating swaps is stopped for this profile \(tester, \S+ \d\d:\d\d UTC\)\.$/;
    expect(reported).toMatchObject([
      { decision: 'allow', policy: null, order: 'ORDER1' },
      { decision: 'refuse', reasons: [expect.stringContaining('refund address')] },
      { decision: 'approve' },
      { decision: 'allow' },
      { decision: 'approve' },
      { decision: 'refuse', reasons: [expect.stringMatching(stopped)] },
    ]);
    expect(reported[3]).not.toHaveProperty('reasons');
  });
});

afterEach(closeLedgers);

it('an audit chain longer than one page is verified to its end', async () => {
  const [sqlite] = BOTH_DATABASES;
  const database = await openTables(await sqlite.fresh());
  const { verify, head } = auditReads(database.kysely);
  const before = await head();
  for (const saved of [null, before]) expect(await verify(saved)).toMatchObject({ links: 0, problems: [] });
  const write = auditWriter(database, 'tester');
  const most = 1003;
  await database.transaction(async (tx) => {
    for (let n = 1; n <= most; n += 1) await write(tx, OWNER, { type: 'create', data: {}, at: n });
  });
  for (const saved of [null, before])
    expect(await verify(saved)).toEqual({ links: most, head: await head(), problems: [] });
  await database.kysely.updateTable('audit').set({ body: '{}' }).where('n', '=', most).execute();
  expect((await verify(null)).problems.map(({ n }) => n)).toContain(most);
  await database.close();
});

it('the newest audit entries are listed for all accounts or for one', async () => {
  const ledger = await open(await BOTH_DATABASES[0].fresh());
  for (const owner of [OWNER, OTHER, OWNER]) await ledger.guards.stop(owner, 'looking', AT);
  const newest = async (limit: number | null, account: string | null) =>
    (await ledger.audit.newest(limit, account)).map(({ n }) => n);
  expect(await newest(null, null)).toEqual([3, 2, 1]);
  expect(await newest(2, null)).toEqual([3, 2]);
  expect([await newest(null, OWNER.account), await newest(1, OTHER.account)]).toEqual([[3, 1], [2]]);
});
