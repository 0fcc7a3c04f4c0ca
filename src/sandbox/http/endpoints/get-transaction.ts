import { MESSAGES } from '../../../partner-api/messages.ts';
import { orderStateAt } from '../../orders/lifecycle.ts';
import { OK_STATUS } from '../../state/assumptions.ts';
import type { Answer } from '../answer.ts';
import { ApiError } from '../api-error.ts';
import type { Call, Core } from '../core.ts';
import { wireTransaction } from '../wire-transaction.ts';

/** Answers get-transaction: the current state of a swap of the calling partner. */
export async function getTransaction(
  core: Pick<Core, 'decisions' | 'orders' | 'orderNumbers' | 'payoutTxId'>,
  { values, partner, snapshot }: Call,
): Promise<Answer> {
  const sequence = core.orderNumbers.sequenceOf(values.get('id') ?? '');
  const found = sequence === undefined ? undefined : await core.orders.find(sequence, snapshot);
  if (found === undefined || found.order.partnerKey !== partner.publicKey) {
    throw new ApiError(404, MESSAGES.TRANSACTION_NOT_FOUND);
  }
  const state = orderStateAt(found.order, found.events, snapshot.now);
  const payoutTxId = state.payout === null ? '' : await core.payoutTxId(found.order, snapshot.seed);
  return {
    status: OK_STATUS,
    body: wireTransaction(found.order, state, core.decisions, { withCreation: true, payoutTxId }),
  };
}
