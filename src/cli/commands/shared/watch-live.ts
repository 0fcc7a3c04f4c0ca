import { fullSentence, InterruptedError, type SwapctlError } from '../../../base/errors.ts';
import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { needOf } from '../../../core/swap/attention.ts';
import type { Followed, LastSeenSwap } from '../../../core/swaps/follow/profile.ts';
import type { Context } from '../../context.ts';
import type { LiveBlock } from '../../terminal/live.ts';
import type { MissedPoll, WatchedSwap } from '../../views/live/frame.ts';
import { liveFrame } from '../../views/live/live.ts';
import { type Navigation, pressed, UNTOUCHED, type VisibleRows } from '../../views/live/navigation.ts';

/** Start of a live view, and what it needs beside the events. */
export interface LiveWatch {
  readonly begun: WatchState;
  /** Aborted at the end, which ends the events. */
  readonly stopped: AbortController;
  /** Confirmations that a swap's deposit needs; null if that is not known. */
  readonly needed?: (swap: SwapResult) => number | null;
  /** Milliseconds by which the clock of a swap's service is ahead. */
  readonly clockAhead?: (swap: SwapResult) => number;
}

/**
 * Shows followed swaps as a live block or board, from the first event to the last. The last frame stays, whatever ends
 * it. Throws what the events throw, and as soon as the terminal can no longer be written to.
 */
export async function watchLive(
  { now, streams }: { readonly now: Context['now']; readonly streams: Pick<Context['streams'], 'keys'> },
  block: LiveBlock,
  events: AsyncIterable<Followed>,
  { begun: state, stopped, needed = () => null, clockAhead = () => 0 }: LiveWatch,
): Promise<WatchState> {
  let navigation: Navigation | null = null;
  let rows: VisibleRows = { keys: [], count: 0 };
  let drawnAt = Number.NEGATIVE_INFINITY;
  const show = () =>
    block.show((room) => {
      const swaps = [...state.swaps.values()].map((watched) =>
        watched.swap === null ? watched : { ...watched, clockAhead: clockAhead(watched.swap) },
      );
      const frame = { swaps, missed: latestMissed(state), now: now(), ...room };
      const { lines, top, ...drawn } = liveFrame(frame, navigation);
      if (navigation !== null) navigation = { ...navigation, top };
      rows = drawn;
      drawnAt = performance.now();
      return lines;
    });
  let leave: (error: InterruptedError | null) => void = () => undefined;
  const left = new Promise<null>((resolve, reject) => {
    leave = (error) => (error === null ? resolve(null) : reject(error));
  });
  left.catch(() => undefined);
  const stopKeys = await streams.keys((key) => {
    if (key.name === 'interrupt') return leave(new InterruptedError('SIGINT'));
    const next = pressed(navigation ?? UNTOUCHED, key, rows);
    if (next === null) return leave(null);
    navigation = next;
    show();
  });
  if (stopKeys !== null) navigation = UNTOUCHED;
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const event = await Promise.race([iterator.next(), block.closed, left]);
      if (event === null) return { ...state, isLeft: true };
      if (event.done === true) return state;
      if (beginsToNeedPerson(event.value, state)) block.bell();
      noteEvent(state, event.value, needed);
      // A board is redrawn every second anyway, and thousands of swaps take a while to sort.
      if (state.swaps.size < MANY || performance.now() - drawnAt > MIN_REDRAW_MS) show();
    }
  } finally {
    stopKeys?.();
    // Later messages of polls in flight are written above the last frame, which stays; keys no longer do anything.
    stopped.abort();
    await Promise.allSettled([iterator.return?.()]);
    if (stopKeys !== null) {
      navigation = null;
      show();
    }
    block.end();
  }
}

/** Number of swaps from which a board is no longer redrawn for each event. */
const MANY = 200;
const MIN_REDRAW_MS = 500;

/** Whether a swap that needed no attention when last seen needs it now; the first observation does not count. */
function beginsToNeedPerson(event: Followed, { swaps }: WatchState): boolean {
  if (event.kind !== 'seen') return false;
  const before = event.before ?? swaps.get(event.key)?.swap ?? null;
  return before !== null && needOf(before) === null && needOf(event.swap) !== null;
}

/** State of all followed swaps, by their keys. */
export interface WatchState {
  readonly swaps: Map<string, WatchedSwap>;
  /** Swaps whose last poll failed, each with that poll. */
  readonly missed: Map<string, MissedPoll>;
  /** The person has left the live view. */
  readonly isLeft?: boolean;
}

/** The state before the first poll: orders, some of which were polled just now. An order is used as its key. */
export function initialState(orders: readonly string[], known: readonly SwapResult[], now: number) {
  const seen = new Map(known.map((swap) => [swap.order ?? '', swap]));
  const rows = orders.map((order) => {
    const swap = seen.get(order) ?? null;
    return [order, { ...blank(order), swap, seenAt: swap === null ? null : now }] as const;
  });
  return { swaps: new Map(rows), missed: new Map() };
}

/**
 * Changes the state by one more event: a copy for each event took a minute with 10,000 swaps. `needed`: confirmations
 * that a swap's deposit needs, where that is known.
 */
export function noteEvent(
  { swaps, missed }: WatchState,
  event: Followed,
  needed: (swap: SwapResult) => number | null = () => null,
): void {
  if (event.kind === 'known') {
    addKnown(swaps, event.swaps, needed);
    return;
  }
  const { key, at } = event;
  const order = event.kind === 'seen' ? (event.swap.order ?? '') : event.order;
  const old = swaps.get(key) ?? swaps.get(order) ?? blank(order);
  // It was listed under its order until its key was known.
  if (key !== order && swaps.get(order) === old) swaps.delete(order);
  swaps.set(key, changed(old, event, needed));
  if (event.kind === 'missed') missed.set(key, { at, words: fullSentence(event.error.message) });
  else missed.delete(key);
  if (event.kind === 'gone' && event.isWholeProfile) forgetProfile(swaps, old.swap?.profile, event.error);
}

/** Adds what the ledger knows; rows with a key replace an order's row without one. */
function addKnown(
  swaps: WatchState['swaps'],
  known: readonly LastSeenSwap[],
  needed: (swap: SwapResult) => number | null,
): void {
  for (const { swap } of known)
    if (swaps.get(swap.order ?? '')?.swap === null) swaps.delete(swap.order ?? '');
  for (const { key, swap, seenAt } of known)
    swaps.set(key, { ...blank(swap.order ?? ''), swap, seenAt, confirmationsNeeded: needed(swap) });
}

function changed(
  old: WatchedSwap,
  event: Exclude<Followed, { kind: 'known' }>,
  needed: (swap: SwapResult) => number | null,
): WatchedSwap {
  if (event.kind === 'gone') return { ...old, gone: fullSentence(event.error.message) };
  if (event.kind === 'seen')
    return { ...old, swap: event.swap, seenAt: event.at, confirmationsNeeded: needed(event.swap) };
  return event.kind === 'missed' || event.swap === null ? old : { ...old, swap: event.swap };
}

/** Open swaps of a profile that cannot be polled are no longer followed. */
function forgetProfile(
  swaps: Map<string, WatchedSwap>,
  profile: string | undefined,
  { message }: SwapctlError,
): void {
  for (const [key, watched] of swaps) {
    const { swap, gone } = watched;
    if (swap?.profile === profile && swap?.final === false && gone === null)
      swaps.set(key, { ...watched, gone: fullSentence(message) });
  }
}

function blank(order: string): WatchedSwap {
  return { order, swap: null, seenAt: null, gone: null, confirmationsNeeded: null };
}

/** The latest failed poll that no later one has replaced; null if there is none. */
function latestMissed({ missed }: WatchState): MissedPoll | null {
  return [...missed.values()].reduce<MissedPoll | null>(
    (latest, poll) => (latest === null || poll.at >= latest.at ? poll : latest),
    null,
  );
}
