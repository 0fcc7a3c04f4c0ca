import { MESSAGES } from '../../../partner-api/messages.ts';
import type { WireRefundUpdate } from '../../../partner-api/types.ts';
import { OrderRepository } from '../../orders/repository.ts';
import { OK_STATUS } from '../../state/assumptions.ts';
import type { Answer } from '../answer.ts';
import { ApiError } from '../api-error.ts';
import type { Call, Core } from '../core.ts';

/**
 * Answers update-refund-address: sets or replaces the refund address of a swap, whatever its state. Throws StateReplaced.
 */
export async function updateRefundAddress(
  core: Pick<Core, 'database' | 'orderNumbers' | 'decisions'>,
  { values, partner, snapshot }: Call,
): Promise<Answer> {
  const orderNumber = values.get('id') ?? '';
  const refundAddress = values.get('refundAddress') ?? '';
  const sequence = core.orderNumbers.sequenceOf(orderNumber);
  const update = { partnerKey: partner.publicKey, refundAddress, generation: snapshot.generation };
  const isSet =
    sequence !== undefined &&
    (await core.database.transaction((tx) => new OrderRepository(tx).setRefundAddress(sequence, update)));
  if (!isSet) throw new ApiError(404, MESSAGES.TRANSACTION_NOT_FOUND);
  const body: WireRefundUpdate = {
    message: core.decisions.refundMessage,
    orderNumber,
    newRefundAddress: refundAddress,
  };
  return { status: OK_STATUS, body };
}
