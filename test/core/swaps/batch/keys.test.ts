import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rfc3339 } from '../../../../src/base/time.ts';
import type { Labels } from '../../../../src/core/swap/labels.ts';
import { ExistingOrders, RECENT_MS, RowKeys } from '../../../../src/core/swaps/batch/keys.ts';
import type { SwapInput } from '../../../../src/core/swaps/check.ts';
import type { Ports } from '../../../../src/core/swaps/ports.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { claimed, INTENT, OWNER, observed, swapOf } from '../../ledger/entries.ts';
import { ledgerAt } from '../../ledger/events/ledgers.ts';
import { contextAt, withClient } from '../follow/followers.ts';

const NOW = 1_790_000_000_000;
const DAY = 24 * 3_600_000;

/** An order of the ledger: how old it is, when it was seen, and what it was then. */
interface Known {
  readonly age: number;
  readonly seen?: number;
  readonly code?: number;
  readonly endsIn?: number;
  readonly isUnknown?: boolean;
  readonly isNumbered?: boolean;
}

/** Asks for the orders of rows, of which the last has the key `k-1`, in a ledger with these keys; a service says that each has ended. */
async function asked(
  keys: Readonly<Record<string, Known>>,
  options: { readonly resume?: boolean; readonly repeat?: boolean; readonly isOwn?: boolean } = {},
  rows: readonly string[] = ['k-1'],
  labels: Labels = {},
) {
  const ledger = await ledgerAt(join(await temporaryFolder(), 'ledger.db'));
  for (const [key, { age, seen = age, code = 1, endsIn, ...unknown }] of Object.entries(keys)) {
    const entry = await claimed(ledger, OWNER, INTENT, key, NOW - age);
    const { swap, ...observation } = observed(`ORDER-${key}`, code, NOW - seen);
    const expiresAt = endsIn === undefined ? null : rfc3339(NOW + endsIn);
    const order = unknown.isNumbered === true ? swap.order : undefined;
    if (unknown.isUnknown === true)
      await ledger.settle(entry.id, { outcome: 'unknown', reason: 'no', order, at: NOW - age });
    else await ledger.created(entry.id, { ...observation, swap: { ...swap, expiresAt } }, null);
  }
  let polls = 0;
  const transaction = async (order: string) => {
    polls += 1;
    return { value: swapOf(order, 4), httpStatus: 200 };
  };
  const own = { ...(await contextAt(NOW)), ledger: async () => ledger, owner: async () => OWNER };
  const ports = await withClient<Ports>(own, { transaction });
  const { isOwn = false, resume = false, repeat = false } = options;
  const orders = new ExistingOrders(ports, await ports.service(), { resume, repeat });
  let end: unknown;
  for (const key of rows)
    end = await orders
      .of(isOwn ? { key, isOwn } : { key, isOwn, stem: key.slice(0, -2), number: 1 }, labels)
      .then(
        (found) => [found.key, found.entry?.order ?? found.entry?.outcome ?? null, found.isRepeat],
        (error: Error) => error.message,
      );
  return { end, polls, unfinished: orders.unfinishedRepeat()?.message ?? null };
}

const TAKEN = ['k-1', 'ORDER-k-1', false];
const REPEATED = ['k-1-repeat-1', null, true];
const refusal = (why: string) =>
  expect.stringMatching(new RegExp(`^Order ORDER-k-1 was created .* and ${why}\\.$`));

it.each<[string, Known, unknown, number]>([
  ['open keeps it', { age: 1000 }, TAKEN, 0],
  ['nearly a day old keeps it', { age: DAY - 1, seen: 0 }, TAKEN, 0],
  ['a day old is rejected', { age: DAY, seen: 0 }, refusal('is older than a day'), 0],
  ['ended is rejected', { age: 1000, code: 4 }, refusal('has ended as success'), 0],
  ['expired is rejected', { age: 1000, code: 9, endsIn: 0 }, refusal('has expired'), 0],
  ['not yet expired keeps it', { age: 1000, code: 9, endsIn: 1000 }, TAKEN, 0],
  ['without a known expiry keeps it', { age: 1000, code: 9 }, TAKEN, 0],
  ['paid in time keeps it', { age: 1000, code: 1, endsIn: 0 }, TAKEN, 0],
  ['recently seen open keeps it', { age: DAY / 2, seen: RECENT_MS }, TAKEN, 0],
  ['long unseen is rejected', { age: DAY / 2, seen: RECENT_MS + 1 }, refusal('has ended as success'), 1],
  ['seen in the near future', { age: 1000, seen: -60_000 }, TAKEN, 0],
  ['seen before the clock was set back', { age: 1000, seen: -60_001 }, refusal('has ended as success'), 1],
  ['just created keeps it without a poll', { age: 0, seen: RECENT_MS + 1 }, TAKEN, 0],
  ['unknown but numbered keeps it', { age: 9 * DAY, isUnknown: true, isNumbered: true }, TAKEN, 0],
  ['unknown keeps it at any age', { age: 9 * DAY, isUnknown: true }, ['k-1', 'unknown', false], 0],
])('a row whose order is %s', async (_, known, expected, polls) => {
  expect(await asked({ 'k-1': known })).toMatchObject({ end: expected, polls });
  const isTaken = Array.isArray(expected);
  const repeated = await asked({ 'k-1': known }, { repeat: true });
  expect(repeated.end).toEqual(isTaken ? expected : REPEATED);
  const anyway = isTaken ? expected : TAKEN;
  for (const option of [{ resume: true }, { isOwn: true }])
    expect(await asked({ 'k-1': known }, option)).toMatchObject({ end: anyway, polls: 0 });
});

it('a row without an order gets its own key, or with --repeat that of the first repeat', async () => {
  expect((await asked({})).end).toEqual(['k-1', null, false]);
  expect((await asked({}, { repeat: true })).end).toEqual(['k-1-repeat-1', null, false]);
  expect((await asked({}, {}, ['k-1', 'k-1'])).end).toEqual(['k-2', null, false]);
  expect((await asked({}, { repeat: true, isOwn: true })).end).toEqual(['k-1', null, false]);
});

it.each([
  ['of less than a day ago is reused', DAY - 1, ['k-1-repeat-1', 'ORDER-k-1-repeat-1', false]],
  ['of a day ago is created again', DAY, ['k-1-repeat-2', null, true]],
])('a repeated order %s', async (_, age, expected) => {
  const keys = { 'k-1': { age: 5 * DAY, code: 4 }, 'k-1-repeat-1': { age, code: 4 } };
  expect((await asked(keys, { repeat: true })).end).toEqual(expected);
  const later = Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => [`k-1-repeat-${n}`, { age }]));
  const { end } = await asked({ ...keys, ...later }, { resume: true });
  expect(end).toEqual(['k-1-repeat-11', 'ORDER-k-1-repeat-11', false]);
});

it('a row with other labels than its order is rejected, and keeps the order with --resume', async () => {
  const { end } = await asked({ 'k-1': { age: 1000 } }, {}, ['k-1'], { team: 'ops' });
  expect(end).toContain('while this row has');
  const resumed = await asked({ 'k-1': { age: 1000 } }, { resume: true }, ['k-1'], { team: 'ops' });
  expect(resumed.end).toEqual(TAKEN);
});

it.each([
  [2 * DAY, null],
  [2 * DAY + 1, expect.stringContaining('An earlier --repeat created orders for only some of the rows')],
])('a row of %i ms ago that --repeat left out is an error after two days', async (age, expected) => {
  const earlier = { 'j-1': { age: 3 * DAY, code: 4 }, 'j-1-repeat-1': { age: DAY, code: 4 } };
  const keys = { ...earlier, 'k-1': { age, code: 4 } };
  expect((await asked(keys, { repeat: true }, ['j-1', 'k-1'])).unfinished).toEqual(expected);
});

it('a key given by a row is kept and rejected in any other row', () => {
  const keys = new RowKeys();
  const asked = {} as SwapInput;
  expect(keys.keyOf(1, asked, INTENT, 'mine')).toEqual({ key: 'mine', isOwn: true });
  expect(() => keys.keyOf(2, asked, INTENT, 'mine')).toThrow('Same key as row 1.');
  const made = [keys.keyOf(3, asked, INTENT, null), keys.keyOf(4, asked, INTENT, null)];
  expect(made.map(({ isOwn }) => isOwn)).toEqual([false, false]);
  expect(made.map(({ key }) => key.at(-1))).toEqual(['1', '2']);
});
