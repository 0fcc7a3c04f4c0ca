import { type Decimal, plainDecimal } from '../../core/swap/amount.ts';
import type { Side } from '../../core/swap/swap.ts';
import type { Price } from '../prices/price.ts';

/** The requested amount, and the network fee of the payout. */
interface Asked {
  readonly lastSource: Side;
  readonly amount: Decimal;
  readonly payoutFee: Decimal;
}

/**
 * A price as a service that computes in IEEE doubles answers it: up to 17 digits, more than most coins have. This is
 * the one place where the sandbox turns amounts into floats on purpose.
 */
export function priceInDoubles(price: Price, { lastSource, amount, payoutFee }: Asked): Price {
  const [rate, fee, asked] = [Number(price.rate), Number(payoutFee), Number(amount)];
  const [sent, received] =
    lastSource === 'deposit' ? [asked, asked * rate - fee] : [(asked + fee) / rate, asked];
  return { ...price, amount: text(sent), receive: text(received), rate: text(rate) };
}

function text(double: number): Decimal {
  const decimal = plainDecimal(String(double));
  if (decimal === undefined) throw new RangeError('The price is no finite number.');
  return decimal;
}
