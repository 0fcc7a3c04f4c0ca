import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible } from '../../../src/base/text.ts';
import type { Entry } from '../../../src/core/ledger/entry.ts';
import { type Ledger, openLedger } from '../../../src/core/ledger/ledger.ts';
import { anyCharacter } from '../../helpers/any-character.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { claimed, everyEntry, INTENT, OTHER, OWNER, observed } from './entries.ts';
import { ledgerAt } from './events/ledgers.ts';

/** Several handles on one ledger, as several processes have them. */
const handles = (location: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => ledgerAt(location)));

async function createdOrder(ledger: Ledger, order: string, at = 1, statusCode = 9): Promise<Entry> {
  const entry = await claimed(ledger, OWNER, INTENT, null, at);
  expect(await ledger.created(entry.id, observed(order, statusCode, at), null)).toBe(true);
  return entry;
}

describe.each(BOTH_DATABASES)('a ledger on $kind', ({ fresh }) => {
  it('dates an imported order by its creation time, unless that is unknown or in the future', async () => {
    const ledger = await ledgerAt(await fresh());
    const dated = async (order: string, createdAt: string | null, startedAt: string | null) => {
      const { swap, ...about } = observed(order, 9, 7_000);
      await ledger.imported(OWNER, { ...about, swap: { ...swap, createdAt, startedAt } });
      return (await ledger.byOrder(OWNER, order))?.requestedAt;
    };
    const second = (at: number) => `1970-01-01T00:00:0${at}.000Z`;
    expect(await dated('A', second(3), second(5))).toBe(3_000);
    expect(await dated('B', null, second(5))).toBe(5_000);
    expect(await dated('C', second(9), null)).toBe(7_000);
    expect(await dated('D', null, null)).toBe(7_000);
  });

  it('finds an order number case-insensitively, unless several match', async () => {
    const ledger = await ledgerAt(await fresh());
    for (const order of ['ABC', 'abc', 'XYZ']) await createdOrder(ledger, order);
    const found = async (order: string) => (await ledger.byOrder(OWNER, order))?.order;
    expect([await found('ABC'), await found('abc'), await found('xyz')]).toEqual(['ABC', 'abc', 'XYZ']);
    expect(await found('Abc')).toBeUndefined();
    expect(await ledger.byOrder(OTHER, 'XYZ')).toBeNull();
  });

  it('does not list an unfinished swap with doubts or a note as needing attention', async () => {
    const ledger = await ledgerAt(await fresh());
    const { id } = await createdOrder(ledger, 'AAAAAA');
    await ledger.seen(OWNER, { ...observed('AAAAAA', 1, 2), doubts: ['amount_changed'] });
    await ledger.addNote(id, { text: 'asked', ticket: null, until: null }, 3);
    expect(await ledger.troubled()).toEqual([]);
  });

  it('lists the creates of an account whose outcome and order number are unknown', async () => {
    const ledger = await ledgerAt(await fresh());
    const lost = await claimed(ledger, OWNER, INTENT, null, 1);
    const reported = await claimed(ledger, OWNER, INTENT, null, 1);
    await ledger.settle(reported.id, { outcome: 'unknown', reason: 'cut off', order: 'AAAAAA', at: 2 });
    await createdOrder(ledger, 'BBBBBB');
    expect((await ledger.unsettled(OWNER)).map(({ id }) => id)).toEqual([lost.id]);
    expect(await ledger.unsettled(OTHER)).toEqual([]);
  });

  it('lists unknown outcomes and ended swaps that need attention, oldest first', async () => {
    const ledger = await ledgerAt(await fresh());
    const ended = async (order: string, code: number, at: number, depositSeen = true) => {
      const observation = observed(order, code, at);
      const deposit = { ...observation.swap.deposit, txId: depositSeen ? 'tx' : null };
      await createdOrder(ledger, order, at);
      await ledger.seen(OWNER, { ...observation, swap: { ...observation.swap, deposit } });
    };
    const troubled = async () => (await ledger.troubled()).map(({ order }) => order);
    await ended('LATE', 5, 4);
    await ended('UNPAID', 5, 3, false);
    await ended('PAID', 4, 2);
    await claimed(ledger, OWNER, INTENT, null, 3);
    await ended('REFUND', 13, 1);
    await createdOrder(ledger, 'OPEN', 5);
    expect(await troubled()).toEqual(['REFUND', null, 'LATE']);
    await ledger.refundAddressSet(OWNER, observed('REFUND', 13, 6), 'bc1q');
    await ledger.seen(OWNER, { ...observed('PAID', 4, 6), doubts: ['payout-address'] });
    expect(await troubled()).toEqual(['PAID', null, 'LATE']);
  });

  it('raises deposit_sent_not_seen once for an ended swap whose sent deposit was not seen', async () => {
    const ledger = await ledgerAt(await fresh());
    const { id } = await createdOrder(ledger, 'A');
    await ledger.addSent(id, { txId: 'early', from: null, at: 1, dueAt: 9 });
    expect((await ledger.byId(id))?.doubts).toEqual([]);
    const paid = await createdOrder(ledger, 'C', 1, 4);
    await ledger.addSent(paid.id, { txId: 'seen', from: null, at: 1, dueAt: 9 });
    expect((await ledger.byId(paid.id))?.doubts).toEqual([]);
    const other = await createdOrder(ledger, 'B', 1, 5);
    await ledger.addNote(other.id, { text: 'asked', ticket: null, until: null }, 2);
    expect([await ledger.troubled(), (await ledger.byId(other.id))?.doubts]).toEqual([[], []]);
    for (const txId of ['one', 'two'])
      await ledger.addSent(other.id, { txId, from: 'bc1q', at: 3, dueAt: 9 });
    const troubled = await ledger.troubled();
    expect(troubled.map(({ order, doubts }) => [order, ...doubts])).toEqual([['B', 'deposit_sent_not_seen']]);
  });

  it('gives an idempotency key to one entry per account during concurrent creates', async () => {
    const ledgers = await handles(await fresh(), 5);
    const found = await Promise.all(
      ledgers.map((ledger, index) => ledger.claim({ ...OWNER, profile: `name-${index}` }, INTENT, 'k', 1)),
    );
    expect(found.filter((entry) => entry !== null)).toHaveLength(1);
    expect(await ledgers[0]?.claim({ ...OTHER, profile: OWNER.profile }, INTENT, 'k', 1)).not.toBeNull();
    expect(await everyEntry(ledgers[1] as Ledger)).toHaveLength(2);
  });

  it('lets a refused or unsent create be sent again with a new request and host', async () => {
    const ledger = await ledgerAt(await fresh());
    const { id } = await claimed(ledger, OWNER, INTENT, 'k', 1);
    const moved = { ...OWNER, host: 'new.example', environment: 'live' } as const;
    for (const outcome of ['refused', 'not-sent'] as const) {
      await ledger.settle(id, { outcome, reason: 'no', at: 2 });
      expect(await ledger.claim(moved, { ...INTENT, amount: '7' }, 'k', 9)).toMatchObject({ id, outcome });
      expect(await ledger.claim(OWNER, INTENT, 'k', 9)).toBeNull();
    }
    expect(await ledger.byKey(OWNER, 'k')).toMatchObject({
      ...{ host: 'new.example', environment: 'live', reason: null, requestedAt: 9, request: { amount: '7' } },
    });
  });

  it('records nothing for an order that it does not contain', async () => {
    const ledger = await ledgerAt(await fresh());
    await createdOrder(ledger, 'AAAAAA');
    expect(await ledger.seen(OWNER, observed('BBBBBB', 9, 2))).toBeNull();
    expect(await ledger.seen({ ...OTHER, profile: OWNER.profile }, observed('AAAAAA', 9, 2))).toBeNull();
    expect(await everyEntry(ledger)).toHaveLength(1);
  });

  it('lists as open the created swaps of an account that are not final', async () => {
    const ledger = await ledgerAt(await fresh());
    await createdOrder(ledger, 'LATER', 5);
    await createdOrder(ledger, 'FIRST', 2);
    await createdOrder(ledger, 'ENDED', 3, 4);
    await claimed(ledger, OWNER, INTENT, null, 1);
    expect((await ledger.open(OWNER)).map(({ order }) => order)).toEqual(['FIRST', 'LATER']);
    expect(await ledger.open({ ...OWNER, profile: 'renamed' })).toHaveLength(2);
    expect(await ledger.open({ ...OTHER, profile: OWNER.profile })).toEqual([]);
  });

  it('counts the open swaps of an account by status, and those that need attention', async () => {
    const ledger = await ledgerAt(await fresh());
    for (const [order, code] of Object.entries({ A: 9, B: 9, C: 10, D: 4 }))
      await createdOrder(ledger, order, order.charCodeAt(0), code);
    await ledger.refundAddressSet(OTHER, observed('OTHERS', 9, 7), 'bc1q');
    const counts = await ledger.openByStatus(OWNER);
    expect(counts.toSorted((a, b) => (a.statusCode ?? 0) - (b.statusCode ?? 0))).toEqual([
      { statusCode: 9, count: 2, oldest: 65 },
      { statusCode: 10, count: 1, oldest: 67 },
    ]);
    expect(await ledger.swapCounts(OWNER, [10], 0)).toEqual({ open: 3, needAttention: 1, unknown: 0 });
    expect(await ledger.swapCounts(null, [10], 0)).toEqual({ open: 4, needAttention: 1, unknown: 0 });
  });

  it('throws storage_failed when a refund address is set under another spelling of an order', async () => {
    const ledger = await ledgerAt(await fresh());
    await createdOrder(ledger, 'AAAAAA');
    const set = ledger.refundAddressSet(OWNER, observed('aaaaaa', 9, 2), 'bc1q');
    await expect(set).rejects.toMatchObject({ code: 'storage_failed' });
  });

  it('records an order created elsewhere once, with its refund address', async () => {
    const location = await fresh();
    const ledgers = await handles(location, 4);
    await Promise.all(
      ledgers.map((ledger, at) => ledger.refundAddressSet(OWNER, observed('ELSEWHERE', 9, at), 'bc1qrefund')),
    );
    const first = await ledgerAt(location);
    const entries = await everyEntry(first);
    expect(entries).toMatchObject([{ order: 'ELSEWHERE', outcome: 'created', refundAddress: 'bc1qrefund' }]);
    const changes = await first.changes(entries[0]?.id ?? '');
    expect(changes.filter((change) => 'statusCode' in change.changes)).toHaveLength(1);
    expect((await first.seen(OWNER, observed('ELSEWHERE', 1, 9)))?.refundAddress).toBe('bc1qrefund');
  });
});

/** Any text that JSON can carry: controls, NUL and halves of characters too. */
const anyText = fc.string({ unit: anyCharacter, maxLength: 60 });

it('a ledger returns any request unchanged, and any reason with hidden characters made visible', async () => {
  const ledger = await openLedger(await BOTH_DATABASES[0].fresh());
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (text, reason) => {
      const intent = { ...INTENT, address: text, memo: text };
      const entry = await claimed(ledger, OWNER, intent, null, 1);
      await ledger.settle(entry.id, { outcome: 'unknown', reason, at: 1 });
      const read = (await everyEntry(ledger)).find(({ id }) => id === entry.id);
      expect(read?.request).toEqual(intent);
      expect(read?.reason).toBe(visible(reason));
    }),
    { numRuns: 40 },
  );
  await ledger.close();
});
