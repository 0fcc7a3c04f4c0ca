import { expect, it } from 'vitest';
import { identicalSwap } from '../../../src/core/swaps/identical.ts';
import { claimed, swapOf } from '../ledger/entries.ts';
import { contextAt, REQUEST, recordSwap } from './follow/followers.ts';

const NOW = 1_790_000_000_000;
const MINUTE = 60_000;
const CREATED = 'has the same coins, amount, address and memo. You would be creating a duplicate.';

it('a swap like one of the last ten minutes is reported as a duplicate of the newest', async () => {
  let now = NOW - 11 * MINUTE;
  const context = await contextAt(() => now);
  const printed = (change: Partial<typeof REQUEST> = {}, labels = {}) =>
    identicalSwap(context, { request: { ...REQUEST, ...change }, asked: '0.10', service: {} }, labels);
  await recordSwap(context, swapOf('OLDEST'));
  now = NOW - 2 * MINUTE;
  expect(await printed()).toBe(`Order OLDEST, created 9 minutes ago, ${CREATED}`);
  now = NOW;
  expect(await printed()).toBeNull();
  now = NOW - 3 * MINUTE;
  await recordSwap(context, swapOf('FIRST'));
  now = NOW - 2 * MINUTE;
  await recordSwap(context, swapOf('SECOND'));
  now = NOW;
  expect(await printed()).toBe(`Order SECOND, created 2 minutes ago, ${CREATED}`);
  expect(await printed({ memo: '7' })).toBeNull();
  expect(await printed({}, { invoice: '2' })).toBe(
    'Order SECOND, created 2 minutes ago, has the same coins, amount, address and memo, but no labels, while this swap has the label invoice=2.',
  );
  const [ledger, owner] = [await context.ledger(), await context.owner()];
  const entry = await claimed(ledger, owner, REQUEST, null, NOW - MINUTE);
  expect(await printed()).toMatch(/^A request sent 1 minute ago with .*: an order may exist\. You could be /);
  expect(await printed({}, { invoice: '2' })).toMatch(/^A request sent .* but no labels, .* unknown outcome/);
  await ledger.settle(entry.id, { outcome: 'refused', reason: 'no', at: NOW });
  expect(await printed()).toMatch(/^Order SECOND,/);
});
