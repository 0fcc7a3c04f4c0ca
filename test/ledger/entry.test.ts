import { expect, it } from 'vitest';
import { type Entry, readIntent, readSnapshot } from '../../src/ledger/entry.ts';
import { NEW_ENTRY } from '../../src/ledger/new-entry.ts';
import { recordedSwap } from '../../src/ledger/swap-result.ts';
import { INTENT, OWNER, swapOf } from './entries.ts';

const SWAP = swapOf('AAAAAA');

it.each([
  ['no JSON', '{"deposit"'],
  ['no object', '[]'],
  ...(['order', 'status', 'deposit', 'receive'] as const).map((name) => [
    `no ${name}`,
    JSON.stringify({ ...SWAP, [name]: undefined }),
  ]),
])('a stored swap with %s is damaged', (_, text) => {
  expect(readSnapshot(text)).toBeUndefined();
  expect(readSnapshot(JSON.stringify(SWAP))).toEqual(SWAP);
});

it.each(['amount', 'address', 'deposit', 'receive'])('a stored request without %s is damaged', (name) => {
  expect(readIntent(JSON.stringify({ ...INTENT, [name]: undefined }))).toBeUndefined();
  expect(readIntent(JSON.stringify(INTENT))).toEqual(INTENT);
});

it.each([
  [600_000, true],
  [600_001, false],
])('a swap that was last seen %i ms ago is shown as fundable: %s', (age, expected) => {
  const created = { outcome: 'created', order: SWAP.order, requestedAt: 0, seenAt: 0 } as const;
  const entry: Entry = {
    ...OWNER,
    ...NEW_ENTRY,
    id: '1',
    request: INTENT,
    swap: SWAP,
    first: SWAP,
    ...created,
  };
  expect(recordedSwap(entry, age).fundable).toBe(expected);
});
