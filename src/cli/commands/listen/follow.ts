import { fullSentence, SwapctlError } from '../../../base/errors.ts';
import type { BudgetLimit } from '../../../core/ledger/budget/limit.ts';
import type { Owner } from '../../../core/ledger/entry.ts';
import type { Ledger } from '../../../core/ledger/ledger.ts';
import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { followSwaps } from '../../../core/swaps/follow/follow.ts';
import type { Followed } from '../../../core/swaps/follow/profile.ts';
import type { LoopContext } from '../../../core/swaps/listen/loops.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import type { Context } from '../../context.ts';

/** Receives the outcome of each poll. */
export interface PollListener {
  /** A poll of a swap was recorded, by this process or another one. */
  onPoll(): void;
  /** The HTTP status of a response, or `none` without one. */
  onAnswer(code: string): void;
}

/**
 * Follows the swaps of the command line; each poll records what it finds. A failed poll is reported, and following
 * continues. Throws errors that prevent polling of the whole profile.
 */
export async function follow(listening: Listening, listener: PollListener) {
  const { context, options, orders, stop } = listening;
  const followed = followSwaps(context, [{ ports: context, orders }], {
    onAnswer: (status) => listener.onAnswer(String(status ?? 'none')),
    intervalMs: options.intervalMs,
    budget: options.budget,
    endless: orders === null && !options.once,
    once: options.once,
    mustRecord: true,
    signal: stop,
  });
  const open: SwapResult[] = [];
  let missed: SwapctlError | null = null;
  const reported = new Set<string>();
  const gone = new Set<string>();
  try {
    for await (const news of followed) {
      if (news.kind === 'seen') {
        reported.clear();
        listener.onPoll();
      } else if (news.kind === 'missed') {
        missed ??= news.error;
        reportMissed(context, news, reported);
      } else if (news.kind === 'gone') await reportGone(listening, news, gone);
      else if (news.kind === 'ended' && options.once && news.swap?.final !== true)
        missed ??= notPolledError();
      else if (news.kind === 'ended' && news.swap?.final === false) open.push(news.swap);
    }
  } catch (error) {
    // A requested end is not a failure, but an interruption is.
    if (!stop.aborted || error instanceof SwapctlError) throw error;
  }
  return { missed, open };
}

function notPolledError(): SwapctlError {
  return new SwapctlError('timeout', '--timeout was reached before every swap was polled.', {
    retryable: true,
    hint: 'Use a longer --timeout, or a larger --budget if the service allows it.',
  });
}

/** Reports a failure once, until a poll succeeds again. */
function reportMissed(
  { streams }: Context,
  { error }: Extract<Followed, { kind: 'missed' }>,
  reported: Set<string>,
): void {
  if (reported.has(error.message)) return;
  reported.add(error.message);
  streams.note(`${fullSentence(error.message)} Still listening.`);
}

/** Warns once of an order that could not be polled; a listener without named orders tries it again now and then. */
async function reportGone(
  { context, orders }: Listening,
  { order, error, isWholeProfile }: Extract<Followed, { kind: 'gone' }>,
  reported: Set<string>,
): Promise<void> {
  if (isWholeProfile) throw error;
  if (reported.has(order)) return;
  reported.add(order);
  const words = orders === null ? 'could not be polled' : 'is no longer watched';
  await context.streams.warn(`order ${order} ${words}: ${error.message}`);
}

/** State shared by the parts of `listen`. */
export interface Listening {
  readonly context: Context;
  readonly service: Service;
  readonly ledger: Ledger;
  readonly owner: Owner;
  readonly options: ListenOptions;
  /** Only these orders; null for all of the profile. */
  readonly orders: readonly string[] | null;
  /** Aborted when everything is to end. */
  readonly stop: AbortSignal;
}

/** What its loops share. */
export function loopContext({ context, stop }: Pick<Listening, 'context' | 'stop'>): LoopContext {
  return { ports: context, stop };
}

export interface ListenOptions {
  /** A URL that receives webhooks; null for none. */
  readonly forwardTo: string | null;
  /** A command for `sh -c`; null for none. */
  readonly exec: string | null;
  /** Empty for every open swap of the profile. */
  readonly orders: readonly string[];
  /** Globs of the types that are printed and delivered; null for all. */
  readonly types: readonly string[] | null;
  readonly once: boolean;
  /** Null for no metrics. */
  readonly metricsPort: number | null;
  readonly printSecret: boolean;
  /** Null if none is given. */
  readonly intervalMs: number | null;
  readonly budget: BudgetLimit | null;
}
