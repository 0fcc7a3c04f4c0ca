import type { Context, Service } from '../../context.ts';
import { fullSentence, SwapctlError } from '../../errors.ts';
import type { SwapResult } from '../../ledger/swap-result.ts';
import { rfc3339 } from '../../terminal/time.ts';
import { swapLine } from '../../views/swap.ts';
import type { Followed } from './follow/followed.ts';
import type { FollowOptions } from './follow/look-in-turn.ts';
import { lookInTurn } from './follow/look-in-turn.ts';
import type { WatchState } from './follow/watch-state.ts';
import { afterEvent, initialState } from './follow/watch-state.ts';
import { untilInterrupted } from './interrupt.ts';

/**
 * Follows swaps until all are final or the time is up: as a live view where the terminal can be redrawn, else with a line
 * for each change. Missed looks are told and passed over; anything that will not mend itself is thrown. Returns the
 * swaps as last seen. What was printed before is not told again.
 */
export function watchSwaps(
  context: Context,
  service: Service,
  orders: readonly string[],
  options: FollowOptions,
  alreadyPrinted: readonly SwapResult[] = [],
): Promise<readonly SwapResult[]> {
  const words = `Interrupted; the ${orders.length === 1 ? 'swap goes' : 'swaps go'} on without swapctl.`;
  const stopped = new AbortController();
  const seen = { known: alreadyPrinted, signal: stopped.signal };
  const events = lookInTurn(context, service, orders, options, seen);
  const begun = initialState(orders, alreadyPrinted, context.now());
  return untilInterrupted(context, words, async () => {
    try {
      const block = await context.streams.live();
      const state =
        block === null
          ? await printEach(context, events, begun)
          : await (await import('./follow/watch-live.ts')).watchLive(context, block, events, begun);
      return seenSwaps(state);
    } finally {
      stopped.abort();
    }
  });
}

/** The swaps as they were last seen; throws `still_open` where of one of them nothing could be learned. */
function seenSwaps({ swaps }: WatchState): readonly SwapResult[] {
  const unseen = [...swaps.values()].find(({ swap, gone }) => swap === null && gone === null);
  if (unseen !== undefined) throw neverSeen(unseen.order);
  return [...swaps.values()].flatMap(({ swap }) => swap ?? []);
}

/** Tells each change once, and each missed look. */
async function printEach(
  context: Context,
  events: AsyncIterable<Followed>,
  begun: WatchState,
): Promise<WatchState> {
  let state = begun;
  for await (const event of events) {
    await printEvent(context, event);
    state = afterEvent(state, event);
  }
  return state;
}

async function printEvent(context: Context, event: Followed): Promise<void> {
  const { streams } = context;
  if (event.kind === 'gone')
    return streams.warn(`the service does not know order ${event.order} of the ledger any more.`);
  if (event.kind === 'ended') return printEnd(context, event);
  if (event.kind === 'seen') {
    const { swap, before } = event;
    return JSON.stringify(before) === JSON.stringify(swap) ? undefined : printChange(context, swap, before);
  }
  const { order, error } = event;
  if (streams.format !== 'json')
    return streams.note(`${order}: ${fullSentence(error.message)} Still watching.`);
  await streams.printLine({ type: 'retry', at: rfc3339(event.at), order, error: error.toJSON() });
}

/** Tells one change of a swap. */
export async function printChange(
  context: Context,
  swap: SwapResult,
  before: SwapResult | null,
): Promise<void> {
  const at = rfc3339(context.now());
  const { streams } = context;
  if (streams.format === 'json') return streams.printLine({ type: 'status', at, swap });
  await streams.print({
    json: () => null,
    rows: () => [
      [at, swap.order, swap.status, swap.statusCode, swap.deposit.confirmations, swap.receive.txId],
    ],
    screen: (style, width) => swapLine(style, at, swap, before ?? undefined, width),
  });
}

async function printEnd(
  { streams }: Context,
  { at, order, swap }: Extract<Followed, { kind: 'ended' }>,
): Promise<void> {
  if (streams.format !== 'json') return;
  const { status = 'unknown', statusCode = null } = swap ?? {};
  await streams.printLine({ type: 'end', at: rfc3339(at), order, status, statusCode });
}

function neverSeen(order: string): SwapctlError {
  return new SwapctlError(
    'still_open',
    `Nothing could be learned of swap ${order} in time; it may still be open.`,
    {
      outcome: 'done',
      retryable: true,
      hint: `Look again with \`swapctl status ${order}\`.`,
      details: { order, status: 'unknown', statusCode: null },
    },
  );
}

/** The error for `--exit-status`, or for a watch whose time was up: 9 for a swap that failed, 8 for one still open. */
export function verdictOn(
  swaps: readonly SwapResult[],
  exitStatus: boolean,
  timedOut: boolean,
): SwapctlError | null {
  const failed = swaps.find(({ status }) => FAILED.has(status));
  if (exitStatus && failed !== undefined) {
    return new SwapctlError('swap_failed', `Swap ${failed.order} ended as ${failed.status}.`, {
      outcome: 'done',
      hint: 'See `swapctl help statuses` for what that means.',
      details: { order: failed.order, status: failed.status, statusCode: failed.statusCode },
    });
  }
  const open = swaps.find(({ final }) => !final);
  if (open === undefined || !(exitStatus || timedOut)) return null;
  return new SwapctlError('still_open', `Swap ${open.order} is not final yet: ${open.status}.`, {
    outcome: 'done',
    retryable: true,
    hint: `Follow it with \`swapctl status ${open.order} --watch\`.`,
    details: { order: open.order, status: open.status, statusCode: open.statusCode },
  });
}

const FAILED: ReadonlySet<string> = new Set(['overdue', 'error', 'refund']);
