import { describe, expect, it } from 'vitest';
import { storedEvent } from '../../../../src/core/ledger/events/event.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { policyOf } from '../../swap/policy/samples.ts';
import { INTENT, OTHER, OWNER, observed, swapOf } from '../entries.ts';
import { AT, create, grantShown, set, signer } from '../policy/gates.ts';
import { bodies, createdSwap, eventsOf, ledgerAt, sentIntent } from './ledgers.ts';

describe.each(BOTH_DATABASES)('the events of a ledger on $kind', ({ fresh }) => {
  it('include one for each new status, numbered without gaps', async () => {
    const ledger = await ledgerAt(await fresh());
    await createdSwap(ledger, 'AAAAAA', 1_000);
    for (const [at, code] of [9, 1, 1, 3, 12, 4].entries())
      await ledger.seen(OWNER, observed('AAAAAA', code, 2_000 + at));
    const events = await eventsOf(ledger);
    expect(events.map(({ sequence, type, at }) => [sequence, type, at])).toEqual([
      [1, 'swap.new', 1_000],
      [2, 'swap.confirmation', 2_001],
      [3, 'swap.exchanging', 2_003],
      [4, 'swap.success', 2_004],
      [5, 'swap.success', 2_005],
    ]);
    expect(bodies(events).map(({ previous }) => previous)).toEqual([
      null,
      { status: 'new', statusCode: 9 },
      { status: 'confirmation', statusCode: 1 },
      { status: 'exchanging', statusCode: 3 },
      { status: 'success', statusCode: 12 },
    ]);
  });

  it('have the documented keys, the swap as it is shown, and their own ID', async () => {
    const ledger = await ledgerAt(await fresh());
    await createdSwap(ledger, 'AAAAAA', 1_000);
    const events = await eventsOf(ledger);
    const [reported] = bodies(events);
    const keys = 'id type at sequence order profile environment data previous';
    expect(Object.keys(reported ?? {}).join(' ')).toBe(keys);
    const { profile, environment } = OWNER;
    const asked = { deposit: INTENT.amount, receive: '250.000001' };
    expect(reported).toMatchObject({
      id: events[0]?.id,
      at: '1970-01-01T00:00:01.000Z',
      order: 'AAAAAA',
      profile,
      environment,
      data: { swap: { order: 'AAAAAA', status: 'new', statusCode: 9, fundable: true, profile, asked } },
    });
    expect(reported?.id).toMatch(/^evt_[0-9a-f]{24}$/);
  });

  it('report doubts once, and again when they change', async () => {
    const ledger = await ledgerAt(await fresh());
    await createdSwap(ledger, 'AAAAAA');
    const sighted = (status: number, at: number, ...doubts: readonly string[]) =>
      ledger.seen(OWNER, { swap: swapOf('AAAAAA', status), doubts, at });
    for (const at of [2, 3]) await sighted(1, at, 'amount_changed');
    await sighted(1, 4, 'amount_changed', 'payout_changed');
    await sighted(1, 5);
    await sighted(1, 6, 'amount_changed');
    await sighted(4, 7);
    await sighted(9, 8, 'went_backwards');
    const reported = bodies(await eventsOf(ledger));
    expect(reported.map(({ type, data }) => [type, 'swap' in data ? data.swap.doubts : null])).toEqual([
      ['swap.new', []],
      ['swap.confirmation', ['amount_changed']],
      ['swap.doubtful', ['amount_changed']],
      ['swap.doubtful', ['amount_changed', 'payout_changed']],
      ['swap.doubtful', ['amount_changed']],
      ['swap.success', []],
      ['swap.doubtful', ['went_backwards']],
    ]);
  });

  it('report a create with an unknown outcome once, with its request', async () => {
    const ledger = await ledgerAt(await fresh());
    const { id } = await sentIntent(ledger);
    await ledger.settle(id, { outcome: 'unknown', reason: 'lost', at: 5_000 });
    await ledger.settle(id, { outcome: 'unknown', reason: 'lost again', order: 'AAAAAA', at: 6_000 });
    const events = await eventsOf(ledger);
    const { profile, environment } = OWNER;
    const unknown = {
      id: events[0]?.id,
      type: 'create.unknown',
      at: '1970-01-01T00:00:05.000Z',
      sequence: 1,
    };
    const about = { order: null, profile, environment, data: { request: INTENT }, previous: null };
    expect(bodies(events)).toEqual([{ ...unknown, ...about }]);
    await ledger.created(id, observed('AAAAAA', 9, 7_000), null);
    const after = (await eventsOf(ledger)).map(({ sequence, type }) => `${sequence} ${type}`);
    expect(after).toEqual(['1 create.unknown', '2 swap.new']);
  });

  it('report a create whose process ended before its outcome once, after six minutes', async () => {
    const ledger = await ledgerAt(await fresh());
    const [minute, day] = [60_000, 86_400_000];
    const { id } = await sentIntent(ledger, day);
    await sentIntent(ledger, 1);
    await createdSwap(ledger, 'AAAAAA', day);
    const young = await sentIntent(ledger, day + 4 * minute);
    const lost = async (now: number) => {
      const count = await ledger.events.recordLostCreates(OWNER.account, now);
      const events = await eventsOf(ledger);
      return [count, events.filter(({ type }) => type === 'create.unknown').map(({ intentId }) => intentId)];
    };
    expect(await lost(day + 5 * minute)).toEqual([0, []]);
    expect(await ledger.events.recordLostCreates('other', day + 6 * minute)).toBe(0);
    expect(await lost(day + 6 * minute)).toEqual([1, [id]]);
    expect(await lost(day + 7 * minute)).toEqual([0, [id]]);
    expect(await lost(day + 10 * minute)).toEqual([1, [young.id, id]]);
    expect((await eventsOf(ledger)).map(({ sequence }) => sequence)).toEqual([1, 1, 1]);
  });

  it('report a lost create also if it used an approval', async () => {
    const ledger = await ledgerAt(await fresh());
    const key = signer();
    await set(ledger, policyOf([{ approve: { by: [key.publicKey], within: '15m' } }]));
    const wanted = await create(ledger, { key: 'key' }).catch(({ details }) => details.approval);
    await grantShown(ledger, wanted.id, key, AT);
    await create(ledger, { key: 'key', approval: wanted.id });
    expect(await ledger.events.recordLostCreates(OWNER.account, AT + 360_000)).toBe(1);
    const types = (await eventsOf(ledger)).map(({ type }) => type);
    expect(types).toEqual(['approval.requested', 'approval.granted', 'create.unknown']);
  });

  it('report nothing about a create that was refused or never sent', async () => {
    const ledger = await ledgerAt(await fresh());
    for (const outcome of ['refused', 'not-sent'] as const)
      await ledger.settle((await sentIntent(ledger)).id, { outcome, reason: 'no', at: 2 });
    expect(await eventsOf(ledger)).toEqual([]);
  });

  it('are not stored if the create that they belong to is not', async () => {
    const ledger = await ledgerAt(await fresh());
    await createdSwap(ledger, 'AAAAAA');
    const second = await sentIntent(ledger, 2);
    expect(await ledger.created(second.id, observed('AAAAAA', 9, 3), null)).toBe(false);
    expect(await ledger.changes(second.id)).toEqual([]);
    expect((await eventsOf(ledger)).map(({ order }) => order)).toEqual(['AAAAAA']);
  });

  it('start with the current status of an order created elsewhere', async () => {
    const ledger = await ledgerAt(await fresh());
    await ledger.refundAddressSet(OWNER, observed('ELSEWHERE', 1, 3), 'bc1qrefund');
    const data = { swap: { refundAddress: 'bc1qrefund', asked: null } };
    const events = bodies(await eventsOf(ledger));
    expect(events).toMatchObject([{ sequence: 1, type: 'swap.confirmation', previous: null, data }]);
  });

  it('await delivery once their account has a listener with a target', async () => {
    const ledger = await ledgerAt(await fresh());
    await createdSwap(ledger, 'BEFORE');
    await ledger.events.webhooks.secret(OWNER.account);
    await ledger.seen(OWNER, observed('BEFORE', 1, 2));
    await ledger.events.webhooks.listen(OWNER.account, 3);
    await ledger.seen(OWNER, observed('BEFORE', 3, 4));
    await ledger.seen({ ...OWNER, profile: 'renamed' }, observed('BEFORE', 4, 5));
    await ledger.refundAddressSet(OTHER, observed('OTHERS', 9, 5), 'bc1qrefund');
    const events = await eventsOf(ledger);
    expect(events.map(({ order, type, delivery }) => [order, type, delivery]).toSorted()).toEqual([
      ['BEFORE', 'swap.confirmation', 'none'],
      ['BEFORE', 'swap.exchanging', 'pending'],
      ['BEFORE', 'swap.new', 'none'],
      ['BEFORE', 'swap.success', 'pending'],
      ['OTHERS', 'swap.new', 'none'],
    ]);
  });

  it('have one secret for each account, even if several processes request it', async () => {
    const location = await fresh();
    const ledgers = await Promise.all(Array.from({ length: 4 }, () => ledgerAt(location)));
    const secrets = await Promise.all(ledgers.map((each) => each.events.webhooks.listen('shop', 1)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await ledgers[0]?.events.webhooks.secret('other')).not.toBe(secrets[0]);
  });
});

it.each(['no JSON', 'null', '7', '{"sequence":1}', '{"data":{}}'])('the event %s is damaged', (body) =>
  expect(() => storedEvent({ id: 'evt_1', body })).toThrow('Event evt_1 in the ledger is damaged.'),
);
