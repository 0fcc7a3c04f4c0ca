import { wireTime } from '../../time.ts';
import { compareDecimals, type Decimal, differenceOf, sameAmount } from '../amount.ts';
import type { Swap } from '../swap.ts';
import { type AgreedTerms, type Agreement, type Finding, findings } from './agreed.ts';
import { isFarApart } from './amount.ts';

/** Factor by which a payout may differ from what was to be paid; a shifted decimal point is a factor of ten at least. */
const MAX_FACTOR = '3';

/**
 * Findings about a swap that has ended: a success needs both transactions and the payout that was promised, and a
 * deposit has to come within its window.
 */
export function finalFindings(agreed: Agreement, seen: Swap): readonly Finding[] {
  if (!seen.final) return [];
  return [
    ...findings('success_without_payout_tx', missingTransaction(seen, 'payout')),
    ...findings('payout_amount_off', otherPayment(agreed, seen)),
    ...findings('success_without_deposit', missingTransaction(seen, 'deposit')),
    ...findings('deposit_after_window', lateDeposit(agreed, seen)),
  ];
}

function missingTransaction({ status, deposit, receive }: Swap, of: 'deposit' | 'payout'): string | null {
  const { txId } = of === 'deposit' ? deposit : receive;
  return status === 'success' && txId === null ? `it is a success without a ${of} transaction` : null;
}

function lateDeposit({ first }: Agreement, { deposit, expiresAt = null }: Swap): string | null {
  const end = wireTime(expiresAt) ?? wireTime(first?.expiresAt ?? null);
  const received = wireTime(deposit.receivedAt);
  if (end === null || received === null || received <= end) return null;
  return `its deposit arrived after its window ended at ${new Date(end).toISOString()}`;
}

/** Why the amount that was paid is not the one that was to be paid, or null. */
function otherPayment({ terms, first }: Agreement, seen: Swap): string | null {
  if (seen.status !== 'success') return null;
  const { amount: shown, fee, paidAmount } = seen.receive;
  const paid = paidAmount ?? shown;
  if (paid === null) return null;
  if (!isPositive(paid)) return `it paid ${paid}`;
  const promised = first?.receive.amount ?? null;
  const isExact = terms === null || sameAmount(seen.deposit.amount ?? terms.amount, terms.amount);
  // A promise is for the agreed deposit; for another one the service names a payout of its own.
  const due = isExact ? (promised ?? shown) : shown;
  const isFixed = (terms?.type ?? seen.type) === 'fixed';
  if (isFixed && due !== null && isBeyondFee(paid, due, fee)) return `it paid ${paid} instead of ${due}`;
  if (shown !== null && isFarApart([paid], [shown], MAX_FACTOR)) return `it paid ${paid} instead of ${shown}`;
  return outOfProportion(terms, promised, seen, paid);
}

/** Why a payout is far from the promised one, each compared with its own deposit, or null. */
function outOfProportion(
  terms: AgreedTerms | null,
  answered: Decimal | null,
  { deposit }: Swap,
  paid: Decimal,
): string | null {
  const promised = answered ?? terms?.quoted ?? null;
  if (terms === null || promised === null || !isPositive(promised)) return null;
  const deposited = deposit.amount ?? terms.amount;
  if (!isFarApart([paid, terms.amount], [promised, deposited], MAX_FACTOR)) return null;
  return `it paid ${paid} for ${deposited} instead of ${promised} for ${terms.amount}`;
}

function isBeyondFee(paid: Decimal, due: Decimal, fee: Decimal | null): boolean {
  const allowed = fee !== null && isPositive(fee) ? fee : '0';
  return compareDecimals(differenceOf(paid, due), allowed) > 0;
}

function isPositive(amount: Decimal): boolean {
  return compareDecimals(amount, '0') > 0;
}
