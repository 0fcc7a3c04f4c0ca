import { randomUUID } from 'node:crypto';
import { SwapctlError } from '../../../base/errors.ts';
import type { BudgetLimit } from '../../ledger/budget/limit.ts';
import { followSwaps } from '../follow/follow.ts';
import type { Ports } from '../ports.ts';
import { deliverDue, openUpkeep } from './deliver.ts';
import { allEnded, type LoopContext, pauseFor, repeatUntilStopped, Waker } from './loops.ts';
import type { Target } from './targets.ts';

/** A program that is given events. */
export interface EventProgram {
  readonly target: Target;
  /** Patterns of the types that it wants; null for all. */
  readonly types: readonly string[] | null;
  readonly budget: BudgetLimit | null;
  /** Ends it, after the deliveries in progress. */
  readonly stop: AbortSignal;
}

/**
 * Follows every open swap of the ports' account, and delivers the events of these swaps to a program, in order for each
 * swap and at least once, until it is stopped. Throws what prevents polls of the whole account.
 */
export async function deliverTo(ports: Ports, { target, types, budget, stop }: EventProgram): Promise<void> {
  const [{ events }, { account }] = [await ports.ledger(), await ports.owner()];
  // From now on the events of the account are queued for delivery.
  await events.webhooks.listen(account, ports.now());
  const end = new AbortController();
  const loop: LoopContext = { ports, stop: AbortSignal.any([stop, end.signal]) };
  const waker = new Waker();
  const upkeep = openUpkeep(ports, events, { account, keptMs: null });
  const scope = { account, orders: null };
  const work = {
    events,
    scope,
    holder: randomUUID(),
    types,
    targets: [target],
    now: ports.now,
    unrecorded: [],
    stop: loop.stop,
    onDraining: () => undefined,
    onSettled: () => undefined,
    pause: () => pauseFor(loop, waker),
  };
  const pollLoop = pollAll(ports, budget, loop.stop, () => waker.wake());
  const deliveryLoop = repeatUntilStopped(loop, waker, async () => {
    await upkeep();
    await deliverDue(work);
    const due = await events.nextDue(scope);
    await pauseFor(loop, waker, due === null ? undefined : due - ports.now());
  });
  loop.stop.addEventListener('abort', () => waker.wake(), { once: true });
  await allEnded([pollLoop, deliveryLoop], () => end.abort());
}

async function pollAll(ports: Ports, budget: BudgetLimit | null, stop: AbortSignal, onPoll: () => void) {
  const options = { intervalMs: null, budget, endless: true, signal: stop };
  try {
    for await (const news of followSwaps(ports, [{ ports, orders: null }], options)) {
      if (news.kind === 'seen') onPoll();
      else if (news.kind === 'gone' && news.isWholeProfile) throw news.error;
    }
  } catch (error) {
    // A requested end is not a failure, but an interruption is.
    if (!stop.aborted || error instanceof SwapctlError) throw error;
  }
}
