import type { Context } from '../../context.ts';
import { type SwapEvent, storedEvent } from '../../ledger/events/event.ts';
import { isWantedType } from '../../swaps/listen/deliver.ts';
import { eventLineView, type SnapshotEvent } from '../../views/events.ts';
import type { Listening } from './listening.ts';
import { openTail } from './tail.ts';

/** Prints one event, or the state of a swap at the start: a line in each form. */
export async function printEvent({ streams }: Context, event: SwapEvent | SnapshotEvent): Promise<void> {
  if (streams.format === 'json') await streams.printLine(event);
  else await streams.print(eventLineView(event));
}

/** Gives a function that prints the events that turned up since its last call; `onEvent` is told of each. */
export async function openPrinter(
  { context, ledger, owner, orders, options }: Listening,
  onEvent: (event: SwapEvent) => void,
): Promise<() => Promise<void>> {
  const next = await openTail(ledger.events, owner.account, context.now);
  return async () => {
    for (const recorded of await next()) {
      const isMeant = orders === null || (recorded.order !== null && orders.includes(recorded.order));
      if (!isMeant) continue;
      const event = storedEvent(recorded);
      onEvent(event);
      if (isWantedType(event.type, options.types)) await printEvent(context, event);
    }
  };
}
