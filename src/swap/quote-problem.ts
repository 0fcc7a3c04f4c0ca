import type { Decimal } from './amount.ts';
import { compareDecimals, compareProducts } from './amount.ts';
import type { Quote } from './swap.ts';

/** What a price was asked for, as far as the answer repeats it. */
export type QuoteAsked = Pick<Quote, 'from' | 'to' | 'lastSource' | 'amount'>;

/** The figures of an answer that are held against it; `pair` is empty where the service left it out. */
export type QuoteSeen = Pick<Quote, 'pair' | 'amount' | 'receive' | 'rate' | 'min' | 'max'>;

/**
 * Why an answer cannot be the price that was asked for, as a clause; null where it can. A figure for another amount,
 * or one that another contradicts, must not be what somebody decides by.
 */
export function quoteProblem(asked: QuoteAsked, seen: QuoteSeen): string | null {
  const { amount, receive, rate, min, max } = seen;
  if (!isPositive(amount) || !isPositive(receive))
    return 'the quote has an amount that is not greater than zero';
  if (!isPositive(rate)) return 'the quote has a rate that is not greater than zero';
  if (min.startsWith('-') || max?.startsWith('-') === true)
    return 'the quote has a bound that is less than zero';
  if (!isPair(asked, seen.pair)) return 'the quote is for another pair than the one that was asked for';
  if (!isAmount(asked, seen)) return 'the quote is for another amount than the one that was asked for';
  // By half, because a service may take its fees off the payout and leave them out of the rate.
  if (
    compareProducts([receive, '2'], [amount, rate]) < 0 ||
    compareProducts([receive, '2'], [amount, rate, '3']) > 0
  )
    return 'the rate of the quote and its amounts contradict each other';
  return null;
}

function isPositive(amount: Decimal): boolean {
  return compareDecimals(amount, '0') > 0;
}

/** Codes in any case; the document joins them by an underscore, and no code holds one of the other marks. */
function isPair({ from, to }: QuoteAsked, pair: string): boolean {
  if (pair === '') return true;
  const plain = (text: string) => text.toUpperCase().replace(/[-/:]/g, '_');
  return plain(pair) === plain(`${from.coin}_${to.coin}`);
}

/**
 * The amount to send is the one that was asked for, but for the last digits of a service that counts in doubles. One
 * to receive may be the next that the pair can pay.
 */
function isAmount({ lastSource, amount }: QuoteAsked, seen: QuoteSeen): boolean {
  if (lastSource === 'deposit')
    return (
      compareProducts([seen.amount, ALMOST], [amount]) <= 0 &&
      compareProducts([amount, ALMOST], [seen.amount]) <= 0
    );
  return (
    compareProducts([seen.receive, '100'], [amount, '99']) >= 0 &&
    compareProducts([seen.receive, '2'], [amount, '3']) <= 0
  );
}

/** One less the error of a double with fifteen digits. */
const ALMOST = '0.999999999999';
