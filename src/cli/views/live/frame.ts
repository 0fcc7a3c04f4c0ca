import { shown, type Visible, visible } from '../../../base/text.ts';
import { clockTime, rfc3339 } from '../../../base/time.ts';
import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { windowLeft } from '../../../core/swap/attention.ts';
import type { Style } from '../../terminal/style.ts';
import { displayWidth, spaces, wrapWords } from '../../terminal/width.ts';
import { personNeeded } from '../attention.ts';
import { age, statusWord } from '../status.ts';

/** One watched swap, as it was last seen. */
export interface WatchedSwap {
  readonly order: string;
  /** Null until the first response to a poll. */
  readonly swap: SwapResult | null;
  /** When the last poll got its response, in milliseconds since 1970. */
  readonly seenAt: number | null;
  /** Why it is no longer watched, as a sentence; null while it is. */
  readonly gone: string | null;
  /** Confirmations that its deposit needs, if known: the API does not report it. */
  readonly confirmationsNeeded: number | null;
  /** Milliseconds by which its service's clock is ahead of this machine's; left out if unknown. */
  readonly clockAhead?: number;
}

/** The latest failed poll, unless a later poll of the same swap succeeded. */
export interface MissedPoll {
  readonly at: number;
  readonly words: string;
}

/** Everything that a live view shows, and the space it has. */
export interface Frame {
  /** In the order of arrival. */
  readonly swaps: readonly WatchedSwap[];
  readonly missed: MissedPoll | null;
  readonly now: number;
  /** Columns. */
  readonly width: number;
  /** Lines that may be drawn. */
  readonly height: number;
  readonly style: Style;
}

/** Age of the last poll in words, such as `12 s ago` or `just now`; `never` for null. */
export function ago(seenAt: number | null, now: number): string {
  if (seenAt === null) return 'never';
  const words = age(seenAt, now);
  return words === 'now' ? 'just now' : `${words} ago`;
}

/** Remaining time, `4:05` or `1:04:05`: hours, minutes, seconds. */
function countdown(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60];
  return parts.map((part, index) => (index === 0 ? part : String(part).padStart(2, '0'))).join(':');
}

/** The status, followed by the confirmations while they are counted: `confirmation 2/6`. */
export function statusText({ swap, gone, confirmationsNeeded }: WatchedSwap): string {
  if (gone !== null) return 'not watched';
  if (swap === null) return 'not checked yet';
  const count = swap.deposit.confirmations;
  if (swap.status !== 'confirmation' || count === null) return statusWord(swap);
  return `confirmation ${count}${confirmationsNeeded === null ? '' : `/${confirmationsNeeded}`}`;
}

/** Time left to pay by the clock of the swap's service, `25:00 left`; null if no deposit is awaited or no end is known. */
export function timeToPay({ swap, clockAhead = 0 }: WatchedSwap, now: number): string | null {
  const left = swap === null ? null : windowLeft(swap, now + clockAhead);
  if (left === null) return null;
  return left === 0 ? 'time is up' : `${countdown(left)} left`;
}

/** Note next to a swap: what a person has to do, or why it is no longer watched; null if the status says enough. */
export function note({ swap, gone }: WatchedSwap): string | null {
  if (gone !== null) return gone;
  return swap === null ? null : personNeeded(swap);
}

/** The line about a failed poll, with its time; none if no poll failed. */
export function failedPollLines({ missed, style, width }: Frame): readonly Visible[] {
  if (missed === null) return [];
  const clock = visible(clockTime(rfc3339(missed.at)));
  const indent = clock.length + 3;
  const [words, more] = [visible(missed.words), visible(`${missed.words} Retrying.`)];
  const fits = displayWidth(more) <= width - indent ? more : words;
  return wrapWords(fits, width - indent).map((line, index) =>
    index === 0 ? shown` ${style.dim(shown`${clock}  ${line}`)}` : shown`${spaces(indent)}${style.dim(line)}`,
  );
}
