import type { Context } from '../../context.ts';
import type { SwapctlError } from '../../errors.ts';
import { restated } from '../../errors.ts';
import type { Coin } from '../../swap/swap.ts';
import type { FieldProblem, UnpricedSwap } from '../../swaps/check.ts';
import { checkSwap } from '../../swaps/check.ts';
import { refuseAnotherSwap } from '../../swaps/idempotency.ts';
import type { RecentSwap } from '../../swaps/identical.ts';
import { identicalTo, identicalWords, recentSwaps } from '../../swaps/identical.ts';
import { checkLeast } from '../../swaps/price.ts';
import type { BudgetedService } from './budgeted.ts';
import type { CheckedRow } from './checked-row.ts';
import { ExistingOrders } from './existing.ts';
import type { BatchOptions } from './options.ts';
import { ReviewPrices } from './prices/review-prices.ts';
import type { Progress } from './progress.ts';
import { Refusal } from './refusal.ts';
import type { Part, RowFormat } from './rows/columns.ts';
import { columnName } from './rows/columns.ts';
import { isOfOneRow } from './rows/of-one-row.ts';
import { amountText } from './rows/part-reader.ts';
import type { RawRow, RowProblem } from './rows/raw-row.ts';
import type { RowFile } from './rows/read-rows.ts';
import type { UnreadRow } from './rows/read-swap.ts';
import { readSwap } from './rows/read-swap.ts';
import { isKeyOf, RowKeys } from './rows/row-key.ts';
import type { Spool } from './spool.ts';
import { Totals } from './totals.ts';

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
    const checked = await check.row(raw, file.format, totals);
    if ('problems' in checked) refusal.add(checked.problems);
    // Once a row is refused nothing will be sent, and the rest is only checked.
    else if (refusal.isEmpty) await spool.add(checked.row);
    progress.report(raw.row);
  }
  refusal.add(check.problems);
  refusal.throwIfAny(file.count);
  return totals;
}

interface Refused {
  readonly problems: readonly RowProblem[];
}

type Verdict = { readonly row: CheckedRow } | Refused;

class RowCheck {
  readonly #context: Context;
  readonly #tools: CheckTools;
  readonly #options: BatchOptions;
  readonly #keys = new RowKeys();
  readonly #existing: ExistingOrders;
  readonly #prices: ReviewPrices;
  #recent: Promise<ReadonlyMap<string, RecentSwap>> | null = null;

  constructor(context: Context, tools: CheckTools, options: BatchOptions) {
    this.#context = context;
    this.#tools = tools;
    this.#options = options;
    this.#existing = new ExistingOrders(context, options);
    this.#prices = new ReviewPrices(tools.service);
  }

  async row(raw: RawRow, format: RowFormat, totals: Totals): Promise<Verdict> {
    const { row } = raw;
    const problem = problemIn(raw, format);
    const tried = async <T>(part: Part | null, work: () => Promise<T>): Promise<{ value: T } | Refused> => {
      try {
        return { value: await work() };
      } catch (error) {
        return { problems: [problem.of(part, rowsOwn(error))] };
      }
    };
    const read = await readSwap(this.#context, this.#options, raw, format);
    if ('problems' in read)
      return { problems: [...read.problems, ...(await this.#otherProblems(read, problem))] };
    const { asked, labels } = read;
    const { coins, service } = this.#tools;
    const verdict = await checkSwap(coins, service.environment, asked);
    const sent = verdict.ok ? verdict.swap.request : null;
    const keyed = await tried(read.key === null ? null : 'key', async () => {
      const inUse = await this.#existing.of(this.#keys.keyOf(row, asked, sent, read.key));
      if (inUse.entry !== null) await refuseAnotherSwap(this.#context, inUse.entry, asked, true);
      return inUse;
    });
    if ('problems' in keyed) return keyed;
    const { key, entry, isRepeat } = keyed.value;
    totals.addLabels(Object.keys(labels));
    if (entry !== null) {
      totals.addExisting(entry);
      return { row: { row, key, labels, fresh: null } };
    }
    if (!verdict.ok) return { problems: verdict.problems.map(problem.ofField) };
    const { swap } = verdict;
    const priced = await tried('amount', () => this.#prices.of(swap));
    if ('problems' in priced) return priced;
    const { value: price } = priced;
    const { receive } = swap.request;
    const enough = await tried('minReceive', async () =>
      checkLeast(price, { receive, minReceive: swap.minReceive }, 'the row'),
    );
    if ('problems' in enough) return enough;
    totals.add({ row, isRepeat }, swap, price, await this.#warnings(swap));
    return { row: { row, key, labels, fresh: { swap, reviewed: price } } };
  }

  /** What is wrong with the rows together, once all have been checked. */
  get problems(): readonly RowProblem[] {
    const error = this.#existing.unfinishedRepeat();
    return error === null ? [] : [{ row: null, line: 0, column: null, error }];
  }

  /** Warnings of a row, of which one may be that it repeats a recent swap that is no row of this file. */
  async #warnings(swap: UnpricedSwap): Promise<readonly string[]> {
    this.#recent ??= recentSwaps(this.#context, null);
    const recent = identicalTo(await this.#recent, swap);
    if (recent === undefined || isKeyOf(recent.idempotencyKey, swap.request)) return swap.warnings;
    return [...swap.warnings, identicalWords(recent, this.#context.now())];
  }

  /** What is wrong with the parts that could be read, where others could not. */
  async #otherProblems({ problems, rest }: UnreadRow, problem: ProblemIn): Promise<readonly RowProblem[]> {
    if (rest === null) return [];
    const { coins, service } = this.#tools;
    const verdict = await checkSwap(coins, service.environment, rest);
    const told = new Set(problems.map(({ column }) => column));
    return verdict.ok ? [] : verdict.problems.map(problem.ofField).filter(({ column }) => !told.has(column));
  }
}

/** Makes the problems of one row. */
interface ProblemIn {
  /** Without a part it is about the whole row. */
  of(part: Part | null, error: SwapctlError): RowProblem;
  ofField(found: FieldProblem): RowProblem;
}

function problemIn(raw: RawRow, format: RowFormat): ProblemIn {
  const { row, line } = raw;
  const of = (part: Part | null, error: SwapctlError) => ({
    ...{ row, line, column: part === null ? null : columnName(part, format), error },
    ...amountText(raw, part),
  });
  return { of, ofField: ({ field, error }) => of(columnOf(field, error), inRow(error)) };
}

/** An error in words for a row, whose memo no flag can give. */
function inRow(error: SwapctlError): SwapctlError {
  if (error.code !== 'memo_required') return error;
  return restated(error, error.message, { hint: 'Write it into the column memo.' });
}

function columnOf(field: FieldProblem['field'], { code }: SwapctlError): Part {
  return code === 'memo_required' || code === 'invalid_memo' ? 'memo' : field;
}

/** The error, where it is about a row; throws any other. */
function rowsOwn(error: unknown): SwapctlError {
  if (!isOfOneRow(error)) throw error;
  return error;
}
