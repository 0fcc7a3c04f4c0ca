import { errorJson, fullSentence, SwapctlError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { rfc3339 } from '../../../base/time.ts';
import type { BudgetLimit } from '../../../core/ledger/budget/limit.ts';
import { BUILT_IN_ACCOUNT } from '../../../core/ledger/entry.ts';
import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { followSwaps } from '../../../core/swaps/follow/follow.ts';
import type { Followed, ProfileToFollow } from '../../../core/swaps/follow/profile.ts';
import type { FailedOrder } from '../../../core/swaps/poll.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import type { Context } from '../../context.ts';
import { untilInterrupted } from '../../terminal/progress.ts';
import { swapLine } from '../../views/swap.ts';
import { storedSetting } from './stored-setting.ts';
import { initialState, type LiveWatch, noteEvent, type WatchState, watchLive } from './watch-live.ts';

/** Options of `--watch`. */
export interface WatchOptions {
  /** Pause between two polls of a swap, in milliseconds; null for the stored setting. */
  readonly intervalMs: number | null;
  readonly budget: BudgetLimit | null;
  /** An order of the ledger that the service does not know is reported and skipped instead of being an error. */
  readonly forgiving?: boolean;
}

/** Orders with their profiles, and what was already printed about them. */
export interface WatchedProfiles {
  readonly profiles: readonly ProfileToFollow[];
  /** All that are known at the beginning. */
  readonly orders: readonly string[];
  readonly alreadyPrinted?: readonly SwapResult[];
}

/**
 * Follows swaps until all are final or the time is up: as a live view where the terminal can be redrawn, else with a
 * line for each change. Failed polls are reported and skipped; an order that cannot be followed does not affect the
 * others. What was already printed is not repeated. Throws `still_open` if nothing could be learned about a swap.
 */
export function watchSwaps(
  context: Context,
  { profiles, orders, alreadyPrinted = [] }: WatchedProfiles,
  options: WatchOptions,
) {
  const words = `Stopped. The ${orders.length === 1 ? 'swap continues' : 'swaps continue'} without swapctl.`;
  const stopped = new AbortController();
  const events = followSwaps(context, profiles, {
    intervalMs: options.intervalMs ?? storedSetting(context, 'interval'),
    budget: options.budget,
    known: alreadyPrinted,
    fromLedger: true,
    signal: stopped.signal,
  });
  const failures: FailedOrder[] = [];
  const startedAt = context.now();
  const begun = initialState(orders, alreadyPrinted, startedAt);
  return untilInterrupted(context, words, async () => {
    try {
      const block = await context.streams.live();
      const counted = collectFailures(events, failures, options.forgiving === true);
      const goneWords = (gone: Gone) => wordsOfGone(gone, failures, orders.length === 1);
      const state =
        block === null
          ? await printEach(context, counted, begun, goneWords)
          : await watchLive(context, block, counted, {
              begun,
              stopped,
              ...(await knownOfServices(profiles)),
            });
      if (state.isLeft === true) return { swaps: [], failures: [] };
      return { swaps: seenSwaps(state, failures, startedAt), failures };
    } finally {
      stopped.abort();
    }
  });
}

/** Facts that the API does not report: the built-in service's confirmations and clock are known. */
async function knownOfServices(
  profiles: readonly ProfileToFollow[],
): Promise<Pick<LiveWatch, 'needed' | 'clockAhead'>> {
  const known = new Map<string, Service>();
  for (const { ports } of profiles) {
    if ((await ports.owner()).account !== BUILT_IN_ACCOUNT) continue;
    const service = await ports.service();
    known.set(service.profile, service);
  }
  return {
    needed: ({ profile, deposit: { coin, network } }) =>
      coin === null || network === null
        ? null
        : (known.get(profile)?.confirmationsNeeded?.(coin, network) ?? null),
    clockAhead: ({ profile }) => known.get(profile)?.clockAhead?.() ?? 0,
  };
}

/** Records each order that could not be followed; with `forgiving`, not those that the service no longer knows. */
async function* collectFailures(
  events: AsyncIterable<Followed>,
  failures: FailedOrder[],
  forgiving: boolean,
): AsyncGenerator<Followed> {
  for await (const event of events) {
    if (event.kind === 'gone' && !(forgiving && event.error.code === 'not_found')) failures.push(event);
    yield event;
  }
}

/** The swaps as last seen, without unwatched ones that were never polled. Throws `still_open` if one is unknown. */
function seenSwaps({ swaps }: WatchState, failures: readonly FailedOrder[], startedAt: number) {
  const unseen = [...swaps.values()].find(({ swap, gone }) => swap === null && gone === null);
  if (unseen !== undefined && failures.length === 0) throw neverSeen(unseen.order);
  return [...swaps.values()].flatMap(({ swap, gone, seenAt }) =>
    swap === null || (gone !== null && (seenAt ?? 0) < startedAt) ? [] : [swap],
  );
}

/** Prints each change once, and each failed poll. */
async function printEach(
  context: Context,
  events: AsyncIterable<Followed>,
  begun: WatchState,
  goneWords: (gone: Gone) => string | null,
): Promise<WatchState> {
  for await (const event of events) {
    noteEvent(begun, event);
    if (event.kind === 'seen' || event.kind === 'missed') await printEvent(context, event);
    else if (event.kind === 'ended')
      await printEnd(context, event.order, begun.swaps.get(event.key)?.swap ?? null);
    else if (event.kind === 'gone') {
      const words = goneWords(event);
      if (words !== null) await context.streams.warn(words);
    }
  }
  return begun;
}

type Gone = Extract<Followed, { kind: 'gone' }>;

/** A sentence about an order that is no longer followed; null if the error at the end covers it. */
function wordsOfGone(gone: Gone, failures: readonly FailedOrder[], isOnly: boolean): string | null {
  const { order, error } = gone;
  if (!failures.includes(gone)) return `the service no longer knows order ${order} of the ledger.`;
  return isOnly ? null : `order ${order}: ${error.message}`;
}

async function printEvent(context: Context, event: Extract<Followed, { kind: 'seen' | 'missed' }>) {
  const { streams } = context;
  if (event.kind === 'seen') {
    const { swap, before } = event;
    return JSON.stringify(before) === JSON.stringify(swap) ? undefined : printChange(context, swap, before);
  }
  const { order, error } = event;
  const retry = { type: 'retry', at: rfc3339(context.now()), order, error: errorJson(error, context.flags) };
  if (streams.format === 'json') return streams.printLine(retry);
  streams.note(`${order}: ${fullSentence(error.message)} Still watching.`);
}

/** Prints one change of a swap with the current time: a JSON object, a row of cells, or a line on a terminal. */
export async function printChange(context: Context, swap: SwapResult, before: SwapResult | null) {
  const at = rfc3339(context.now());
  const { streams } = context;
  if (streams.format === 'json') return streams.printLine({ type: 'status', at, swap });
  await streams.print({
    json: () => null,
    rows: () => [
      [at, swap.order, swap.status, swap.statusCode, swap.deposit.confirmations, swap.receive.txId],
    ],
    screen: (style, width) => swapLine(style, { at, swap, before: before ?? null }, width),
  });
}

/** Prints the end of an order's watch, with the swap as last seen, which may have been before this watch. */
async function printEnd({ streams, now }: Context, order: string, swap: SwapResult | null): Promise<void> {
  if (streams.format !== 'json') return;
  const { status = 'unknown', statusCode = null } = swap ?? {};
  // The time of printing, as in the line before it.
  await streams.printLine({ type: 'end', at: rfc3339(now()), order, status, statusCode });
}

function neverSeen(order: string): SwapctlError {
  return new SwapctlError('still_open', `Swap ${order} could not be polled in time; it may still be open.`, {
    outcome: 'done',
    retryable: true,
    hint: `Try again with \`swapctl status ${shellQuote(order)}\`.`,
    details: { order, status: 'unknown', statusCode: null },
  });
}

/** The error for `--exit-status`, or for a watch that timed out: 9 for a swap that failed, 8 for one still open. */
export function exitStatusError(
  swaps: readonly SwapResult[],
  exitStatus: boolean,
  timedOut: boolean,
): SwapctlError | null {
  const failed = swaps.find(({ status }) => FAILED.has(status));
  if (exitStatus && failed !== undefined)
    return new SwapctlError('swap_failed', `Swap ${failed.order} ended as ${failed.status}.`, {
      outcome: 'done',
      hint: `\`swapctl history support ${shellQuote(failed.order ?? '')}\` prints a ticket for the service.`,
      details: { order: failed.order, status: failed.status, statusCode: failed.statusCode },
    });
  const allOpen = swaps.filter(({ final }) => !final);
  const [open] = allOpen;
  if (open === undefined || !(exitStatus || timedOut)) return null;
  const words =
    allOpen.length === 1
      ? `Swap ${open.order} is not final yet: ${open.status}.`
      : `${allOpen.length} of ${swaps.length} swaps are not final yet, including ${open.order} (${open.status}).`;
  return new SwapctlError('still_open', words, {
    outcome: 'done',
    retryable: true,
    hint: `Watch it with \`swapctl status ${shellQuote(open.order ?? '')} --watch\`.`,
    details: { order: open.order, status: open.status, statusCode: open.statusCode },
  });
}

const FAILED: ReadonlySet<string> = new Set(['overdue', 'error', 'refund']);
