import { fullSentence, InterruptedError, StorageError, SwapctlError } from '../../errors.ts';
import { ClosedPipe } from '../../terminal/write.ts';
import { MAX_AT_ONCE } from './create-all.ts';
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
    error instanceof ClosedPipe
      ? 'Nobody reads standard output any more.'
      : fullSentence((error as Error).message);
  const words = `Stopped after ${done} of ${rows} rows (${tallyWords(tally)}) and up to ${MAX_AT_ONCE} more that were under way. ${cause}`;
  const code =
    error instanceof SwapctlError ? error.code : error instanceof ClosedPipe ? 'write_failed' : 'internal';
  return new SwapctlError(tally.unknown > 0 ? 'outcome_unknown' : code, words, {
    outcome: 'unknown',
    hint: '`swapctl history` lists what was created. Run the same file again to go on; no row is repeated.',
    details: { rows, ...tally },
  });
}

/** The interruption as the batch ends with it. */
export function interrupted(
  { signal }: InterruptedError,
  { tally, done }: Results,
  rows: number,
): InterruptedError {
  const words = `Interrupted after ${done} of ${rows} rows: ${tallyWords(tally)}. Run the same file again to go on; no row is repeated.`;
  return new InterruptedError(signal, words, tally.unknown > 0 ? 'unknown' : 'done');
}

/** Counts of the rows in words: `12 created (2 of them before), 1 refused`. */
export function tallyWords({ created, earlier, unknown, refused, notSent }: Tally): string {
  const before = earlier === 0 ? '' : ` (${earlier} of them before)`;
  const others = [
    unknown === 0 ? '' : `${unknown} unknown`,
    refused === 0 ? '' : `${refused} refused`,
    notSent === 0 ? '' : `${notSent} not sent`,
  ].filter((words) => words !== '');
  return [`${created} created${before}`, ...others].join(', ');
}

/** Throws `outcome_unknown` where the outcome of a row is unknown, else `rejected` where one was not created. */
export function throwUnlessDone({ tally, unrecorded }: Results, rows: number): void {
  const { created, unknown, refused, notSent } = tally;
  if (created === rows && unrecorded === 0) return;
  const details = { rows, created, unknown, refused, notSent };
  const counted = (count: number) => `${count} of ${rows} row${rows === 1 ? '' : 's'}`;
  if (unknown > 0)
    throw new SwapctlError(
      'outcome_unknown',
      `The outcome of ${counted(unknown)} is unknown: an order may exist for each. ${tallyWords(tally)}.`,
      {
        outcome: 'unknown',
        hint: 'An order that nobody funds costs nothing; fund only an address that swapctl showed you. `swapctl history --status unknown` lists them, and `swapctl history resolve <id>` settles one. Run the same file again for the rest; no row is repeated.',
        details,
      },
    );
  if (unrecorded > 0)
    throw new StorageError(
      `${counted(unrecorded)} ${unrecorded === 1 ? 'was' : 'were'} created, and the ledger could not record it. ${tallyWords(tally)}.`,
      'Keep the order numbers of the result; `swapctl history resolve <id> --order <order>` puts them into the ledger.',
      'done',
      details,
    );
  throw new SwapctlError(
    'rejected',
    `${counted(refused + notSent)} ${refused + notSent === 1 ? 'was' : 'were'} not created. ${tallyWords(tally)}.`,
    {
      outcome: refused > 0 ? 'refused' : 'nothing-sent',
      retryable: true,
      hint: 'Each says why. Run the same file again to try these once more; no row is repeated.',
      details,
    },
  );
}
