import type { Context } from '../../context.ts';
import { restated, type SwapctlError } from '../../errors.ts';
import type { Coin } from '../../swap/swap.ts';
import { RowCheck, type RowFault } from '../../swaps/batch/check.ts';
import type { CheckedRow } from '../../swaps/batch/create.ts';
import type { BudgetedService } from '../../swaps/batch/pace.ts';
import { Totals } from '../../swaps/batch/totals.ts';
import type { BatchOptions } from './options.ts';
import type { Progress } from './progress.ts';
import { Refusal } from './refusal.ts';
import { columnName, type RowFormat } from './rows/columns.ts';
import { amountText } from './rows/part-reader.ts';
import type { RawRow, RowProblem } from './rows/raw-row.ts';
import type { RowFile } from './rows/read-rows.ts';
import { readSwap } from './rows/read-swap.ts';
import type { Spool } from './spool.ts';

/** What the check of the rows works with. */
export interface CheckTools extends BudgetedService {
  readonly coins: readonly Coin[];
  readonly file: RowFile;
  readonly spool: Spool<CheckedRow>;
  readonly progress: Progress;
}

/**
 * Checks every row by the rules of `create`, and keeps those that pass in the spool. Sends nothing that changes state.
 * Throws one usage error for all that is refused, and immediately what is not the fault of a row.
 */
export async function checkBatch(
  context: Context,
  tools: CheckTools,
  options: BatchOptions,
): Promise<Totals> {
  const refusal = new Refusal(context);
  const totals = new Totals();
  const check = new RowCheck(context, tools, options);
  const { file, progress, spool } = tools;
  for await (const raw of file.rows()) {
    context.signal.throwIfAborted();
    const checked = await checkRow(context, check, { raw, format: file.format, options, totals });
    if ('problems' in checked) refusal.add(checked.problems);
    // Once a row is refused nothing will be sent, and the rest is only checked.
    else if (refusal.isEmpty) await spool.add(checked.row);
    progress.report(raw.row);
  }
  const error = check.unfinishedRepeat();
  if (error !== null) refusal.add([{ row: null, line: 0, column: null, error }]);
  refusal.throwIfAny(file.count);
  return totals;
}

interface RowToCheck {
  readonly raw: RawRow;
  readonly format: RowFormat;
  readonly options: BatchOptions;
  readonly totals: Totals;
}

/** Reads and checks a row; the row, or its problems by line and column. */
async function checkRow(
  context: Context,
  check: RowCheck,
  { raw, format, options, totals }: RowToCheck,
): Promise<{ readonly row: CheckedRow } | { readonly problems: readonly RowProblem[] }> {
  const problem = ({ part, error }: RowFault) => problemIn(raw, format, part, error);
  const read = await readSwap(context, options, raw, format);
  if ('problems' in read) {
    const columns = new Set(read.problems.map(({ column }) => column));
    const others = read.rest === null ? [] : (await check.faultsOf(read.rest)).map(problem);
    return { problems: [...read.problems, ...others.filter(({ column }) => !columns.has(column))] };
  }
  const checked = await check.row({ ...read, row: raw.row }, totals);
  return 'faults' in checked ? { problems: checked.faults.map(problem) } : checked;
}

function problemIn(raw: RawRow, format: RowFormat, part: RowFault['part'], error: SwapctlError): RowProblem {
  const { row, line } = raw;
  const column = part === null ? null : columnName(part, format);
  return { row, line, column, error: inRow(error), ...amountText(raw, part) };
}

/** An error in words for a row, whose memo no flag can give. */
function inRow(error: SwapctlError): SwapctlError {
  if (error.code !== 'memo_required') return error;
  return restated(error, error.message, { hint: 'Add it in the column memo.' });
}
