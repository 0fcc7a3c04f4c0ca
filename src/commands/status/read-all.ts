import type { Context } from '../../context.ts';
import { InterruptedError, restated, SwapctlError } from '../../errors.ts';
import type { SwapResult } from '../../ledger/swap-result.ts';
import { withProgress } from '../../terminal/progress.ts';
import { isForOneOrder } from '../shared/follow/problems.ts';
import { lookUpSwap, serviceTime } from '../shared/lookup.ts';
import type { PlacedOrder } from '../shared/order-places.ts';
import type { FailedOrder, Watched } from '../shared/watch.ts';

/** What was read, and for each swap the time at its service just then, in milliseconds since 1970. */
export interface ReadSwaps extends Watched {
  readonly times: ReadonlyMap<SwapResult, number>;
}

/**
 * Reads the swaps one after the other. An order that cannot be read goes to the failures and does not hide the others;
 * one of the ledger that the service has forgotten is told. What is no matter of one order ends the reading at its
 * place, which is one service with one key.
 */
export async function readAll(
  context: Context,
  orders: readonly PlacedOrder[],
  named: boolean,
): Promise<ReadSwaps> {
  return withProgress(context.streams, 'Reading', async () => {
    const swaps: SwapResult[] = [];
    const failures: FailedOrder[] = [];
    const times = new Map<SwapResult, number>();
    const closed = new Set<Context>();
    for (const { order, place } of orders) {
      if (closed.has(place)) continue;
      try {
        const service = await place.service();
        const swap = await lookUpSwap(place, service, order);
        swaps.push(swap);
        times.set(swap, serviceTime(place, service));
      } catch (error) {
        if (!(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
        if (named || error.code !== 'not_found') failures.push({ order, error });
        else
          await context.streams.warn(
            `the service does not know order ${order} of the ledger any more: ${error.message}`,
          );
        if (!isForOneOrder(error)) closed.add(place);
      }
    }
    return { swaps, failures, times };
  });
}

/** The failure of one order among several. */
export function namedFailure({ order, error }: FailedOrder): SwapctlError {
  return restated(error, `Order ${order}: ${error.message}`, { details: { ...error.details, order } });
}
