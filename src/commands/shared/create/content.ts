import type { Decimal } from '../../../swap/amount.ts';
import { namedNetwork } from '../../../swap/networks/aliases.ts';
import type { SwapRequest } from '../../../swap/swap.ts';

/** What makes two swaps the same: pair, amount, side, payout address and memo. */
export type SwapContent = Pick<
  SwapRequest,
  'deposit' | 'receive' | 'amount' | 'lastSource' | 'address' | 'memo'
>;

/**
 * The content of a swap as a text that is the same for the same swap, however its codes are written, whatever code the
 * service uses for a network today, and however many zeros end its amount. `amount` is the one that was asked for, and
 * the address the one that is sent.
 */
export function contentText({ deposit, receive, amount, lastSource, address, memo }: SwapContent): string {
  const sides = [deposit, receive].flatMap(({ coin, network }) => [coin.toUpperCase(), networkName(network)]);
  return JSON.stringify([...sides, withoutZeros(amount), lastSource, address, memo]);
}

/** Our own code of a network; the service's code where that is not certain to be one of the networks we know. */
function networkName(code: string): string {
  return namedNetwork(code)?.code ?? code.toUpperCase();
}

/** An amount by its value: without zeros at the end. */
function withoutZeros(amount: Decimal): Decimal {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}
