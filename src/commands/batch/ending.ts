import { ClosedPipe, fullSentence, InterruptedError, StorageError, SwapctlError } from '../../errors.ts';
import { MAX_AT_ONCE } from '../../swaps/batch/create.ts';
import type { Results, Tally } from './results.ts';

/**
 * The error for a batch that its own fault or a lost output ended: rows may have been created, also some of which nothing
 * was written, so it is never a success. What there is of the result file is kept.
 */
export async function stopped(error: unknown, results: Results, rows: number): Promise<SwapctlError> {
  try {
    await results.publish();
  } catch {
    // The file may be what ended it.
  }
  const { tally, done } = results;
  const cause =
    error instanceof ClosedPipe ? 'Standard output was closed.' : fullSentence((error as Error).message);
  const words = `Stopped after ${done} of ${rows} rows (${tallyWords(tally)}), with up to ${MAX_AT_ONCE} more in progress. ${cause}`;
  const code =
    error instanceof SwapctlError ? error.code : error instanceof ClosedPipe ? 'write_failed' : 'internal';
  return new SwapctlError(tally.unknown > 0 ? 'outcome_unknown' : code, words, {
    outcome: 'unknown',
    hint: '`swapctl history` lists what was created. Run the same command again to continue; no row is created twice.',
    details: { rows, ...tally },
  });
}

/** The interruption as the batch ends with it. */
export function interrupted(
  { signal }: InterruptedError,
  { tally, done }: Results,
  rows: number,
): InterruptedError {
  const words = `Interrupted after ${done} of ${rows} rows: ${tallyWords(tally)}. Run the same command again to continue; no row is created twice.`;
  return new InterruptedError(signal, words, tally.unknown > 0 ? 'unknown' : 'done');
}

/** Counts of the rows in words: `12 created, 2 existing, 1 refused`. */
export function tallyWords({ created, existing, unknown, refused, notSent }: Tally): string {
  const others = [
    existing === 0 ? '' : `${existing} existing`,
    unknown === 0 ? '' : `${unknown} unknown`,
    refused === 0 ? '' : `${refused} refused`,
    notSent === 0 ? '' : `${notSent} not sent`,
  ].filter((words) => words !== '');
  return [`${created} created`, ...others].join(', ');
}

/** Throws `outcome_unknown` where the outcome of a row is unknown, else `rejected` where one was not created. */
export function throwUnlessDone({ tally, unrecorded, ledgerError }: Results, rows: number): void {
  const { created, existing, unknown, refused, notSent } = tally;
  if (created + existing === rows && unrecorded === 0) return;
  const details = { rows, ...tally };
  const cause = ledgerError === null ? '' : ` ${fullSentence(ledgerError.message)}`;
  const counted = (count: number) => `${count} of ${rows} row${rows === 1 ? '' : 's'}`;
  if (unknown > 0)
    throw new SwapctlError(
      'outcome_unknown',
      `The outcome of ${counted(unknown)} is unknown: an order may exist for each. ${tallyWords(tally)}.`,
      {
        outcome: 'unknown',
        hint: 'An unfunded order costs nothing; fund only an address that swapctl showed you. List these creates with `swapctl history --status unknown`, and settle each with `swapctl history resolve <id>`. Run the same command again for the rest; no row is created twice.',
        details,
      },
    );
  if (unrecorded > 0)
    throw new StorageError(
      `${counted(unrecorded)} ${unrecorded === 1 ? 'was' : 'were'} created, and the ledger could not record it.${cause} ${tallyWords(tally)}.`,
      'Keep the order numbers in the result, and record each with `swapctl history resolve <id> --order <order>`.',
      'done',
      details,
    );
  if (ledgerError !== null)
    throw new StorageError(
      `The batch stopped because the ledger could not be used.${cause} ${tallyWords(tally)}.`,
      `${ledgerError.hint ?? 'Fix the ledger.'} Run the same command again to continue; no row is created twice.`,
      created > 0 ? 'done' : 'nothing-sent',
      details,
    );
  throw new SwapctlError(
    'rejected',
    `${counted(refused + notSent)} ${refused + notSent === 1 ? 'was' : 'were'} not created. ${tallyWords(tally)}.`,
    {
      outcome: refused > 0 ? 'refused' : 'nothing-sent',
      retryable: true,
      hint: 'Fix the reason listed with each row, then run the same command again; no row is created twice.',
      details,
    },
  );
}
