import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { swapOfKey } from '../../../src/core/swaps/create-records.ts';
import { swapOf } from '../ledger/entries.ts';
import { contextAt, recordSwap, withClient } from './follow/followers.ts';

it.each([
  ['has ended since', 4, /^KQWZPA has ended as success; do not fund it\.$/],
  ['cannot be polled', null, /^the swap could not be polled: No answer\. It is shown as last seen at /],
])('the swap of a reused key that %s is shown with a warning and not as fundable', async (_, code, words) => {
  const context = await contextAt(1);
  await recordSwap(context, swapOf('KQWZPA'));
  const [ledger, owner] = [await context.ledger(), await context.owner()];
  const transaction = async () => {
    if (code === null) throw new SwapctlError('network_error', 'No answer.');
    return { value: swapOf('KQWZPA', code), httpStatus: 200 };
  };
  const warnings: string[] = [];
  const notify = async ({ text }: { readonly text: string }) => {
    for (let count = 0; count < 3; count += 1) await turn();
    warnings.push(text);
  };
  const ports = await withClient({ ...context, notify }, { transaction });
  const entry = await ledger.byOrder(owner, 'KQWZPA');
  if (entry === null) throw new Error('no entry');
  expect(await swapOfKey(ports, entry)).toMatchObject({ swap: { fundable: false }, replayed: true });
  expect(warnings.at(-1)).toMatch(words);
});
