import type { Context, Service } from '../../context.ts';
import { fullSentence, SwapctlError } from '../../errors.ts';
import type { SwapResult } from '../../ledger/swap-result.ts';
import { rfc3339 } from '../../terminal/time.ts';
import { swapLine } from '../../views/swap.ts';
import { untilInterrupted } from './interrupt.ts';
import { lookUpSwap } from './lookup.ts';

/** What `--watch` and `--interval` say. */
export interface WatchOptions {
  readonly intervalMs: number;
  /** An order that the service does not know is told and let be, instead of ending the watch. */
  readonly forgiving?: boolean;
  /** The context in which an order's own service is asked; the watch's own unless given. */
  readonly placeOf?: (order: string) => Context;
}

/**
 * Follows swaps until all are final or the time is up, and tells each change once. Missed polls are told and
 * passed over; anything that will not mend itself is thrown. Returns the swaps as last seen. What was `told`
 * before is not told again.
 */
export function watchSwaps(
  context: Context,
  service: Service,
  orders: readonly string[],
  options: WatchOptions,
  alreadyPrinted: readonly SwapResult[] = [],
): Promise<readonly SwapResult[]> {
  const words = `Interrupted; the ${orders.length === 1 ? 'swap goes' : 'swaps go'} on without swapctl.`;
  return untilInterrupted(context, words, () => follow(context, service, orders, options, alreadyPrinted));
}

async function follow(
  context: Context,
  service: Service,
  orders: readonly string[],
  options: WatchOptions,
  alreadyPrinted: readonly SwapResult[],
): Promise<readonly SwapResult[]> {
  const last = new Map(alreadyPrinted.map((swap) => [swap.order ?? '', swap]));
  // The client gives up then too: a look after it could only be a missed one.
  const end = context.deadline();
  const open = new Set(orders);
  const doubted = new Set<string>();
  for (;;) {
    for (const order of [...open]) {
      const swap = await poll(context, service, order, {
        ...{ forgiving: options.forgiving === true, end, doubted, placeOf: options.placeOf },
      });
      if (swap === 'gone') open.delete(order);
      if (swap === null || swap === 'gone') continue;
      if (JSON.stringify(last.get(order)) !== JSON.stringify(swap))
        await printChange(context, swap, last.get(order));
      last.set(order, swap);
      if (!swap.final) continue;
      open.delete(order);
      await printEnd(context, order, swap);
    }
    const left = end - context.monotonic();
    if (open.size === 0 || left <= 0) break;
    await context.sleep(Math.min(options.intervalMs, left));
  }
  for (const order of open) await printEnd(context, order, last.get(order));
  const unseen = [...open].find((order) => !last.has(order));
  if (unseen !== undefined) throw neverSeen(unseen);
  return orders.flatMap((order) => last.get(order) ?? []);
}

interface Poll {
  readonly forgiving: boolean;
  readonly end: number;
  /** What has been told to be in doubt; it is told once. */
  readonly doubted: Set<string>;
  readonly placeOf: WatchOptions['placeOf'];
}

async function poll(
  context: Context,
  service: Service,
  order: string,
  { forgiving, end, doubted, placeOf }: Poll,
): Promise<SwapResult | 'gone' | null> {
  try {
    const place = placeOf?.(order) ?? context;
    return await lookUpSwap(place, place === context ? service : await place.service(), order, doubted);
  } catch (error) {
    if (forgiving && error instanceof SwapctlError && error.code === 'not_found') {
      await context.streams.warn(`the service does not know order ${order} of the ledger any more.`);
      return 'gone';
    }
    if (!(error instanceof SwapctlError) || !error.retryable || error.code === 'interrupted') throw error;
    // The last look has no time left for its answer, so it is not a missed one.
    if (context.monotonic() >= end) return null;
    const at = rfc3339(context.now());
    if (context.streams.format === 'json') {
      await context.streams.printLine({ type: 'retry', at, order, error: error.toJSON() });
    } else context.streams.note(`${order}: ${fullSentence(error.message)} Still watching.`);
    return null;
  }
}

/** Tells one change of a swap. */
export async function printChange(
  context: Context,
  swap: SwapResult,
  before: SwapResult | undefined,
): Promise<void> {
  const at = rfc3339(context.now());
  const { streams } = context;
  if (streams.format === 'json') return streams.printLine({ type: 'status', at, swap });
  await streams.print({
    json: () => null,
    rows: () => [
      [at, swap.order, swap.status, swap.statusCode, swap.deposit.confirmations, swap.receive.txId],
    ],
    screen: (style, width) => swapLine(style, at, swap, before, width),
  });
}

async function printEnd(context: Context, order: string, swap: SwapResult | undefined): Promise<void> {
  if (context.streams.format !== 'json') return;
  const { status = 'unknown', statusCode = null } = swap ?? {};
  await context.streams.printLine({ type: 'end', at: rfc3339(context.now()), order, status, statusCode });
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
