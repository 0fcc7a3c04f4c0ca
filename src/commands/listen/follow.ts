import { fullSentence, SwapctlError } from '../../errors.ts';
import { lookUpSwap } from '../shared/lookup.ts';
import type { Listening } from './listening.ts';

/** Looks at every swap that is meant and open, one after the other. Returns the first failure that goes by itself. */
export async function lookAtAll(
  listening: Listening,
  told: Set<string>,
  onLook: () => void,
): Promise<SwapctlError | null> {
  const { context, service, ledger, owner, orders, stop } = listening;
  let failure: SwapctlError | null = null;
  for (const { order } of await ledger.open(owner)) {
    if (stop.aborted) break;
    if (order === null || (orders !== null && !orders.includes(order))) continue;
    try {
      await lookUpSwap(context, service, order, { alreadyPrinted: told });
    } catch (error) {
      if (!(error instanceof SwapctlError) || error.code === 'interrupted') throw error;
      if (error.code === 'not_found') {
        await context.streams.warn(`the service does not know order ${order} of the ledger any more.`);
        continue;
      }
      if (!error.retryable) throw error;
      failure ??= error;
      context.streams.note(`${order}: ${fullSentence(error.message)} Still listening.`);
    }
    onLook();
  }
  return failure;
}
