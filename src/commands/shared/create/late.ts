import { InterruptedError, SwapctlError } from '../../../errors.ts';
import { shellQuote } from '../../../files.ts';
import { ClosedPipe } from '../../../terminal/write.ts';
import { visible } from '../../../text.ts';

/** An order that exists, perhaps without a known number. */
export interface KnownOrder {
  readonly order: string | null;
}

/**
 * The error for a failure after the answer to a create: an interruption says that the order goes on, and an internal
 * error names the order instead of hiding it. Other errors stay as they are.
 */
export function lateError(error: unknown, { order }: KnownOrder): unknown {
  const name = visible(order ?? 'without a number');
  if (error instanceof InterruptedError) {
    const words = `Interrupted; order ${name} was created and goes on without swapctl.`;
    return new InterruptedError(error.signal, words, 'done');
  }
  // A reader that has gone away is no fault.
  if (error instanceof SwapctlError || error instanceof ClosedPipe) return error;
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const late = new SwapctlError(
    'outcome_unknown',
    `Order ${name} exists, but something went wrong inside swapctl before it was all shown: ${visible(cause)}`,
    {
      outcome: 'unknown',
      hint: `It costs nothing unless it is funded. Look at it with \`swapctl ${order === null ? 'history' : `status ${shellQuote(order)}`}\`; fund only an address that swapctl showed you.`,
      details: { order },
    },
  );
  if (error instanceof Error && error.stack !== undefined) late.stack = error.stack;
  return late;
}
