import {
  ClosedPipe,
  EXIT_CODES,
  errorJson,
  fullSentence,
  InterruptedError,
  StorageError,
  SwapctlError,
} from '../../../base/errors.ts';
import { counted, shown, visibleJson } from '../../../base/text.ts';
import { MAX_AT_ONCE, type RowResult } from '../../../core/swaps/batch/create.ts';
import type { Context } from '../../context.ts';
import { csvLine } from '../../terminal/encode.ts';
import type { ResultFile } from './result-file.ts';
import { type BatchRow, batchCells, batchColumns, batchCsvCells, batchView } from './view.ts';

/** Maximum number of rows shown on a screen; of a longer file only those without an order are shown. */
const MAX_ON_SCREEN = 300;
const MAX_NOTICES = 100;

interface ResultFiles {
  readonly file: ResultFile | null;
  /** Labels that have a column in CSV. */
  readonly labelKeys: readonly string[];
}

interface Tally {
  created: number;
  /** Rows that already had their order. */
  existing: number;
  unknown: number;
  refused: number;
  notSent: number;
}

function hasOrder({ outcome }: BatchRow): boolean {
  return outcome === 'created' || outcome === 'existing';
}

/** Writes the rows of the result as they arrive. */
export class Results {
  readonly tally: Tally = { created: 0, existing: 0, unknown: 0, refused: 0, notSent: 0 };
  /** Rows whose order the ledger could not record. */
  unrecorded = 0;
  /** Why the ledger could not be used for a row that was not sent; null if it could. */
  ledgerError: SwapctlError | null = null;
  /** The policy's refusal of a row, a stop taking precedence; null if it refused none. */
  policyError: SwapctlError | null = null;
  /** Rows that the policy did not let through. */
  notAllowed = 0;
  readonly #context: Context;
  readonly #files: ResultFiles;
  /** Rows that the screen shows at the end: all if they are few, otherwise those without an order. */
  #kept: BatchRow[] = [];
  #isShort = true;
  readonly #notices: string[] = [];
  #moreNotices = 0;

  constructor(context: Context, files: ResultFiles) {
    this.#context = context;
    this.#files = files;
  }

  get done(): number {
    const { created, existing, unknown, refused, notSent } = this.tally;
    return created + existing + unknown + refused + notSent;
  }

  /** Writes the header above the rows. */
  async begin(): Promise<void> {
    const { file, labelKeys } = this.#files;
    if (file?.format === 'csv') await file.write(csvLine(batchColumns(labelKeys)));
  }

  async add(end: RowResult): Promise<void> {
    const { row, key, outcome, swap, error, notices } = end;
    this.tally[outcome === 'not-sent' ? 'notSent' : outcome] += 1;
    if (outcome === 'not-sent' && error?.code === 'storage_failed') this.ledgerError ??= error;
    if (error !== null && EXIT_CODES[error.code] === EXIT_CODES.policy_refused) {
      this.notAllowed += 1;
      if (this.policyError === null || error.code === 'stopped') this.policyError = error;
    }
    if (outcome === 'created' && error !== null) {
      this.unrecorded += 1;
      this.#notices.push(
        `row ${row}, order ${swap?.order}: ${fullSentence(error.message)} ${error.hint ?? ''}`.trimEnd(),
      );
    }
    const result: BatchRow = {
      row,
      idempotencyKey: key,
      outcome,
      swap: swap === null ? null : { ...swap, replayed: outcome === 'existing' },
      error: error === null ? null : errorJson(error, this.#context.flags),
    };
    for (const notice of notices)
      if (this.#notices.length >= MAX_NOTICES) this.#moreNotices += 1;
      else this.#notices.push(`row ${row}, order ${swap?.order}: ${fullSentence(notice)}`);
    const { file, labelKeys } = this.#files;
    if (file !== null)
      await file.write(
        file.format === 'csv' ? csvLine(batchCsvCells(result, labelKeys)) : shown`${visibleJson(result)}\n`,
      );
    const { streams } = this.#context;
    if (streams.format === 'json') await streams.printLine(result);
    else if (streams.format === 'pipe' && file === null)
      await streams.print({ json: () => result, rows: () => [batchCells(result)], screen: () => '' });
    else this.#keep(result);
  }

  #keep(result: BatchRow): void {
    if (this.#context.streams.format !== 'screen') return;
    if (this.#isShort && (this.#files.file !== null || this.#kept.length >= MAX_ON_SCREEN)) {
      this.#isShort = false;
      this.#kept = this.#kept.filter((row) => !hasOrder(row));
    }
    if ((this.#isShort || !hasOrder(result)) && this.#kept.length < MAX_ON_SCREEN) this.#kept.push(result);
  }

  async publish(): Promise<void> {
    await this.#files.file?.publish();
  }

  /** Publishes the result file, and shows the rows on a screen. */
  async end(): Promise<void> {
    const { streams } = this.#context;
    await this.publish();
    if (streams.format === 'screen') await streams.print(batchView(this.#kept));
    for (const notice of this.#notices) await streams.warn(notice);
    if (this.#moreNotices > 0)
      await streams.warn(`${this.#moreNotices} more warnings like these. Check the result before you pay.`);
  }
}

/**
 * The error for a batch that was ended by an internal error or closed output: rows may have been created, even some
 * that were not written, so it is never a success. The partial result file is kept.
 */
export async function stopped(error: unknown, results: Results, rows: number): Promise<SwapctlError> {
  // The file may be what ended it.
  await results.publish().catch(() => undefined);
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

export function interrupted({ signal }: InterruptedError, { tally, done }: Results, rows: number) {
  const words = `Interrupted after ${done} of ${rows} rows: ${tallyWords(tally)}. Run the same command again to continue; no row is created twice.`;
  return new InterruptedError(signal, words, tally.unknown > 0 ? 'unknown' : 'done');
}

/** Counts of the rows in words: `12 created, 2 existing, 1 refused`. */
export function tallyWords({ created, existing, unknown, refused, notSent }: Tally): string {
  const others = Object.entries({ existing, unknown, refused, 'not sent': notSent });
  const counts = others.filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
  return [`${created} created`, ...counts].join(', ');
}

/** Throws `outcome_unknown` if the outcome of a row is unknown, otherwise `rejected` if a row was not created. */
export function throwUnlessDone(results: Results, rows: number): void {
  const { tally, unrecorded, ledgerError, policyError, notAllowed } = results;
  const { created, existing, unknown, refused, notSent } = tally;
  if (created + existing === rows && unrecorded === 0) return;
  const details = { rows, ...tally };
  const cause = ledgerError === null ? '' : ` ${fullSentence(ledgerError.message)}`;
  const ofRows = (count: number) => `${count} of ${counted(rows, 'row')}`;
  const were = (count: number, done: string) => `${ofRows(count)} ${count === 1 ? 'was' : 'were'} ${done}`;
  if (unknown > 0) {
    const words = `The outcome of ${ofRows(unknown)} is unknown: an order may exist for each. ${tallyWords(tally)}.`;
    throw new SwapctlError('outcome_unknown', words, {
      outcome: 'unknown',
      hint: 'An unfunded order costs nothing; fund only an address that swapctl showed you. List them with `swapctl history --status unknown`, and settle each with `swapctl history resolve <id>`. Run the same command again for the rest; no row is created twice.',
      details,
    });
  }
  if (unrecorded > 0) {
    const words = `${were(unrecorded, 'created, and the ledger could not record it')}.${cause} ${tallyWords(tally)}.`;
    throw new SwapctlError('outcome_unknown', words, {
      outcome: 'done',
      hint: 'Keep the order numbers in the result, and record each with `swapctl history resolve <id> --order <order>`.',
      details,
    });
  }
  if (ledgerError !== null)
    throw new StorageError(
      `The batch stopped because the ledger could not be used.${cause} ${tallyWords(tally)}.`,
      `${ledgerError.hint ?? 'Fix the ledger.'} Run the same command again to continue; no row is created twice.`,
      created > 0 ? 'done' : 'nothing-sent',
      details,
    );
  // Another failure beside a refused row keeps its own exit code; a stop ends the batch.
  if (policyError !== null && (policyError.code === 'stopped' || notAllowed === refused + notSent))
    throw new SwapctlError(
      // The codes of the policy say that nothing was sent.
      created > 0 ? 'rejected' : policyError.code,
      `${were(notAllowed, 'not created')}. ${fullSentence(policyError.message)} ${tallyWords(tally)}.`,
      {
        outcome: created > 0 ? 'done' : 'nothing-sent',
        retryable: policyError.retryable,
        hint: 'Run the same command again once the policy allows them; no row is created twice.',
        details,
      },
    );
  throw new SwapctlError('rejected', `${were(refused + notSent, 'not created')}. ${tallyWords(tally)}.`, {
    outcome: refused > 0 ? 'refused' : 'nothing-sent',
    retryable: true,
    hint: 'Fix the reason listed with each row, then run the same command again; no row is created twice.',
    details,
  });
}
