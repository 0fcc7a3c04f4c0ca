import { expect, it } from 'vitest';
import {
  DamagedEntryError,
  type Entry,
  readChanges,
  readDoubts,
  readFirst,
  readIntent,
  readLabels,
  readSnapshot,
  storedFirst,
} from '../../../src/core/ledger/entry.ts';
import { NEW_ENTRY } from '../../../src/core/ledger/new-entry.ts';
import { searchText } from '../../../src/core/ledger/search.ts';
import { agreedAmounts, recordedSwap } from '../../../src/core/ledger/swap-result.ts';
import { INTENT, OWNER, swapOf } from './entries.ts';

const SWAP = swapOf('AAAAAA');

it.each([
  ['invalid JSON', '{"deposit"'],
  ['an array in place of an object', '[]'],
  ...(['order', 'status', 'deposit', 'receive'] as const).map((name) => [
    `no ${name}`,
    JSON.stringify({ ...SWAP, [name]: undefined }),
  ]),
])('a stored swap with %s is damaged', (_, text) => {
  expect(readSnapshot(text)).toBeUndefined();
  expect(readSnapshot(JSON.stringify(SWAP))).toEqual(SWAP);
});

it('the first response of a swap is stored as its difference from the last, and read back in full', () => {
  const last = swapOf('AAAAAA', 4);
  const paid = { ...last, deposit: { ...last.deposit, txId: 'a' }, unreadable: ['deposit.memo'] as const };
  const written = [
    [last, last, '{}'],
    [{ ...SWAP, receive: { ...SWAP.receive, memo: null } }, last, undefined],
    [SWAP, paid, JSON.stringify(SWAP)],
    [paid, last, JSON.stringify(paid)],
    [paid, { ...paid, unreadable: ['type'] as const }, '{"unreadable":["deposit.memo"]}'],
    [{ ...SWAP, order: 'aaaaaa' }, last, JSON.stringify({ ...SWAP, order: 'aaaaaa' })],
    [last, paid, JSON.stringify(last)],
    [
      { ...last, deposit: { ...last.deposit, txId: 'b' } },
      { ...last, deposit: { ...last.deposit, txId: 'c', confirmations: 2 } },
      '{"deposit":{"txId":"b","confirmations":null}}',
    ],
  ] as const;
  for (const [first, newest, text] of written) {
    const stored = storedFirst(first, newest);
    expect(readFirst(stored, newest)).toEqual(first);
    if (text !== undefined) expect(stored).toBe(text);
  }
  expect(readFirst('{}', null)).toBeUndefined();
  expect(readFirst('{"status":', SWAP)).toBeUndefined();
});

it.each(['amount', 'address', 'deposit', 'receive'])('a stored request without %s is damaged', (name) => {
  expect(readIntent(JSON.stringify({ ...INTENT, [name]: undefined }))).toBeUndefined();
  expect(readIntent(JSON.stringify(INTENT))).toEqual(INTENT);
});

it('a damaged entry error names the order, if there is one', () => {
  const of = (order: string | null) =>
    new DamagedEntryError({ id: '7', order_number: order }, 'a time').message;
  expect(of(null)).toBe('The ledger has a damaged entry: entry 7; a time cannot be read.');
  expect(of('KQWZPA')).toBe('The ledger has a damaged entry: order KQWZPA (entry 7); a time cannot be read.');
});

it('malformed changes are read as empty, and malformed doubts and labels as undefined', () => {
  expect(readChanges('{"status":["new",null]}')).toEqual({ status: ['new', null] });
  for (const text of ['', '7', '[]', '{"status":"new"}', '{"status":["new"]}', '{"a":[1,2],"b":7}'])
    expect(readChanges(text), text).toEqual({});
  expect(readDoubts('["amount_changed"]')).toEqual(['amount_changed']);
  for (const text of ['', '7', '{}', '[7]']) expect(readDoubts(text), text).toBeUndefined();
  expect([readLabels(null), readLabels('{"team":"ops"}')]).toEqual([{}, { team: 'ops' }]);
  for (const text of ['', '7', '[]', '{"team":7}']) expect(readLabels(text), text).toBeUndefined();
});

it.each([
  [600_000, true],
  [600_001, false],
])('a swap without expiresAt that was last seen %i ms ago is fundable: %s', (age, expected) => {
  const created = { outcome: 'created', order: SWAP.order, requestedAt: 0, seenAt: 0 } as const;
  const parts = { id: '1', request: INTENT, swap: SWAP, first: SWAP };
  const entry: Entry = { ...OWNER, ...NEW_ENTRY, ...parts, ...created };
  expect(recordedSwap(entry, age).fundable).toBe(expected);
  const timed = { ...entry, swap: { ...SWAP, expiresAt: '1970-01-01T00:20:00.000Z' } };
  expect(recordedSwap(timed, age).fundable).toBe(true);
});

it.each([
  [60_000, true],
  [60_001, false],
])('a swap seen %i ms in the future is fundable: %s', (seenAt, expected) => {
  const created = { ...NEW_ENTRY, id: '1', request: INTENT, outcome: 'created', order: 'AAAAAA' } as const;
  const swap = { ...SWAP, expiresAt: '1970-01-01T00:20:00.000Z' };
  const entry = { ...OWNER, ...created, requestedAt: 0, seenAt, swap, first: SWAP };
  expect(recordedSwap(entry, 0).fundable).toBe(expected);
});

it.each([
  ['the first response', { first: SWAP, quoted: '9' }, SWAP.receive.amount],
  ['the quote', { first: null, quoted: '9' }, '9'],
  ['the requested payout', { first: null, quoted: null }, '7'],
  ['no source if it was not requested', { first: null, quoted: null, lastSource: 'deposit' as const }, null],
])('the agreed payout comes from %s', (_, { first, ...more }, receive) => {
  const request = { ...INTENT, lastSource: 'receive' as const, asked: '7', ...more };
  expect(agreedAmounts({ request, first })).toEqual({ deposit: INTENT.amount, receive });
});

it('search text that is too long for an index is not stored', () => {
  const entry = { ...OWNER, ...NEW_ENTRY, id: '1', request: null, requestedAt: 0, idempotencyKey: null };
  const words = (length: number) => searchText({ ...entry, labels: { k: 'x'.repeat(length) } });
  expect([words(1000).length, words(1984).length, words(1985)]).toEqual([1016, 2000, '']);
});
