import type { Context } from '../../../context.ts';
import type { SwapResult } from '../../../ledger/swap-result.ts';
import { needOf } from '../../../swap/need.ts';
import type { LiveBlock } from '../../../terminal/live.ts';
import { liveLines } from '../../../views/live/live.ts';
import type { Followed } from './followed.ts';
import type { WatchState } from './watch-state.ts';
import { afterEvent, latestMissed } from './watch-state.ts';

/** Start of a live view, and what it needs beside the events. */
export interface LiveWatch {
  readonly begun: WatchState;
  /** Confirmations that a swap's deposit needs; null where that is not known. */
  readonly needed?: (swap: SwapResult) => number | null;
  /** Milliseconds by which the clock of a swap's service is ahead. */
  readonly clockAhead?: (swap: SwapResult) => number;
}

/**
 * Shows swaps that are followed as a live block or board until nothing more follows. The last frame stays, whatever ends
 * it. Throws what the events throw, and as soon as the terminal takes nothing any more. */
export async function watchLive(
  { now }: Pick<Context, 'now'>,
  block: LiveBlock,
  events: AsyncIterable<Followed>,
  { begun, needed = () => null, clockAhead = () => 0 }: LiveWatch,
): Promise<WatchState> {
  let state = begun;
  const show = () =>
    block.show((room) => {
      const swaps = [...state.swaps.values()].map((watched) =>
        watched.swap === null ? watched : { ...watched, clockAhead: clockAhead(watched.swap) },
      );
      return liveLines({ swaps, missed: latestMissed(state), now: now(), ...room });
    });
  const iterator = events[Symbol.asyncIterator]();
  try {
    show();
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), block.closed]);
      if (done === true) return state;
      const before = state;
      state = afterEvent(before, value, needed);
      if (beginsToNeedPerson(value, before)) block.bell();
      show();
    }
  } finally {
    block.end();
  }
}

/** Whether a swap that went on by itself when it was last seen needs a person now; a first sight is no change. */
function beginsToNeedPerson(event: Followed, { swaps }: WatchState): boolean {
  if (event.kind !== 'seen') return false;
  const before = event.before ?? swaps.get(event.key)?.swap ?? null;
  return before !== null && needOf(before) === null && needOf(event.swap) !== null;
}
