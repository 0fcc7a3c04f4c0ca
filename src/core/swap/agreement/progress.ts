import type { Swap } from '../swap.ts';
import type { Agreement, Doubt } from './agreed.ts';

/** Progress of each status; a swap that waits for a person, or ended without a payout, has at least begun. */
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

/** Interruptions: statuses that any open swap can enter, and after which it continues where it was. */
const ASIDE: ReadonlySet<string> = new Set(['pause', 'frozen', 'overdue', 'error']);

/** The more advanced of two statuses; the earlier one if both are equal. Unknown ones are ignored. */
export function furthest(before: string | null, status: string): string | null {
  if (!STEPS.has(status)) return before;
  return before === null || stepOf(status) > stepOf(before) ? status : before;
}

/** Doubt about a swap that became new again, or changed after it was paid out or refunded. */
export function wentBackwards({ furthest: before }: Agreement, { status }: Swap): readonly Doubt[] {
  if (before === null || !STEPS.has(status) || status === before) return [];
  const isBack = stepOf(before) === 3 || (!ASIDE.has(status) && stepOf(status) < stepOf(before));
  return isBack
    ? [{ code: 'went_backwards', words: `its status went from ${before} back to ${status}` }]
    : [];
}

function stepOf(status: string): number {
  return STEPS.get(status) ?? 0;
}
