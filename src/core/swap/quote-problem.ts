import { compareProducts, type Decimal, isPositive } from './amount.ts';
import type { Quote } from './swap.ts';

/** The requested terms of a quote that an answer repeats. */
export type RequestedQuote = Pick<Quote, 'from' | 'to' | 'lastSource' | 'amount'>;

/** The figures of an answer that are compared with the request; `pair` is empty if the service left it out. */
export type ReceivedQuote = Pick<Quote, 'pair' | 'amount' | 'receive' | 'rate' | 'min' | 'max'>;

/** Why a response cannot be the requested price, as a clause, or null: no decision may rest on another amount. */
export function quoteProblem(asked: RequestedQuote, seen: ReceivedQuote): string | null {
  const { amount, receive, rate, min, max } = seen;
  if (!isPositive(amount) || !isPositive(receive))
    return 'the quote has an amount that is not greater than zero';
  if (!isPositive(rate)) return 'the quote has a rate that is not greater than zero';
  if (min.startsWith('-') || max?.startsWith('-') === true) return 'the quote has a limit below zero';
  if (!isPair(asked, seen.pair)) return 'the quote is for a different pair than requested';
  if (!isAmount(asked, seen)) return 'the quote is for a different amount than requested';
  // Half, because a service may subtract its fees from the payout without including them in the rate.
  if (
    compareProducts([receive, '2'], [amount, rate]) < 0 ||
    compareProducts([receive, '2'], [amount, rate, '3']) > 0
  )
    return "the quote's rate does not match its amounts";
  return null;
}

/** Whether a pair has these codes in any case, joined by an underscore or another mark that no code has. */
function isPair({ from, to }: RequestedQuote, pair: string): boolean {
  if (pair === '') return true;
  const plain = (text: string) => text.toUpperCase().replace(/[-/:]/g, '_');
  return plain(pair) === plain(`${from.coin}_${to.coin}`);
}

/**
 * Whether the amount is the requested one. The amount to send may differ in the last digits, if a service computes in
 * doubles. The amount to receive may be the next one that the pair can pay.
 */
function isAmount({ lastSource, amount }: RequestedQuote, seen: ReceivedQuote): boolean {
  const isWithin = (a: Decimal, b: Decimal) => compareProducts([a, ALMOST], [b]) <= 0;
  if (lastSource === 'deposit') return isWithin(seen.amount, amount) && isWithin(amount, seen.amount);
  return (
    compareProducts([seen.receive, '100'], [amount, '99']) >= 0 &&
    compareProducts([seen.receive, '2'], [amount, '3']) <= 0
  );
}

/** One minus the error of a double with fifteen digits. */
const ALMOST = '0.999999999999';
