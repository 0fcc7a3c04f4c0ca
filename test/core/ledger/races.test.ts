import { afterEach, describe, expect, it } from 'vitest';
import { createBudget, storedBuckets } from '../../../src/core/ledger/budget/budget.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import { guardedRefund } from '../../../src/core/ledger/policy/request.ts';
import { freshPostgres } from '../database/postgres/fresh.ts';
import { type Meeting, meetingIn } from '../database/postgres/meeting.ts';
import { policyOf } from '../swap/policy/samples.ts';
import { claimed, OWNER, observed } from './entries.ts';
import { bodies, createdSwap, eventsOf } from './events/ledgers.ts';
import { AT, BTC, closeLedgers, create, grantShown, open, set, signer } from './policy/gates.ts';
import { openTables } from './tables.ts';

// Each test has two processes, with a pool of connections each, that have both read before either writes.

const meetings: Meeting[] = [];

afterEach(async () => {
  await closeLedgers();
  for (const meeting of meetings.splice(0)) await meeting.close();
});

async function meeting(url: string, table: string): Promise<Meeting> {
  const made = await meetingIn(url, table);
  meetings.push(made);
  return made;
}

/** Two processes on a ledger of its own. */
async function twoLedgers() {
  const url = await freshPostgres();
  return { url, one: await open(url), two: await open(url) };
}

/** The values of what succeeded, and the codes of what failed. */
function ended(ends: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return ends
    .map((end) => (end.status === 'fulfilled' ? end.value : (end.reason as { code: string }).code))
    .sort();
}

/** Claims a create of {@link BTC}, and says whether it did. */
function claim(ledger: Ledger, key: string | null) {
  return async () => (await ledger.claim(OWNER, BTC, key, AT)) !== null;
}

describe('two processes on PostgreSQL that both read before either writes', () => {
  it('record two statuses of a swap one after the other', async () => {
    const { url, one, two } = await twoLedgers();
    const { id } = await createdSwap(one, 'A');
    const { of } = await meeting(url, 'intents');
    const ends = await of([
      () => one.seen(OWNER, observed('A', 1, 2)),
      () => two.seen(OWNER, observed('A', 3, 3)),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const events = bodies(await eventsOf(one));
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    const told = events.map(({ data }) => (data as { swap: { statusCode: number } }).swap.statusCode);
    expect(events.map(({ previous }) => previous?.statusCode ?? null)).toEqual([null, 9, told[1]]);
    expect((await one.byId(id))?.swap?.statusCode).toBe(told[2]);
    const changes = (await one.changes(id)).map(({ changes: each }) => each['statusCode']);
    expect(changes.slice(-2)).toEqual([
      [9, told[1]],
      [told[1], told[2]],
    ]);
  });

  it('lease an event to only one of them', async () => {
    const { url, one, two } = await twoLedgers();
    await one.events.webhooks.listen(OWNER.account, 1);
    await createdSwap(one, 'A');
    const { of } = await meeting(url, 'events');
    const claim = (ledger: typeof one, holder: string) => async () =>
      (await ledger.events.claim({ account: OWNER.account, orders: null }, holder, 5, 9)).length;
    expect(ended(await of([claim(one, 'one'), claim(two, 'two')]))).toEqual([0, 1]);
  });

  it('lease the poll of a swap to only one of them', async () => {
    const { url, one, two } = await twoLedgers();
    await createdSwap(one, 'A');
    const { of } = await meeting(url, 'intents');
    const claim = (ledger: typeof one, holder: string) => async () =>
      (await ledger.polls.claimDue({ owner: OWNER, orders: null, unseenSince: AT }, holder, AT)).length;
    expect(ended(await of([claim(one, 'one'), claim(two, 'two')]))).toEqual([0, 1]);
  });

  it('do not exceed a cap when both claim a create', async () => {
    const { url, one, two } = await twoLedgers();
    await set(one, policyOf([{ cap: { coin: 'BTC', amount: '0.9', per: '24h' } }]));
    const { of } = await meeting(url, 'intents');
    expect(ended(await of([claim(one, null), claim(two, null)]))).toEqual(['policy_refused', true]);
    expect(await one.audit.verify(null)).toMatchObject({ problems: [] });
  });

  it('claim an entry once and keep the audit chain linked, without a policy', async () => {
    const { url, one, two } = await twoLedgers();
    const { id } = await claimed(one, OWNER, BTC, 'key', AT);
    await one.settle(id, { outcome: 'refused', reason: 'no', at: AT });
    const { of } = await meeting(url, 'audit');
    expect(ended(await of([claim(one, 'key'), claim(two, 'key')]))).toEqual([false, true]);
    expect(ended(await of([claim(one, null), claim(two, null)]))).toEqual([true, true]);
    expect(await one.audit.verify(null)).toMatchObject({ problems: [] });
    expect((await one.audit.head()).n).toBe(5);
  });

  it('claim one entry for an idempotency key', async () => {
    const { url, one, two } = await twoLedgers();
    const { of } = await meeting(url, 'intents');
    expect(ended(await of([claim(one, 'key'), claim(two, 'key')]))).toEqual([false, true]);
  });

  it('do not release the key of a dismissed create whose order arrives', async () => {
    const { url, one, two } = await twoLedgers();
    const { id } = await claimed(one, OWNER, BTC, 'key', AT);
    await one.dismiss(id, AT);
    const { of } = await meeting(url, 'intents');
    const arrive = () => one.created(id, observed('A', 9, AT), null);
    expect(ended(await of([arrive, claim(two, 'key')]))).toEqual([false, true]);
    expect((await one.byKey(OWNER, 'key'))?.order).toBe('A');
  });

  it('use an approval of a refund address only once', async () => {
    const { url, one, two } = await twoLedgers();
    const key = signer();
    await set(one, policyOf([{ approve: { by: [key.publicKey], within: '1h' } }]));
    const refund = guardedRefund({
      ...{ order: 'A', refundAddress: 'bc1q', amount: '0.5', labels: {}, host: OWNER.host },
      deposit: { coin: 'BTC', network: 'BTC' },
    });
    await expect(one.gate.refund(OWNER, refund, null, AT)).rejects.toMatchObject({
      code: 'approval_required',
    });
    const [wanted] = await one.approvals.list(OWNER.account, AT);
    const id = wanted?.id ?? '';
    await grantShown(one, id, key, AT);
    const { of } = await meeting(url, 'approval_uses');
    const pass = (ledger: typeof one) => () => ledger.gate.refund(OWNER, refund, { id }, AT);
    const ends = await of([pass(one), pass(two)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('share the request budget, and the limit that the server reported to either', async () => {
    const url = await freshPostgres();
    const databases = [await openTables(url), await openTables(url)];
    const clock = { now: AT };
    const limit = { requests: 1, durationMs: 60_000 };
    const [one, two] = databases.map((database) =>
      createBudget('a', limit, storedBuckets(database), { now: () => clock.now }),
    );
    if (one === undefined || two === undefined) throw new Error('no budget');
    const { of } = await meeting(url, 'budgets');
    const tokens = async () =>
      ended(await of([async () => (await one.tryTake()) === 0, async () => (await two.tryTake()) === 0]));
    expect(await tokens(), 'for the first time').toEqual([false, true]);
    clock.now += limit.durationMs;
    expect(await tokens(), 'once there is a row').toEqual([false, true]);
    clock.now += limit.durationMs;
    const limited = { status: 429, limit: null, remaining: null, resetMs: null, retryAfterMs: 900_000 };
    await of<unknown>([() => one.observe(limited), () => two.tryTake()]);
    expect(await two.tryTake()).toBe(900_000);
    for (const database of databases) await database.close();
  });

  it('add both suspensions of an account', async () => {
    const { url, one, two } = await twoLedgers();
    await set(one, policyOf([]));
    const { of } = await meeting(url, 'guards');
    const suspend = (ledger: typeof one, network: string) => () =>
      ledger.guards.suspend(OWNER, { what: { network }, side: null, until: null, reason: null }, AT);
    await of([suspend(one, 'BTC'), suspend(two, 'ETH')]);
    await expect(create(one)).rejects.toMatchObject({ code: 'policy_refused' });
    const { suspensions } = await two.guards.read(OWNER);
    expect('value' in suspensions && suspensions.value.length).toBe(2);
  });
});
