import type { Decimal } from '../../../swap/amount.ts';
import type { SwapRequest } from '../../../swap/swap.ts';

/** What makes two swaps the same: pair, amount, side, payout address and memo. */
export type SwapContent = Pick<
  SwapRequest,
  'deposit' | 'receive' | 'amount' | 'lastSource' | 'address' | 'memo'
>;

/**
 * The content of a swap as a text that is the same for the same swap, however its codes are written and its amount ends
 * in zeros. `amount` is the one that was asked for, and the address the one that is sent.
 */
export function contentText({ deposit, receive, amount, lastSource, address, memo }: SwapContent): string {
  const codes = [deposit.coin, deposit.network, receive.coin, receive.network];
  return JSON.stringify([
    ...codes.map((code) => code.toUpperCase()),
    ...[withoutZeros(amount), lastSource, address, memo],
  ]);
}

/** An amount by its value: without zeros at the end. */
function withoutZeros(amount: Decimal): Decimal {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}
