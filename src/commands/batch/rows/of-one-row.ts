import { EXIT_CODES, InterruptedError, SwapctlError } from '../../../errors.ts';

/** Exit codes of what is wrong with one row alone. */
const OF_A_ROW: ReadonlySet<number> = new Set([2, 3, 5]);

/** Whether an error is about one row, and not about the whole batch, as that of a service that cannot be reached. */
export function isOfOneRow(error: unknown): error is SwapctlError {
  if (!(error instanceof SwapctlError) || error instanceof InterruptedError) return false;
  return OF_A_ROW.has(EXIT_CODES[error.code]);
}
