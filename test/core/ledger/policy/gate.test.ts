import { afterEach, describe, expect, it } from 'vitest';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { policyOf } from '../../swap/policy/samples.ts';
import { everyEntry, OTHER, OWNER, observed } from '../entries.ts';
import { openTables } from '../tables.ts';
import { AT, BTC, CAP, closeLedgers, create, DAY, HOUR, open, refused, set, signer } from './gates.ts';

afterEach(closeLedgers);

/** Writes something into a stored stop, as another program could; returns what restores it. */
async function damage(location: string, value: string) {
  const database = await openTables(location);
  const guards = database.kysely.updateTable('guards');
  const write = (stop: string | null) => guards.set({ stop }).execute();
  const [row] = await database.kysely.selectFrom('guards').selectAll().execute();
  await write(value);
  return async () => {
    await write(row?.stop ?? null);
    await database.close();
  };
}

describe.each(BOTH_DATABASES)('the policy gate of a ledger on $kind', ({ fresh }) => {
  it('counts unknown creates, but not refused, unsent or dismissed ones', async () => {
    const ledger = await open(await fresh());
    await set(ledger, CAP);
    const ids = [await create(ledger), await create(ledger)];
    await expect(create(ledger)).rejects.toMatchObject(refused);
    await ledger.settle(ids[0] ?? '', { outcome: 'refused', reason: 'no', at: AT });
    await ledger.settle(await create(ledger), { outcome: 'not-sent', reason: 'no', at: AT });
    const third = await create(ledger);
    await expect(create(ledger)).rejects.toMatchObject(refused);
    expect(await ledger.dismiss(third, AT)).toEqual({ givenBack: true });
    await create(ledger);
    await expect(create(ledger)).rejects.toMatchObject({
      details: { rules: [{ kind: 'cap', limit: '1', spent: '1', left: '0' }] },
    });
    await create(ledger, { owner: OTHER });
  });

  it("counts a create dismissed without the pinned owner's signature until its window ends", async () => {
    const [ledger, owner] = [await open(await fresh()), signer()];
    const policy = policyOf([{ count: { most: 1, per: '7d' } }, { open: { most: 1 } }]);
    await set(ledger, policy, owner);
    const first = await create(ledger);
    await expect(ledger.dismiss(first, AT, signer())).rejects.toMatchObject({ code: 'policy_refused' });
    expect(await ledger.dismiss(first, AT)).toEqual({ givenBack: false });
    expect(await ledger.dismiss(first, AT, owner)).toBeNull();
    await expect(create(ledger, { at: AT + 7 * DAY - 1 })).rejects.toMatchObject(refused);
    const second = await create(ledger, { at: AT + 7 * DAY });
    await expect(create(ledger, { at: AT + 7 * DAY })).rejects.toMatchObject({
      details: { rules: [{ kind: 'count' }, { kind: 'open' }] },
    });
    expect(await ledger.dismiss(second, AT + 7 * DAY, owner)).toEqual({ givenBack: true });
    const third = await create(ledger, { at: AT + 7 * DAY });
    await ledger.settle(third, { outcome: 'refused', reason: 'no', at: AT });
    expect(await ledger.audit.verify(null)).toMatchObject({ problems: [] });
  });

  it('counts a create that was dismissed without a signature as open for a day, or until its known order ends', async () => {
    const [ledger, owner] = [await open(await fresh()), signer()];
    await set(ledger, policyOf([{ open: { most: 1 } }]), owner);
    await ledger.dismiss(await create(ledger), AT);
    await expect(create(ledger, { at: AT + DAY - 1 })).rejects.toMatchObject(refused);
    const id = await create(ledger, { at: AT + DAY });
    await ledger.settle(id, { outcome: 'unknown', reason: 'no disk', order: 'A', at: AT });
    await ledger.dismiss(id, AT);
    await expect(create(ledger, { at: AT + 90 * DAY })).rejects.toMatchObject(refused);
    await ledger.seen(OWNER, observed('A', 5, AT + 90 * DAY));
    await create(ledger, { at: AT + 90 * DAY });
  });

  it('counts an unknown create with an order number until that order has ended', async () => {
    for (const dismisses of [true, false]) {
      const ledger = await open(await fresh());
      await set(ledger, policyOf([{ count: { most: 1, per: '1h' } }]));
      const id = await create(ledger);
      await ledger.settle(id, { outcome: 'unknown', reason: 'no disk', order: 'A', at: AT });
      if (dismisses) expect(await ledger.dismiss(id, AT)).toEqual({ givenBack: false });
      await expect(create(ledger, { at: AT + 9 * HOUR })).rejects.toMatchObject(refused);
      await ledger.seen(OWNER, observed('A', 3, AT + 9 * HOUR));
      await expect(create(ledger, { at: AT + 9 * HOUR })).rejects.toMatchObject(refused);
      await ledger.seen(OWNER, observed('A', 4, AT + 9 * HOUR));
      await create(ledger, { at: AT + 9 * HOUR });
    }
  });

  it('counts a dismissed create again when its order arrives', async () => {
    const ledger = await open(await fresh());
    await set(ledger, CAP);
    const ids = [await create(ledger), await create(ledger)];
    expect(await ledger.dismiss(ids[0] ?? '', AT)).toEqual({ givenBack: true });
    await ledger.created(ids[0] ?? '', observed('A', 9, AT), null);
    await expect(create(ledger)).rejects.toMatchObject(refused);
  });

  it('applies a stop or suspension to every process', async () => {
    const location = await fresh();
    const [one, two] = [await open(location), await open(location, 'owner')];
    await create(one);
    const since = 'Creating swaps is stopped for this profile';
    await two.guards.stop(OWNER, 'looking into it', AT);
    // Without a reason of its own, a second stop keeps that of the first.
    await one.guards.stop(OWNER, null, AT + 1);
    await expect(create(one)).rejects.toMatchObject({
      code: 'stopped',
      exitCode: 12,
      message: `${since} (owner, 2026-11-22 12:00 UTC: looking into it).`,
      hint: 'Nothing was sent. See `swapctl policy show`; `swapctl policy resume` lifts the stop.',
      details: { policy: null },
    });
    await one.guards.stop(OWNER, 'another reason', AT + 1);
    await expect(create(one)).rejects.toThrow(`${since} (tester, 2026-11-22 12:00 UTC: another reason).`);
    expect(await two.guards.resume(OWNER, null, AT)).toBe(true);
    expect(await two.guards.resume(OWNER, null, AT)).toBe(false);
    await create(one);
    const what = { network: 'BTC' };
    await two.guards.suspend(OWNER, { what, side: 'deposit', until: AT + HOUR, reason: null }, AT);
    await expect(create(one)).rejects.toMatchObject(refused);
    await create(one, { at: AT + HOUR });
    expect(await two.guards.unsuspend(OWNER, { what, side: null, signer: null }, AT)).toBe(1);
    await create(one);
  });

  it('replaces an unreadable stop with one that has no reason', async () => {
    const location = await fresh();
    const ledger = await open(location);
    await ledger.guards.stop(OWNER, 'looking into it', AT);
    for (const text of ['{"at":1}', '{"actor":"x"}', '7']) {
      const restore = await damage(location, text);
      expect((await ledger.guards.read(OWNER)).stop, text).toHaveProperty('problem');
      await restore();
    }
    const odd = await damage(location, '{"at":1,"actor":"x","reason":7}');
    expect((await ledger.guards.read(OWNER)).stop).toEqual({ value: { at: 1, actor: 'x', reason: null } });
    await odd();
    const restore = await damage(location, '{"at":1');
    await ledger.guards.stop(OWNER, null, AT + 1);
    const { stop } = await ledger.guards.read(OWNER);
    await restore();
    expect(stop).toEqual({ value: { at: AT + 1, actor: 'tester', reason: null } });
  });

  it('refuses a create without a required idempotency key, even if another create has one', async () => {
    const ledger = await open(await fresh());
    await set(ledger, policyOf([{ require: ['idempotencyKey'] }]));
    await create(ledger, { key: 'of-another' });
    await expect(create(ledger)).rejects.toMatchObject(refused);
    const entries = (await everyEntry(ledger)).toSorted((a) => (a.idempotencyKey === null ? 1 : -1));
    expect(entries, 'the reason of a refusal is that of its own create').toMatchObject([
      { idempotencyKey: 'of-another', reason: null },
      { idempotencyKey: null, reason: expect.any(String) },
    ]);
    await create(ledger, { key: 'own' });
    await set(ledger, policyOf([{ require: ['refundAddress'] }]));
    await expect(create(ledger)).rejects.toMatchObject(refused);
    await create(ledger, { intent: { ...BTC, refundAddress: 'bc1q' } });
  });

  it('replaces a suspension only by a longer one of the same part and side', async () => {
    const ledger = await open(await fresh());
    const what = { network: 'BSC' };
    for (const until of [AT + HOUR, AT + HOUR, AT + DAY, AT + HOUR])
      await ledger.guards.suspend(OWNER, { what, side: null, until, reason: null }, AT);
    const forever = { side: null, until: null, reason: null };
    await ledger.guards.suspend(OWNER, { ...forever, what, side: 'deposit' }, AT);
    await ledger.guards.suspend(OWNER, { ...forever, what: { network: 'TRX' } }, AT);
    const { suspensions } = await ledger.guards.read(OWNER);
    const all = 'value' in suspensions ? suspensions.value : [];
    expect(all.map(({ until }) => until)).toEqual([AT + DAY, AT + HOUR, null, null]);
    expect(await ledger.guards.unsuspend(OWNER, { what, side: 'deposit', signer: null }, AT)).toBe(1);
    expect(await ledger.guards.unsuspend(OWNER, { what, side: null, signer: null }, AT)).toBe(2);
  });
});
