import type { SwapResult } from '../../ledger/swap-result.ts';
import type { Style } from '../../terminal/style.ts';

/** One swap that is followed, as it was last seen. */
export interface WatchedSwap {
  readonly order: string;
  /** Null until the first look has been answered. */
  readonly swap: SwapResult | null;
  /** When the last look was answered, in milliseconds since 1970. */
  readonly seenAt: number | null;
  /** Why it is followed no more, as a sentence; null while it is. */
  readonly gone: string | null;
  /** Confirmations that its deposit needs, where that is known: no answer of the API tells it. */
  readonly confirmationsNeeded: number | null;
  /** Milliseconds by which its service's clock is ahead of this machine's; left out where that is not known. */
  readonly clockAhead?: number;
}

/** The latest look that was missed, as long as none has been answered since for the same swap. */
export interface MissedLook {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly words: string;
}

/** All that a live view shows, and the room that it has. */
export interface Frame {
  /** In the order in which they came. */
  readonly swaps: readonly WatchedSwap[];
  readonly missed: MissedLook | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Columns. */
  readonly width: number;
  /** Lines that may be drawn. */
  readonly height: number;
  readonly style: Style;
}
