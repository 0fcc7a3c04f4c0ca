import { StorageError } from '../../base/errors.ts';
import { compareAnswer, compareUnrecorded, warnOfDoubts } from './lookup.ts';
import type { Meanwhile, Ports } from './ports.ts';
import type { RefundPorts, RefundRecords, SwapToRefund } from './refund.ts';
import { checkRefund, submitRefund } from './submit.ts';

/** The ports of a refund address that is recorded in the ledger, and passes its policy. */
export function refundsOnLedger(ports: Ports, meanwhile: Meanwhile = (request) => request()): RefundPorts {
  const refunds: RefundRecords = {
    find: async (service, given) => {
      const [owner, ledger] = [await ports.owner(), await ports.ledger()];
      const before = await ledger.byOrder(owner, given);
      const order = before?.order ?? given;
      const answer = await service.client.transaction(order);
      const compared =
        before === null
          ? await compareUnrecorded(ports, service, answer.value)
          : { ...(await compareAnswer(ports, service, before, answer.value)), entry: before };
      const { entry } = compared;
      await warnOfDoubts(ports, entry, compared);
      await ledger.seen(owner, { swap: compared.swap, doubts: compared.doubts, at: ports.now() });
      return { order, entry, compared, answer };
    },
    decision: (refund) => checkRefund(ports, refund),
    send: (service, refund) => meanwhile(() => submitRefund(ports, service, refund)),
    record: (found, address) => recordedRefund(ports, found, address),
  };
  return { service: ports.service, refunds };
}

async function recordedRefund(
  ports: Ports,
  { compared: { swap, doubts, request = null } }: SwapToRefund,
  address: string,
): Promise<StorageError | null> {
  try {
    const ledger = await ports.ledger();
    await ledger.refundAddressSet(await ports.owner(), { swap, doubts, request, at: ports.now() }, address);
    return null;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return new StorageError(
      `The refund address is set, but the ledger could not be written. ${error.message}`,
      'Run the same command again once the ledger can be written.',
      'done',
    );
  }
}
