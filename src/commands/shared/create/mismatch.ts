import type { Received } from '../../../client/send.ts';
import { SwapctlError } from '../../../errors.ts';
import { fellBeyond } from '../../../swap/price-change.ts';
import type { Swap, SwapRequest } from '../../../swap/swap.ts';
import type { Service } from '../../../swaps/ports.ts';
import { visible } from '../../../text.ts';

/** Difference in per cent up to which two amounts count as one: a service may round the payout up. */
const READ_CLOSELY = '1';

/** Words for a service that took the deposit for the payout: the API document leaves open whose amount it sends. */
export function readOtherWay({ lastSource, amount, receive }: SwapRequest, answer: Swap): string {
  const given = answer.receive.amount;
  if (lastSource !== 'receive' || given === null) return '';
  if (fellBeyond(given, amount, READ_CLOSELY) || fellBeyond(amount, given, READ_CLOSELY)) return '';
  return `. The service took ${amount}, the deposit, for the ${receive.coin} to be received; leave out --receive there`;
}

/** The error for an order that a create made and that is not the one asked for; `problem` is a clause. */
export function orderMismatch(
  { host }: Pick<Service, 'host'>,
  { value: { order }, httpStatus }: Received<Swap>,
  problem: string,
): SwapctlError {
  return new SwapctlError(
    'outcome_unknown',
    `Order ${visible(order)} exists, but it is not what was asked for: ${problem}.`,
    {
      httpStatus,
      outcome: 'unknown',
      hint: `Do not fund it: fund only an address that swapctl showed you. An order that nobody funds costs nothing; tell the service behind ${host}.`,
      details: { order, problem },
    },
  );
}
