import type { Swap } from '../swap.ts';
import type { Agreement, Finding } from './agreed.ts';

/** How far along each status is; a swap that waits for a person, or ended without a payout, has at least begun. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['new', 0],
  ['confirmation', 1],
  ['pause', 1],
  ['frozen', 1],
  ['overdue', 1],
  ['error', 1],
  ['exchanging', 2],
  ['success', 3],
  ['refund', 3],
]);

/** Statuses from which a swap goes on where it was, and into which it may fall from every other open one. */
const ASIDE: ReadonlySet<string> = new Set(['pause', 'frozen', 'overdue', 'error']);

/** Of two statuses the one farther on the way; the earlier of two that are equally far. Unknown ones count for nothing. */
export function furthest(before: string | null, status: string): string | null {
  if (!STEPS.has(status)) return before;
  return before === null || stepOf(status) > stepOf(before) ? status : before;
}

/** A swap does not become new again, nor does one that has paid out or been sent back become anything else. */
export function wentBackwards({ furthest: before }: Agreement, { status }: Swap): readonly Finding[] {
  if (before === null || !STEPS.has(status) || status === before) return [];
  const isBack = stepOf(before) === 3 || (!ASIDE.has(status) && stepOf(status) < stepOf(before));
  return isBack ? [{ code: 'went_backwards', words: `it was ${before} before and is ${status} now` }] : [];
}

function stepOf(status: string): number {
  return STEPS.get(status) ?? 0;
}
