import type { RequestTurns } from '../../client/send.ts';
import type { Context } from '../../context.ts';
import { fullSentence, SwapctlError } from '../../errors.ts';
import type { SwapResult } from '../../ledger/swap-result.ts';
import { followSwaps } from '../../swaps/follow/follow.ts';
import type { Followed } from '../../swaps/follow/place.ts';
import type { Service } from '../../swaps/ports.ts';
import { budgetOf } from '../shared/stored-setting.ts';
import type { Listening } from './listening.ts';

/** Who wants to hear of the looks. */
export interface LookListener {
  /** A look at a swap was recorded, by this process or another one. */
  onLook(): void;
  /** The HTTP status of an answer, or `none` where none came. */
  onAnswer(code: string): void;
}

/** What became of following. */
export interface FollowEnd {
  /** The first look that failed for a reason that passes. */
  readonly missed: SwapctlError | null;
  /** Swaps that were open when the time was up. */
  readonly open: readonly SwapResult[];
}

/**
 * Follows the swaps that are meant; each look records what it finds. Missed looks are told and passed over. Throws what
 * keeps the whole profile from being asked.
 */
export async function follow(listening: Listening, listener: LookListener): Promise<FollowEnd> {
  const { context, service, options, orders, stop } = listening;
  const place = { ports: counting(context, service, listener), orders };
  const followed = followSwaps(context, [place], {
    intervalMs: options.intervalMs,
    budget: options.budget === null ? null : budgetOf(options.budget),
    ...{ endless: orders === null && !options.once, once: options.once, signal: stop },
  });
  const open: SwapResult[] = [];
  let missed: SwapctlError | null = null;
  const told = new Set<string>();
  try {
    for await (const news of followed) {
      if (news.kind === 'seen') {
        told.clear();
        listener.onLook();
      } else if (news.kind === 'missed') {
        missed ??= news.error;
        tellMissed(context, news, told);
      } else if (news.kind === 'gone') await tellGone(context, news);
      else if (news.kind === 'ended' && news.swap?.final === false) open.push(news.swap);
    }
  } catch (error) {
    // An end that was asked for is no failure, other than an interruption.
    if (!stop.aborted || error instanceof SwapctlError) throw error;
  }
  return { missed, open };
}

/** The same trouble is told once until a look works again. */
function tellMissed(
  { streams }: Context,
  { error }: Extract<Followed, { kind: 'missed' }>,
  told: Set<string>,
): void {
  if (told.has(error.message)) return;
  told.add(error.message);
  streams.note(`${fullSentence(error.message)} Still listening.`);
}

async function tellGone({ streams }: Context, news: Extract<Followed, { kind: 'gone' }>): Promise<void> {
  const { order, error, isWholeProfile } = news;
  if (isWholeProfile) throw error;
  await streams.warn(`order ${order} is followed no more: ${error.message}`);
}

/** The context with a service that counts the answers to the looks. */
function counting(context: Context, service: Service, { onAnswer }: LookListener): Context {
  const { client } = service;
  const counted: Service = {
    ...service,
    client: {
      ...client,
      transaction: async (order, turns) => {
        let answers = 0;
        try {
          return await client.transaction(
            order,
            turns === undefined
              ? turns
              : tapped(turns, (code) => {
                  answers += 1;
                  onAnswer(code);
                }),
          );
        } finally {
          if (answers === 0) onAnswer('none');
        }
      },
    },
  };
  return { ...context, service: async () => counted };
}

function tapped(turns: RequestTurns, onAnswer: (code: string) => void): RequestTurns {
  return {
    timeLeft: () => turns.timeLeft(),
    beforeRepeat: () => turns.beforeRepeat(),
    onAnswer: (answer) => {
      onAnswer(String(answer.status));
      return turns.onAnswer(answer);
    },
  };
}
