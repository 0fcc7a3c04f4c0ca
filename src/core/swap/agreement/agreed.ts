import type { Decimal } from '../amount.ts';
import type { AgreedField, Environment, Swap, SwapRequest } from '../swap.ts';

/** Code of a doubt about a swap, as in `doubts`: docs/command-line/output.md#doubts. */
export type DoubtCode =
  | 'deposit_changed'
  | 'amount_changed'
  | 'payout_changed'
  | 'type_changed'
  | 'deposit_address_odd'
  | 'went_backwards'
  | 'success_without_payout_tx'
  | 'payout_amount_off'
  | 'success_without_deposit'
  | 'deposit_after_window'
  | 'deposit_sent_not_seen';

/** One deviation from the agreement, or a fact that the service no longer confirms. */
export interface Doubt {
  readonly code: DoubtCode;
  /** A clause about the swap, with the agreed and the present value. */
  readonly words: string;
  /** Nothing was agreed otherwise with certainty, so an order that a create made may be shown, with the doubt. */
  readonly isShown?: true;
}

/** The doubts of one code: those of these clauses that are not null. */
export function doubts(code: DoubtCode, ...clauses: readonly (string | null)[]): readonly Doubt[] {
  return clauses.flatMap((words) => (words === null ? [] : [{ code, words }]));
}

export interface AgreedTerms extends Omit<SwapRequest, 'lastSource'> {
  /** Payout of the last quote; null if it is not known. */
  readonly quoted: Decimal | null;
  readonly minReceive: Decimal | null;
  /** Least payout that was accepted: the reviewed one less its tolerance; null if no price was reviewed. */
  readonly leastReceive: Decimal | null;
  /** Whether the service's coin list says that a deposit on this network needs a memo. */
  readonly depositMemoNeeded: boolean;
}

/** All known agreements about one swap. */
export interface Agreement {
  /** Null for an order that was not created by swapctl. */
  readonly terms: AgreedTerms | null;
  /** The swap as the service first described it; null while checking that first description. */
  readonly first: Swap | null;
  /** The most advanced status ever seen. */
  readonly furthest: string | null;
  /** Transaction by which the deposit was said to be sent, and whether the usual time for the service to see it has passed. */
  readonly sent?: { readonly txId: string; readonly isDue: boolean } | null;
  readonly environment: Environment;
}

/** Each field that an agreement covers: the doubt when it cannot be read, and its name in a sentence. */
const FIELDS: Readonly<Record<AgreedField, readonly [code: DoubtCode, name: string]>> = {
  type: ['type_changed', 'rate type'],
  'deposit.coin': ['deposit_changed', 'deposit coin'],
  'deposit.network': ['deposit_changed', 'deposit network'],
  'deposit.amount': ['amount_changed', 'deposit amount'],
  'deposit.address': ['deposit_changed', 'deposit address'],
  'deposit.memo': ['deposit_changed', 'deposit memo'],
  'deposit.txId': ['deposit_changed', 'deposit transaction'],
  'receive.coin': ['payout_changed', 'payout coin'],
  'receive.network': ['payout_changed', 'payout network'],
  'receive.amount': ['payout_changed', 'payout amount'],
  'receive.address': ['payout_changed', 'payout address'],
  'receive.memo': ['payout_changed', 'payout memo'],
  'receive.txId': ['payout_changed', 'payout transaction'],
  'receive.paidAmount': ['payout_changed', 'amount paid out'],
  'receive.paidTo': ['payout_changed', 'address paid to'],
};

/** Doubts about fields that the service sent in a form that means nothing: never the same as leaving them out. */
export function unreadableDoubts({ unreadable = [] }: Swap): readonly Doubt[] {
  return unreadable.map((field) => {
    const [code, name] = FIELDS[field];
    return { code, words: `its ${name} cannot be read` };
  });
}

/** Whether a swap leaves out a field that it owes: not if it has ended, and an unreadable one has its own doubt. */
export function isMissing(swap: Swap, field: AgreedField): boolean {
  const { final, unreadable = [] } = swap;
  return agreedValue(swap, field) === null && !final && !unreadable.includes(field);
}

/** The value of a field; null if it is missing or unreadable. */
export function agreedValue(swap: Swap, field: AgreedField): unknown {
  const [side, key = ''] = field.split('.');
  const value: unknown =
    side === 'type' ? swap.type : Reflect.get(side === 'deposit' ? swap.deposit : swap.receive, key);
  return value ?? null;
}

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
