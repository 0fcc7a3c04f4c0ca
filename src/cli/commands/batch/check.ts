import { fullSentence, restated, type SwapctlError, UsageError } from '../../../base/errors.ts';
import { counted } from '../../../base/text.ts';
import type { Coin } from '../../../core/swap/swap.ts';
import { type RowFault, rowCheck } from '../../../core/swaps/batch/check.ts';
import type { CheckedRow } from '../../../core/swaps/batch/create.ts';
import type { BudgetedService } from '../../../core/swaps/batch/pace.ts';
import { Totals } from '../../../core/swaps/batch/totals.ts';
import type { Context } from '../../context.ts';
import type { BatchOptions } from './options.ts';
import type { Report } from './progress.ts';
import { columnName, type RowFormat } from './rows/columns.ts';
import type { RowFile } from './rows/read-rows.ts';
import { amountText, type RawRow, type RowProblem, readSwap } from './rows/read-swap.ts';
import type { Spool } from './spool.ts';

interface CheckTools extends BudgetedService {
  readonly coins: readonly Coin[];
  readonly file: RowFile;
  readonly spool: Spool<CheckedRow>;
  readonly report: Report;
}

/**
 * Checks every row by the rules of `create`, and keeps those that pass in the spool. Sends nothing that changes state.
 * Throws one usage error for all refused rows; any other error is thrown immediately.
 */
export async function checkBatch(context: Context, tools: CheckTools, options: BatchOptions) {
  const refusal = new Refusal();
  const totals = new Totals();
  const check = rowCheck(context, tools, options);
  const { file, report, spool } = tools;
  const checkRow = async (raw: RawRow) => {
    const problem = ({ part, error }: RowFault) => problemIn(raw, file.format, part, error);
    const read = await readSwap(context, options, raw, file.format);
    if ('problems' in read) {
      const columns = new Set(read.problems.map(({ column }) => column));
      const others = read.rest === null ? [] : (await check.faultsOf(read.rest)).map(problem);
      return { problems: [...read.problems, ...others.filter(({ column }) => !columns.has(column))] };
    }
    const checked = await check.row({ ...read, row: raw.row }, totals);
    return 'faults' in checked ? { problems: checked.faults.map(problem) } : checked;
  };
  for await (const raw of file.rows()) {
    context.signal.throwIfAborted();
    const checked = await checkRow(raw);
    if ('problems' in checked) refusal.add(checked.problems);
    // Once a row is refused nothing will be sent, so the rest is only checked.
    else if (refusal.isEmpty) await spool.add(checked.row);
    report(raw.row);
  }
  const error = check.unfinishedRepeat();
  if (error !== null) refusal.add([{ row: null, line: 0, column: null, error }]);
  refusal.throwIfAny(context, file.count);
  return totals;
}

function problemIn(raw: RawRow, format: RowFormat, part: RowFault['part'], found: SwapctlError): RowProblem {
  const { row, line } = raw;
  const column = part === null ? null : columnName(part, format);
  // The memo of a row cannot come from a flag.
  const hint = found.code === 'memo_required' ? 'Add it in the column memo.' : null;
  const error = hint === null ? found : restated(found, found.message, { hint });
  return { row, line, column, error, ...amountText(raw, part) };
}

/** Number of causes reported one by one; a file with more is wrong as a whole. */
const MAX_CAUSES = 1000;
/** Rows listed per cause in JSON. */
const MAX_ROWS = 1000;
/** Rows listed per cause in a line. */
const MAX_ROWS_IN_WORDS = 10;

interface Cause {
  readonly first: RowProblem;
  readonly rows: number[];
  count: number;
}

/** All problems of a file, each cause once. */
export class Refusal {
  readonly #causes = new Map<string, Cause>();
  readonly #rows = new Set<number | null>();
  #moreCauses = 0;
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add(problems: readonly RowProblem[]): void {
    this.#count += problems.length;
    for (const problem of problems) {
      this.#rows.add(problem.row);
      const key = causeKey(problem);
      const cause = this.#causes.get(key);
      if (cause !== undefined) {
        cause.count += 1;
        if (cause.rows.length < MAX_ROWS && problem.row !== null) cause.rows.push(problem.row);
      } else if (this.#causes.size < MAX_CAUSES)
        this.#causes.set(key, { first: problem, rows: problem.row === null ? [] : [problem.row], count: 1 });
      else this.#moreCauses += 1;
    }
  }

  /** Throws one usage error for all problems, after a line for each cause if the output is for a person. */
  throwIfAny({ streams }: Context, rows: number): void {
    if (this.isEmpty) return;
    const causes = [...this.#causes.values()];
    if (streams.format !== 'json') {
      for (const cause of causes) streams.note(causeWords(cause), true);
      if (this.#moreCauses > 0) streams.note(`… and ${this.#moreCauses} more.`, true);
    }
    const refused = this.#rows.size - (this.#rows.has(null) ? 1 : 0);
    const found = refused === 1 && this.#count === 1 ? 'a problem' : counted(this.#count, 'problem');
    const where =
      refused === 0
        ? `the file is invalid, with ${found}`
        : `${refused} of ${rows} rows ${refused === 1 ? 'has' : 'have'} ${found}`;
    const hint = 'Fix the problems listed above, then run the same command again.';
    const details = { rows, refused, problems: this.#count, errors: causes.map(causeJson) };
    throw new UsageError(`Nothing was sent: ${where}.`, hint, 'usage', details);
  }
}

/** The same for all rows with the same problem, whatever text is in their cells. */
function causeKey({ row, column, text, error: { code, message } }: RowProblem): string {
  const messageWithoutValue = text === undefined || text === '' ? message : message.replaceAll(text, '…');
  return JSON.stringify([row === null, column, code, messageWithoutValue]);
}

function causeWords({ first: { row, line, column, error }, rows, count }: Cause): string {
  const at = line === 0 ? '' : row === null ? `line ${line}` : ` (line ${line})`;
  const more = count - Math.min(rows.length, MAX_ROWS_IN_WORDS);
  const rowWords =
    count === 1
      ? `${row === null ? '' : `row ${row}`}${at}`
      : `rows ${rows.slice(0, MAX_ROWS_IN_WORDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const where = column === null ? rowWords : `${rowWords}, ${column}`;
  const hint = error.hint === null ? '' : ` ${fullSentence(error.hint)}`;
  return `${where === '' ? '' : `${where}: `}${fullSentence(error.message)}${hint}`;
}

function causeJson({ first: { row, line, column, error }, rows, count }: Cause) {
  const { code, message, hint } = error;
  return { row, line: line === 0 ? null : line, column, code, message, hint, rows, count };
}
