import { SwapctlError } from '../errors.ts';
import { sameAddress } from '../swap/agreement/spelling.ts';
import type { RefundUpdate } from './decode.ts';
import type { Received } from './send.ts';

/** Whether the answer names the address that was sent, and no other order. */
export async function confirmsRefund(
  answer: RefundUpdate,
  network: string,
  wanted: { readonly order: string; readonly address: string },
): Promise<boolean> {
  if (answer.refundAddress === null) return false;
  if (answer.order !== null && answer.order !== wanted.order) return false;
  return sameAddress(network, answer.refundAddress, wanted.address);
}

/** The error for an answer that does not confirm the refund address of an order. */
export function unconfirmedRefund(
  { value, httpStatus }: Received<RefundUpdate>,
  wanted: string,
  order: string,
): SwapctlError {
  return new SwapctlError(
    'bad_response',
    `The service does not confirm the refund address that was sent for ${order}.`,
    {
      httpStatus,
      outcome: 'unknown',
      retryable: true,
      hint: 'Ask the service which address is set before the swap fails; run the same command again.',
      details: { sent: wanted, answered: value.refundAddress },
    },
  );
}
