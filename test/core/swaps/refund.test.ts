import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StorageError } from '../../../src/base/errors.ts';
import type { Client } from '../../../src/core/client/client.ts';
import { swapToRefund } from '../../../src/core/swaps/refund.ts';
import { refundsOnLedger } from '../../../src/core/swaps/refund-records.ts';
import { swapOf } from '../ledger/entries.ts';
import { contextAt, withClient } from './follow/followers.ts';

it('a refund address is not set if the ledger cannot record the poll before it', async () => {
  const context = await contextAt(1_790_000_000_000);
  const ledger = await context.ledger();
  const seen = async () => {
    await turn();
    throw new StorageError('The disk is full.');
  };
  const transaction: Client['transaction'] = async (order) => ({ value: swapOf(order, 1), httpStatus: 200 });
  const ports = await withClient({ ...context, ledger: async () => ({ ...ledger, seen }) }, { transaction });
  await expect(swapToRefund(refundsOnLedger(ports), 'KQWZPA')).rejects.toThrow('The disk is full.');
});
