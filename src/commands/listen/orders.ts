import { judgedSwap, warnOfFindings } from '../../swaps/lookup.ts';
import type { Listening } from './listening.ts';

/**
 * The orders as the ledger spells them. One that it does not know is read from the service and taken up, so that its
 * events can be recorded. Throws what the service says of an order that does not exist.
 */
export async function takeUpOrders(
  { context, service, ledger, owner }: Pick<Listening, 'context' | 'service' | 'ledger' | 'owner'>,
  orders: readonly string[],
): Promise<readonly string[]> {
  const known: string[] = [];
  for (const order of orders) {
    const entry = await ledger.byOrder(owner, order);
    if (entry?.order === undefined || entry.order === null) {
      const { value: seen } = await service.client.transaction(order);
      const judged = await judgedSwap(service, null, seen);
      await warnOfFindings(context, null, judged);
      await ledger.imported(owner, { swap: judged.swap, doubts: judged.doubts, at: context.now() });
    }
    known.push(entry?.order ?? order);
  }
  return [...new Set(known)];
}
