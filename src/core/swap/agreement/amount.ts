import { compareDecimals, compareProducts, type Decimal, isPositive, sameAmount } from '../amount.ts';
import type { Swap } from '../swap.ts';
import { type AgreedTerms, type Agreement, type Doubt, doubts, isMissing } from './agreed.ts';

/** Factor by which a floating payout may differ from what the create was answered; beyond it the rate is no explanation. */
export const MAX_FACTOR = '3';

/** The same for the answer to a create and its quote: an order that pays less than quoted may stay unfunded. */
const MAX_FACTOR_OF_QUOTE = '10';

/** Statuses that end a swap without a payout: what it shows as one is what would have been paid. */
const PAYS_NOTHING: ReadonlySet<string> = new Set(['overdue', 'error', 'refund']);

/** Statuses in which a swap waits for a person at the service. */
const HELD: ReadonlySet<string> = new Set(['pause', 'frozen']);

export function amountDoubts({ terms, first }: Agreement, seen: Swap): readonly Doubt[] {
  if (terms === null) return [];
  return [
    ...doubts('amount_changed', otherDeposit(terms, seen)),
    ...doubts('amount_changed', belowAgreed(terms, seen)).map((doubt) => ({ ...doubt, isShown }) as const),
    ...doubts('payout_changed', otherPayout(terms, first, seen)),
  ];
}

function otherDeposit({ amount: asked }: AgreedTerms, seen: Swap): string | null {
  const { deposit } = seen;
  if (deposit.amount === null)
    return isMissing(seen, 'deposit.amount') ? 'the amount to deposit is missing' : null;
  if (sameAmount(deposit.amount, asked)) return null;
  return seen.status === 'new'
    ? `it asks for a deposit of ${deposit.amount} instead of ${asked}`
    : `its deposit is ${deposit.amount} instead of ${asked}`;
}

/** An order that pays less than agreed may stay unfunded, so its create is not refused. */
const isShown = true;

/** Why an order at a fixed rate pays less than was accepted, or null; for another deposit nothing was. */
function belowAgreed({ type, amount: asked, leastReceive }: AgreedTerms, seen: Swap): string | null {
  const { amount } = seen.receive;
  if (type !== 'fixed' || leastReceive === null || PAYS_NOTHING.has(seen.status)) return null;
  if (amount === null || !isPositive(amount) || compareDecimals(amount, leastReceive) >= 0) return null;
  if (!sameAmount(seen.deposit.amount ?? asked, asked)) return null;
  return `it pays ${amount}, less than the ${leastReceive} agreed at its fixed rate`;
}

function otherPayout(terms: AgreedTerms, first: Swap | null, seen: Swap): string | null {
  const { amount } = seen.receive;
  if (amount === null) return isMissing(seen, 'receive.amount') ? 'its payout amount is missing' : null;
  // A failed swap pays nothing, as its status shows.
  if (compareDecimals(amount, '0') <= 0) return seen.final ? null : 'it pays nothing';
  return belowMinimum(terms, seen, amount) ?? brokenPromise(terms, first, seen, amount);
}

function belowMinimum({ minReceive = null }: AgreedTerms, { status }: Swap, amount: Decimal): string | null {
  if (minReceive === null || status !== 'new' || compareDecimals(amount, minReceive) >= 0) return null;
  return `it pays ${amount}, less than the minimum of ${minReceive}`;
}

/** Why a payout is not as promised, or null: a floating one follows rate and deposit, a fixed one stays. */
function brokenPromise(terms: AgreedTerms, first: Swap | null, seen: Swap, amount: Decimal): string | null {
  const promised = first?.receive.amount ?? null;
  const before = promised ?? terms.quoted;
  if (PAYS_NOTHING.has(seen.status)) return null;
  if (before === null || compareDecimals(before, '0') <= 0) return null;
  // No one has priced yet what was deposited instead.
  if (HELD.has(seen.status) && sameAmount(amount, before)) return null;
  const deposit = seen.deposit.amount ?? terms.amount;
  const isExact = sameAmount(deposit, terms.amount);
  const factor = promised === null ? MAX_FACTOR_OF_QUOTE : MAX_FACTOR;
  const isFar = differsByFactor([amount, terms.amount], [before, deposit], factor);
  const isFixed = terms.type === 'fixed' && promised !== null && isExact;
  if (!isFar && (!isFixed || sameAmount(amount, before))) return null;
  return isExact
    ? `it pays ${amount} instead of ${before}`
    : `it pays ${amount} for ${deposit} instead of ${before} for ${terms.amount}`;
}

/** Whether one of two products is more than `factor` times the other. */
export function differsByFactor(a: readonly Decimal[], b: readonly Decimal[], factor: Decimal): boolean {
  return compareProducts([...a, factor], b) < 0 || compareProducts([...b, factor], a) < 0;
}
