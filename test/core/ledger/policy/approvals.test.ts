import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/core/database/open.ts';
import type { CreateIntent } from '../../../../src/core/ledger/entry.ts';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { LEDGER_MIGRATIONS } from '../../../../src/core/ledger/migrations.ts';
import { type ApprovalSelection, approvalOf } from '../../../../src/core/ledger/policy/approvals.ts';
import { approvalDigest, guardedRefund } from '../../../../src/core/ledger/policy/request.ts';
import { approvalStatement } from '../../../../src/core/ledger/policy/signature.ts';
import type { LedgerSchema } from '../../../../src/core/ledger/schema.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { policyOf } from '../../swap/policy/samples.ts';
import { OTHER, OWNER } from '../entries.ts';
import {
  AT,
  BTC,
  type CreateOptions,
  closeLedgers,
  create,
  grantShown,
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
  const policy = policyOf([{ approve: { by: [key.publicKey], within: '1h' } }]);
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
    await set(
      agent,
      policyOf([{ approve: { coin: 'BTC', above: '0.2', by: [named.publicKey], within: '15m' } }]),
    );
    const wanted = async (options: CreateOptions = {}): Promise<string> => {
      const error = await create(agent, options).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({
        code: 'approval_required',
        exitCode: 12,
        details: { decision: 'approve' },
      });
      return (error as { details: { approval: { id: string } } }).details.approval.id;
    };
    const id = await wanted();
    expect(await wanted(), 'the same request has one approval').toBe(id);
    expect(await wanted({ approval: id })).toBe(id);
    await expect(grantShown(approver, id, other, AT)).rejects.toMatchObject({ code: 'policy_refused' });
    expect(await grantShown(approver, id, named, AT)).toMatchObject({ state: 'granted' });
    expect(await wanted(), 'it is granted already').toBe(id);
    await create(agent, { approval: id });
    expect(await wanted({ approval: id }), 'used once').not.toBe(id);
    expect((await agent.approvals.byId(id, AT))?.state).toBe('used');
    const types = (
      await agent.events.list({ profile: null, order: null, undelivered: false, since: null }, null)
    ).events;
    const own = types.filter(({ body }) => body.includes(id));
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
    const computed = (amount: string): CreateIntent => ({
      ...BTC,
      amount,
      asked: '9',
      lastSource: 'receive',
    });
    const refusal = (options: CreateOptions) =>
      create(ledger, options).catch(
        (error: { message: string; details: { approval: { id: string; until: string } } }) => error,
      );
    const wanted = await refusal({ intent: computed('0.5') });
    if (typeof wanted === 'string') throw new Error('not refused');
    const { id, until } = wanted.details.approval;
    expect(Date.parse(until)).toBe(AT + 30 * 60_000);
    await expect(grantShown(ledger, id, first, AT + 30 * 60_000)).rejects.toMatchObject({
      message: `Approval ${id} is expired; only a pending approval can be granted or refused.`,
    });
    expect(await grantShown(ledger, id, first, AT)).toMatchObject({ state: 'pending' });
    expect(await refusal({ intent: computed('0.5'), approval: id })).toMatchObject({
      message: expect.stringContaining('is not granted yet'),
    });
    expect(await refusal({ intent: computed('0.5'), approval: 'apr_0' })).toMatchObject({
      message: expect.stringContaining('There is no approval apr_0.'),
    });
    expect(await grantShown(ledger, id, second, AT)).toMatchObject({ state: 'granted' });
    expect(await refusal({ intent: computed('0.5'), approval: 'apr_0' })).toMatchObject({
      message: expect.stringContaining('There is no approval apr_0.'),
    });
    const larger = await refusal({ intent: computed('0.50500001'), approval: id, at: AT + 1 });
    expect(larger).toMatchObject({ message: expect.stringContaining('is for a smaller deposit') });
    const { id: newest } = (larger as { details: { approval: { id: string } } }).details.approval;
    expect(newest, 'the approval of a smaller deposit').not.toBe(id);
    expect(await refusal({ intent: computed('0.5'), at: AT + 2 })).toMatchObject({
      details: { approval: { id: newest } },
    });
    expect(await ledger.approvals.list(OTHER.account, AT)).toEqual([]);
    expect((await ledger.approvals.list(OWNER.account, AT)).map((each) => each.id)).toContain(id);
    await create(ledger, { intent: computed('0.505'), approval: id, at: AT + 30 * 60_000 - 1 });
    const types: string[] = [];
    for await (const { body } of ledger.audit.links())
      types.push((JSON.parse(body) as { type: string }).type);
    expect(types.filter((type) => /signed|granted|used/.test(type)).join(' ')).toBe(
      'approval.signed approval.granted approval.used',
    );
  });

  it('rejects an approval marked as granted without a valid signature by a named key', async () => {
    const location = await fresh();
    const ledger = await open(location);
    const [named, other] = [signer(), signer()];
    await set(ledger, policyOf([{ approve: { by: [named.publicKey], within: '1h' } }]));
    await expect(create(ledger)).rejects.toMatchObject({ code: 'approval_required' });
    const [approval] = await ledger.approvals.list(null, AT);
    if (approval === undefined) throw new Error('There is no approval.');
    const { id, until } = approval;
    const database = await openDatabase<LedgerSchema>(location, LEDGER_MIGRATIONS, { name: 'ledger' });
    const mark = (key: string, signature: string) =>
      database.kysely
        .updateTable('approvals')
        .set({ state: 'granted', grants: JSON.stringify([{ key, signature, actor: 'agent', at: AT }]) })
        .execute();
    const statement = approvalStatement(approval);
    const notNamed = 'is not signed by a key that the policy names';
    for (const [key, signature, words] of [
      [other.publicKey, other.sign(statement), notNamed],
      [named.publicKey, other.sign(statement), 'was altered in the ledger'],
      [
        named.publicKey,
        named.sign(approvalStatement({ ...approval, until: until + 1 })),
        'was altered in the ledger',
      ],
    ] as const) {
      await mark(key, signature);
      await expect(create(ledger, { approval: id })).rejects.toMatchObject({
        message: expect.stringContaining(words),
      });
    }
    await mark(named.publicKey, named.sign(statement));
    await database.close();
    await create(ledger, { approval: id });
  });
});

/** One part of a create at a time; the simulation has approvals borrowed for the others. */
const OTHER_PARTS: Readonly<Record<string, CreateOptions>> = {
  'key of a label': { labels: { tEAm: 'a' } },
  'key pair': { owner: { ...OWNER, account: OTHER.account } },
  environment: { owner: { ...OWNER, environment: 'live' } },
  host: { owner: { ...OWNER, host: 'other.example' } },
};

/** A create that names an approval, or takes any. */
async function claimed(
  ledger: Ledger,
  { labels = {}, owner = OWNER, intent = BTC }: CreateOptions,
  approval: ApprovalSelection,
) {
  const content = { ...intent, labels };
  return (await ledger.claim(owner, content, null, AT, { approval })) !== null;
}

describe('an approval of a create', () => {
  const labels = { team: 'a' };
  /** A granted approval of a create of {@link BTC}, under a policy for both key pairs. */
  async function granted() {
    const ledger = await open(await BOTH_DATABASES[0].fresh());
    const key = signer();
    const rules = [{ approve: { by: [key.publicKey], within: '1h' } }];
    for (const owner of [OWNER, OTHER])
      await ledger.guards.set(owner, { policy: policyOf(rules), before: null, signer: null }, AT);
    const error = await create(ledger, { labels }).catch((thrown: unknown) => thrown);
    const { id } = (error as { details: { approval: { id: string } } }).details.approval;
    await grantShown(ledger, id, key, AT);
    return { ledger, id };
  }

  it.each(Object.entries(OTHER_PARTS))('does not cover a create that differs by %s', async (_, part) => {
    const { ledger, id } = await granted();
    for (const approval of [{ id }, 'any'] as const)
      await expect(claimed(ledger, { labels, ...part }, approval)).rejects.toMatchObject({
        code: 'approval_required',
        message: expect.stringContaining(
          approval === 'any'
            ? ''
            : part.owner?.account === OTHER.account
              ? 'There is no approval'
              : 'another request',
        ),
      });
    await create(ledger, { labels, approval: id });
  });
});

it.each([
  ['address', { refundAddress: 'bc1p' }],
  ['coin', { deposit: { coin: 'LTC', network: 'BTC' } }],
  ['network', { deposit: { coin: 'BTC', network: 'BSC' } }],
  ['amount', { amount: '0.6' }],
  ['unknown amount', { amount: null }],
  ['host', { host: 'other.example' }],
])('an approval of a refund address does not cover a request that differs by %s', async (_, part) => {
  const ledger = await open(await BOTH_DATABASES[0].fresh());
  const key = signer();
  await set(ledger, policyOf([{ approve: { by: [key.publicKey], within: '1h' } }]));
  const pass = (about: Parameters<typeof guardedRefund>[0], id: string | null) =>
    ledger.gate.refund(OWNER, guardedRefund(about), id === null ? null : { id }, AT);
  const wanted = { code: 'approval_required' };
  await expect(pass(REFUND_REQUEST, null)).rejects.toMatchObject(wanted);
  const [approval] = await ledger.approvals.list(OWNER.account, AT);
  const id = approval?.id ?? '';
  await grantShown(ledger, id, key, AT);
  await expect(pass({ ...REFUND_REQUEST, ...part }, id)).rejects.toMatchObject(wanted);
  await pass(REFUND_REQUEST, id);
  await expect(pass(REFUND_REQUEST, id)).rejects.toMatchObject(wanted);
});
