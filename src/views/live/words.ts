import type { SwapResult } from '../../ledger/swap-result.ts';
import { isDepositSeen } from '../../swap/agreement/fundable.ts';
import { blanks, displayWidth, wrapWords } from '../../terminal/width.ts';
import type { Visible } from '../../text.ts';
import { shown, visible } from '../../text.ts';
import { clockTime, rfc3339 } from '../../time.ts';
import { statusWord } from '../status.ts';
import type { Frame, WatchedSwap } from './frame.ts';
import { personNeeded, serviceTime, windowLeft } from './urgency.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Age of a look in a word or two: `now`, `12 s`, `3 min`, `2 h`; a dash before the first one. */
export function age(seenAt: number | null, now: number): string {
  if (seenAt === null) return '-';
  const passed = now - seenAt;
  if (passed < SECOND_MS) return 'now';
  if (passed < MINUTE_MS) return `${Math.floor(passed / SECOND_MS)} s`;
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min`;
  return `${Math.floor(passed / HOUR_MS)} h`;
}

/** Age of a look in words: `12 s ago`. */
export function ago(seenAt: number | null, now: number): string {
  if (seenAt === null) return 'none yet';
  return now - seenAt < SECOND_MS ? 'just now' : `${age(seenAt, now)} ago`;
}

/** Remaining time, `4:05` or `1:04:05`: hours, minutes, seconds. */
function countdown(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / SECOND_MS);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60];
  return parts.map((part, index) => (index === 0 ? part : String(part).padStart(2, '0'))).join(':');
}

/** The status, with confirmations behind it while they are counted: `confirmation 2/6`. */
export function statusText({ swap, gone, confirmationsNeeded }: WatchedSwap): string {
  if (gone !== null) return 'given up';
  if (swap === null) return 'not seen yet';
  const count = swap.deposit.confirmations;
  if (swap.status !== 'confirmation' || count === null) return statusWord(swap);
  return `confirmation ${count}${confirmationsNeeded === null ? '' : `/${confirmationsNeeded}`}`;
}

/** The status as a board shows it: with what is left of the window while a swap waits for its deposit. */
export function boardStatus(watched: WatchedSwap, now: number): string {
  const left =
    watched.swap === null || watched.gone !== null
      ? null
      : timeToPay(watched.swap, serviceTime(watched, now));
  return `${statusText(watched)}${left === null ? '' : ` ${left}`}`;
}

/** Note beside a swap: what a person has to do, or why nothing more is seen; null where the status says it all. */
export function note({ swap, gone }: WatchedSwap): string | null {
  if (gone !== null) return gone;
  return swap === null ? null : personNeeded(swap);
}

/** Rest of the deposit window, `25:00 left`; null where a swap waits for no deposit, or no end is known. */
export function timeToPay(swap: SwapResult, now: number): string | null {
  const left = isDepositSeen(swap) ? null : windowLeft(swap, now);
  if (left === null) return null;
  return left === 0 ? 'time is up' : `${countdown(left)} left`;
}

/** The quiet line of a look that was missed, with its time; none where none was. */
export function missedLines({ missed, style, width }: Frame): readonly Visible[] {
  if (missed === null) return [];
  const clock = visible(clockTime(rfc3339(missed.at)));
  const indent = clock.length + 3;
  const [words, more] = [visible(missed.words), visible(`${missed.words} Looking again.`)];
  const fits = displayWidth(more) <= width - indent ? more : words;
  return wrapWords(fits, width - indent).map((line, index) =>
    index === 0 ? shown` ${style.dim(shown`${clock}  ${line}`)}` : shown`${blanks(indent)}${style.dim(line)}`,
  );
}
