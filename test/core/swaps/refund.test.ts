import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StorageError } from '../../../src/base/errors.ts';
import type { Client } from '../../../src/core/client/client.ts';
import { setRefundAddress, swapToRefund } from '../../../src/core/swaps/refund.ts';
import { refundsOnLedger } from '../../../src/core/swaps/refund-records.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';
import { swapOf } from '../ledger/entries.ts';
import { contextAt, REQUEST } from './follow/followers.ts';

it('a refund address is not set if the ledger cannot record the poll before it', async () => {
  const context = await contextAt(1_790_000_000_000);
  const [ledger, service] = [await context.ledger(), await context.service()];
  const seen = async () => {
    await turn();
    throw new StorageError('The disk is full.');
  };
  const transaction: Client['transaction'] = async (order) => ({ value: swapOf(order, 1), httpStatus: 200 });
  const busy = { ...service, client: { ...service.client, transaction } };
  const ports = { ...context, service: async () => busy, ledger: async () => ({ ...ledger, seen }) };
  await expect(swapToRefund(refundsOnLedger(ports), 'KQWZPA')).rejects.toThrow('The disk is full.');
});

it('a refund address of an order that a create of unknown outcome may have made is recorded with its terms', async () => {
  const context = await contextAt(1);
  const [ledger, owner, service] = [await context.ledger(), await context.owner(), await context.service()];
  const { entry } = await ledger.begin(owner, REQUEST, null, 1);
  await ledger.claim(entry.id, owner, REQUEST, 1);
  const transaction = async () => ({ value: swapOf('KQWZPA'), httpStatus: 200 });
  const updateRefundAddress: typeof service.client.updateRefundAddress = async (order, refundAddress) => ({
    ...{ value: { message: '', order, refundAddress }, httpStatus: 200 },
  });
  const client = { ...service.client, transaction, updateRefundAddress };
  const ports = refundsOnLedger({ ...context, service: async () => ({ ...service, client }) });
  const found = await swapToRefund(ports, 'KQWZPA');
  await setRefundAddress(ports, found, { address: ADDRESSES.btcRefund, approval: null });
  expect(await ledger.byOrder(owner, 'KQWZPA')).toMatchObject({
    ...{ request: REQUEST, refundAddress: ADDRESSES.btcRefund },
    doubts: [expect.anything(), expect.anything()],
  });
});
