import { afterEach, describe, expect, it } from 'vitest';
import { approvalOf } from '../../../../src/core/ledger/policy/approvals.ts';
import { approvalDigest, guardedRefund } from '../../../../src/core/ledger/policy/request.ts';
import {
  approvalStatement,
  isSignedBy,
  policyStatement,
  settleStatement,
} from '../../../../src/core/ledger/policy/signature.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { policyOf } from '../../swap/policy/samples.ts';
import { OTHER, OWNER } from '../entries.ts';
import { openTables } from '../tables.ts';
import {
  AT,
  approvalIdOf,
  approvedBy,
  BTC,
  type CreateOptions,
  closeLedgers,
  create,
  grantShown,
  HOUR,
  open,
  REFUND_REQUEST,
  set,
  signer,
} from './gates.ts';

afterEach(closeLedgers);

const REFUND = guardedRefund(REFUND_REQUEST).subject;
const ROW = {
  id: 'apr_1',
  account: 'a',
  profile: 'p',
  environment: 'live',
  policy: 'policy',
  intent_id: null,
  request: JSON.stringify(REFUND),
  wanted: '[["key"]]',
  grants: '[]',
  state: 'pending',
  used_at: null,
  digest: approvalDigest(REFUND, { account: 'a', environment: 'live', policy: 'policy' }),
  requested_at: AT,
  requested_by: 'agent',
  until: AT + 1,
};

it.each([
  { request: '{"kind":"other"}' },
  { wanted: '[]' },
  { wanted: '["key"]' },
  { grants: '[1]' },
  { grants: '{}' },
])('a stored approval with %j is unreadable', (part) => {
  expect(approvalOf({ ...ROW, ...part }, AT)).toBeNull();
});

it.each([
  ['pending', 'expired'],
  ['granted', 'expired'],
  ['refused', 'refused'],
])('a %s approval is %s after its expiry', (state, later) => {
  expect(approvalOf({ ...ROW, state }, AT)).toMatchObject({ state, environment: 'live' });
  const digest = approvalDigest(REFUND, { account: 'a', environment: 'sandbox', policy: 'policy' });
  const sandbox = { ...ROW, state, environment: 'sandbox', digest };
  expect(approvalOf(sandbox, AT + 1)).toMatchObject({ state: later, environment: 'sandbox' });
});

it('a used approval stays used in any stored state and after its expiry', () => {
  for (const state of ['pending', 'granted', 'refused'])
    for (const at of [AT, AT + 1]) expect(approvalOf({ ...ROW, state, used_at: AT }, at)?.state).toBe('used');
});

it('an approval counts only for its own account, and is found by its ID', async () => {
  const ledger = await open(await BOTH_DATABASES[0].fresh());
  const key = signer();
  const policy = approvedBy(key);
  for (const owner of [OWNER, OTHER]) {
    await ledger.guards.set(owner, { policy, before: null, signer: null }, AT);
    await expect(create(ledger, { owner })).rejects.toMatchObject({ code: 'approval_required' });
  }
  const [mine] = await ledger.approvals.list(OWNER.account, AT);
  const [theirs] = await ledger.approvals.list(OTHER.account, AT);
  const message = `There is no approval ${theirs?.id}.`;
  await expect(create(ledger, { approval: theirs?.id ?? '' })).rejects.toMatchObject({
    details: { rules: expect.arrayContaining([expect.objectContaining({ message })]) },
  });
  for (const each of [mine, theirs]) expect(await ledger.approvals.byId(each?.id ?? '', AT)).toEqual(each);
  expect(await ledger.approvals.byId('apr_none', AT)).toBeNull();
  await expect(grantShown(ledger, 'apr_none', key, AT)).rejects.toMatchObject({ code: 'not_found' });
});

describe.each(BOTH_DATABASES)('a ledger whose policy has an approve rule, on $kind', ({ fresh }) => {
  it('requires an approval of the exact request, signed by a named key, unused and unexpired', async () => {
    const location = await fresh();
    const [agent, approver] = [await open(location, 'agent'), await open(location, 'approver')];
    const [named, other] = [signer(), signer()];
    await create(agent);
    const above = { coin: 'BTC', above: '0.2', by: [named.publicKey], within: '15m' };
    await set(agent, policyOf([{ approve: above }]));
    const wanted = async (options: CreateOptions = {}): Promise<string> => {
      const error = await create(agent, options).catch((thrown: unknown) => thrown);
      const required = { code: 'approval_required', exitCode: 12 };
      expect(error).toMatchObject({ ...required, details: { decision: 'approve' } });
      return approvalIdOf(error);
    };
    const id = await wanted();
    expect(await wanted(), 'the same request has one approval').toBe(id);
    expect(await wanted({ approval: id })).toBe(id);
    await expect(grantShown(approver, id, other, AT)).rejects.toMatchObject({ code: 'policy_refused' });
    expect(await grantShown(approver, id, named, AT)).toMatchObject({ state: 'granted' });
    expect(await wanted(), 'it is granted already').toBe(id);
    await create(agent, { approval: id });
    const next = await wanted({ approval: id });
    expect(next, 'used once').not.toBe(id);
    await grantShown(approver, next, named, AT);
    await create(agent, { at: AT + HOUR, intent: { ...BTC, amount: '0.1' } });
    expect(await wanted({ approval: next }), 'a clock that is set back revives none').not.toBe(next);
    expect((await agent.approvals.byId(id, AT))?.state).toBe('used');
    const all = { profile: null, order: null, undelivered: false, since: null };
    const own = (await agent.events.list(all, null)).events.filter(({ body }) => body.includes(id));
    expect(own.map(({ type }) => type).sort()).toEqual(['approval.granted', 'approval.requested']);
    const { intentId } = (await agent.approvals.byId(id, AT)) ?? {};
    expect(own.map((event) => event.intentId)).toEqual([intentId, intentId]);
    expect(await agent.audit.verify(null)).toMatchObject({ problems: [] });
  });

  it('requires a signature for each matching rule, before the shortest `within` has passed', async () => {
    const ledger = await open(await fresh());
    const [first, second] = [signer(), signer()];
    await set(
      ledger,
      policyOf([
        { approve: { by: [first.publicKey], within: '1h' } },
        { approve: { coin: 'BTC', above: '0.2', by: [second.publicKey, first.publicKey], within: '30m' } },
        { approve: { coin: 'BTC', above: '0.3', by: [second.publicKey], within: '2h' } },
      ]),
    );
    const computed = { ...BTC, asked: '9', lastSource: 'receive' } as const;
    const refusal = (options: CreateOptions = {}, amount = '0.5') =>
      create(ledger, { intent: { ...computed, amount }, ...options }).catch((error: unknown) => error);
    const reason = async (...refused: Parameters<typeof refusal>) =>
      ((await refusal(...refused)) as Error).message;
    const end = AT + 30 * 60_000;
    const wanted = await refusal();
    const id = approvalIdOf(wanted);
    expect(wanted).toMatchObject({ details: { approval: { until: new Date(end).toISOString() } } });
    await expect(grantShown(ledger, id, first, end)).rejects.toMatchObject({
      message: `Approval ${id} is expired; only a pending approval can be granted or refused.`,
    });
    expect(await grantShown(ledger, id, first, AT)).toMatchObject({ state: 'pending' });
    expect(await reason({ approval: id })).toContain('is not granted yet');
    expect(await reason({ approval: 'apr_0' })).toContain('There is no approval apr_0.');
    expect(await grantShown(ledger, id, second, AT)).toMatchObject({ state: 'granted' });
    expect(await reason({ approval: 'apr_0' })).toContain('There is no approval apr_0.');
    const larger = await refusal({ approval: id, at: AT + 1 }, '0.50500001');
    expect((larger as Error).message).toContain('is for a smaller deposit');
    const newest = approvalIdOf(larger);
    expect(newest, 'the approval of a smaller deposit').not.toBe(id);
    expect(approvalIdOf(await refusal({ at: AT + 2 }))).toBe(newest);
    expect(await ledger.approvals.list(OTHER.account, AT)).toEqual([]);
    expect((await ledger.approvals.list(OWNER.account, AT)).map((each) => each.id)).toContain(id);
    await create(ledger, { intent: { ...computed, amount: '0.505' }, approval: id, at: end - 1 });
    const types: string[] = [];
    for await (const { body } of ledger.audit.links()) types.push(JSON.parse(body).type);
    const steps = types.filter((type) => /signed|granted|used/.test(type));
    expect(steps).toEqual(['approval.signed', 'approval.granted', 'approval.used']);
  });

  it('rejects an approval marked as granted without a valid signature by a named key', async () => {
    const location = await fresh();
    const ledger = await open(location);
    const [named, other] = [signer(), signer()];
    await set(ledger, approvedBy(named));
    await expect(create(ledger)).rejects.toMatchObject({ code: 'approval_required' });
    const [approval] = await ledger.approvals.list(null, AT);
    if (approval === undefined) throw new Error('There is no approval.');
    const { id, until } = approval;
    const database = await openTables(location);
    const mark = (key: string, signature: string) => {
      const grants = JSON.stringify([{ key, signature, actor: 'agent', at: AT }]);
      return database.kysely.updateTable('approvals').set({ state: 'granted', grants }).execute();
    };
    const statement = approvalStatement(approval);
    const later = approvalStatement({ ...approval, until: until + 1 });
    for (const [key, signature, words] of [
      [other.publicKey, other.sign(statement), 'is not signed by a key that the policy names'],
      [named.publicKey, other.sign(statement), 'was altered in the ledger'],
      [named.publicKey, named.sign(later), 'was altered in the ledger'],
    ] as const) {
      await mark(key, signature);
      await expect(create(ledger, { approval: id })).rejects.toThrow(words);
    }
    await mark(named.publicKey, named.sign(statement));
    const shown = { ...approval, until: until + 1 };
    await expect(ledger.approvals.grant(shown, named, AT)).rejects.toThrow('was altered in the ledger');
    await database.close();
    await create(ledger, { approval: id });
  });
});

/** One part of a create at a time; the simulation has approvals borrowed for the others. */
const OTHER_PARTS: readonly (readonly [string, Pick<CreateOptions, 'labels' | 'owner'>, string])[] = [
  ['key of a label', { labels: { tEAm: 'a' } }, 'another request'],
  ['key pair', { owner: { ...OWNER, account: OTHER.account } }, 'There is no approval'],
  ['environment', { owner: { ...OWNER, environment: 'live' } }, 'another request'],
  ['host', { owner: { ...OWNER, host: 'other.example' } }, 'another request'],
];

const labels = { team: 'a' };
/** A granted approval of a create of {@link BTC}, under a policy for both key pairs. */
async function granted() {
  const ledger = await open(await BOTH_DATABASES[0].fresh());
  const key = signer();
  for (const owner of [OWNER, OTHER])
    await ledger.guards.set(owner, { policy: approvedBy(key), before: null, signer: null }, AT);
  const id = approvalIdOf(await create(ledger, { labels }).catch((thrown: unknown) => thrown));
  await grantShown(ledger, id, key, AT);
  return { ledger, id };
}

it.each(OTHER_PARTS)('an approval does not cover a create that differs by %s', async (_, part, words) => {
  const { ledger, id } = await granted();
  const { owner, labels: own } = { labels, owner: OWNER, ...part };
  for (const approval of [{ id }, 'any'] as const)
    await expect(ledger.claim(owner, { ...BTC, labels: own }, null, AT, { approval })).rejects.toMatchObject({
      code: 'approval_required',
      message: expect.stringContaining(approval === 'any' ? '' : words),
    });
  await create(ledger, { labels, approval: id });
});

it('an approval of a refund address covers exactly this request, once', async () => {
  const ledger = await open(await BOTH_DATABASES[0].fresh());
  const key = signer();
  await set(ledger, approvedBy(key));
  const pass = (about: Parameters<typeof guardedRefund>[0], id: string | null) =>
    ledger.gate.refund(OWNER, guardedRefund(about), id === null ? null : { id }, AT);
  const wanted = { code: 'approval_required' };
  await expect(pass(REFUND_REQUEST, null)).rejects.toMatchObject(wanted);
  const [approval] = await ledger.approvals.list(OWNER.account, AT);
  const id = approval?.id ?? '';
  await grantShown(ledger, id, key, AT);
  const others = [
    { refundAddress: 'bc1p' },
    { deposit: { coin: 'LTC', network: 'BTC' } },
    { deposit: { coin: 'BTC', network: 'BSC' } },
    { amount: '0.6' },
    { amount: null },
    { host: 'other.example' },
  ];
  for (const part of others)
    await expect(pass({ ...REFUND_REQUEST, ...part }, id), JSON.stringify(part)).rejects.toMatchObject(
      wanted,
    );
  await pass(REFUND_REQUEST, id);
  await expect(pass(REFUND_REQUEST, id)).rejects.toMatchObject(wanted);
});

const [one, other] = [signer(), signer()];
const good = one.sign('statement');
const base64 = (...parts: readonly Buffer[]) => Buffer.concat(parts).toString('base64');
const part = (length: number) => Buffer.alloc(length, 2);

it.each([
  ['by the key', true, one.publicKey, good],
  ['by another key', false, other.publicKey, good],
  ['of another statement', false, one.publicKey, one.sign('another')],
  ['that is empty', false, one.publicKey, ''],
  ['that is too short', false, one.publicKey, base64(part(63))],
  ['that is too long', false, one.publicKey, base64(Buffer.from(good, 'base64'), part(1))],
  ['for a key of another kind', false, one.publicKey.replace('ed25519:', 'ed25518:'), good],
  ['for a key that is too short', false, `ed25519:${base64(part(31))}`, good],
  ['for a key that is too long', false, `ed25519:${base64(part(33))}`, good],
  ['for a key that is not on the curve', false, `ed25519:${base64(part(32))}`, good],
])('a signature %s is accepted: %s', (_, expected, key, signature) => {
  expect(isSignedBy(key, 'statement', signature)).toBe(expected);
});

it.each([
  [null, 'swapctl policy\nshop\nnone\nafter'],
  ['before', 'swapctl policy\nshop\nbefore\nafter'],
])('the owner signs the digests of the new policy and the previous one: %j', (before, statement) => {
  expect(policyStatement('shop', before, 'after')).toBe(statement);
});

it.each([
  [null, 'swapctl settle\nshop\nentry\nnone'],
  ['KQWZPA', 'swapctl settle\nshop\nentry\nKQWZPA'],
])('the owner signs the order that an unknown create is settled with: %j', (order, statement) => {
  expect(settleStatement('shop', 'entry', order)).toBe(statement);
});
