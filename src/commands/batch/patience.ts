import { EXIT_CODES, SwapctlError } from '../../errors.ts';
import type { RowEnd } from './create-row.ts';

/** Rows that may fail one after the other for a reason that is not theirs. */
const MAX_IN_A_ROW = 5;

/** Exit codes of what every further row would meet as well: credentials that are refused, a ledger that cannot be written. */
const OF_ALL_ROWS: ReadonlySet<number> = new Set([4, 11]);

/** Exit codes of a service in trouble: not reached, or answers that leave an outcome unknown. */
const OF_THE_SERVICE: ReadonlySet<number> = new Set([6, 7]);

/** Stops a batch that only fails: nobody wants ten thousand unknown outcomes. */
export class Patience {
  #inARow = 0;
  #reason: SwapctlError | null = null;

  /** Takes note of how a row ended. */
  note({ error, isEarlier }: RowEnd): void {
    if (isEarlier) return;
    const code = error === null ? 0 : EXIT_CODES[error.code];
    this.#inARow = OF_THE_SERVICE.has(code) ? this.#inARow + 1 : 0;
    if (error !== null && (OF_ALL_ROWS.has(code) || this.#inARow >= MAX_IN_A_ROW)) this.#reason ??= error;
  }

  /** The error of a row that is not tried any more; null while the batch goes on. */
  refusal(): SwapctlError | null {
    if (this.#reason === null) return null;
    const { code, message } = this.#reason;
    return new SwapctlError(
      code === 'outcome_unknown' ? 'service_error' : code,
      `Not tried, for the batch was stopped: ${message}`,
      {
        hint: 'Nothing was sent for this row; run the file again once that is mended.',
        retryable: true,
      },
    );
  }
}
