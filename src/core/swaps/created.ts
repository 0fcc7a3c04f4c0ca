import { ClosedPipe, InterruptedError, restated, StorageError, SwapctlError } from '../../base/errors.ts';
import { shellQuote } from '../../base/files.ts';
import { visible } from '../../base/text.ts';
import type { Decoded } from '../client/send.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { compareDecimals } from '../swap/amount.ts';
import { fellBeyond, percentChange } from '../swap/price-change.ts';
import type { Swap, SwapRequest } from '../swap/swap.ts';
import type { CheckedSwap } from './check.ts';
import type { Ports, Service } from './ports.ts';

/**
 * The error for a failure after the response to a create: an interruption says that the order continues, and an
 * internal error names the order instead of hiding it. Neither must be retried, because that would create a second
 * order.
 */
export function lateError(error: unknown, { order }: { readonly order: string | null }): unknown {
  const name = visible(order ?? 'without a number');
  if (error instanceof InterruptedError) {
    const words = `Interrupted. Order ${name} was created and continues without swapctl.`;
    return new InterruptedError(error.signal, words, 'done');
  }
  // A closed pipe is not a failure.
  if (error instanceof ClosedPipe) return error;
  if (error instanceof SwapctlError)
    return error.retryable ? restated(error, error.message, { retryable: false }) : error;
  const command = order === null ? 'history' : `status ${shellQuote(order)}`;
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const late = new SwapctlError(
    'outcome_unknown',
    `Order ${name} exists, but swapctl failed before it could show all of it: ${visible(cause)}`,
    {
      outcome: 'unknown',
      hint: `It costs nothing unless you fund it. See it with \`swapctl ${command}\`; fund only an address that swapctl showed you.`,
      details: { order },
    },
  );
  if (error instanceof Error && error.stack !== undefined) late.stack = error.stack;
  return late;
}

/** Difference in per cent up to which two amounts count as one: a service may round the payout up. */
const READ_CLOSELY = '1';

/** A sentence about a service that took the deposit as the payout, which the API document leaves open. */
export function readOtherWay({ lastSource, amount, receive }: SwapRequest, answer: Swap): string {
  const given = answer.receive.amount;
  if (lastSource !== 'receive' || given === null) return '';
  if (fellBeyond(given, amount, READ_CLOSELY) || fellBeyond(amount, given, READ_CLOSELY)) return '';
  return `. The service took the deposit ${amount} as the amount of ${receive.coin} to receive; do not use --receive with this service`;
}

/** Details of an error about an existing order, so that it can still be found and paid. */
export function orderDetails({ order, fundable, deposit: { address, memo, amount } }: SwapResult) {
  return { order, fundable, deposit: { address, memo, amount } };
}

/** The error for a created order that does not match the request; `problem` is a clause. */
export function doubtedOrder(
  { host }: Pick<Service, 'host'>,
  { value: { order }, httpStatus }: Decoded<Swap>,
  problem: string,
): SwapctlError {
  return new SwapctlError(
    'outcome_unknown',
    `Order ${visible(order)} exists, but does not match the request: ${problem}.`,
    {
      httpStatus,
      outcome: 'unknown',
      hint: `Do not fund it: fund only an address that swapctl showed you. An unfunded order costs nothing. Report it to the service at ${host}.`,
      details: { order, problem },
    },
  );
}

/** Notice of a payout that fell by more than the tolerance: no contradiction, but no one has to accept it. */
export function shortfall(
  { request, quote, reviewed, tolerance }: Pick<CheckedSwap, 'request' | 'quote' | 'reviewed' | 'tolerance'>,
  { receive: { amount } }: Swap,
): readonly string[] {
  const isReview = compareDecimals(reviewed, quote.receive) > 0;
  const before = isReview ? reviewed : quote.receive;
  if (amount === null || !fellBeyond(before, amount, tolerance)) return [];
  const { coin } = request.receive;
  return [
    `The order pays ${amount} ${coin} instead of the ${before} ${coin} in the ${isReview ? 'review' : 'quote'} (${percentChange(before, amount)}). Leaving it unfunded costs nothing.`,
  ];
}

/** Why the ledger does not record an order that a response has. */
export const LINKED_OTHERWISE =
  'the ledger links this order to another request, or this request to another order';

/** What the ledger records about a failed create, with its order if the answer named one. */
export function failedCreate(error: unknown) {
  const known = error instanceof SwapctlError ? error : null;
  const order = known?.details?.['order'];
  return {
    outcome: failedOutcome(error),
    reason: known?.message ?? 'internal error while sending',
    order: typeof order === 'string' ? order : undefined,
  };
}

/** The outcome of a failed create: an order may exist, unless the error says that there is none. */
export function failedOutcome(error: unknown): 'refused' | 'not-sent' | 'unknown' {
  const outcome = error instanceof SwapctlError ? error.outcome : 'unknown';
  if (outcome === 'refused') return outcome;
  return outcome === 'nothing-sent' ? 'not-sent' : 'unknown';
}

/** Does work whose failure must not lose the response: the ledger then still has the outcome as unknown. */
export async function unlessStorageFails(ports: Pick<Ports, 'notify'>, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    await ports.notify({
      level: 'note',
      text: `${error.message} The ledger still records the outcome as unknown.`,
    });
  }
}
