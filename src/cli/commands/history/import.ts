import type { Command } from 'commander';
import { errorJson, InterruptedError, restated, SwapctlError, UsageError } from '../../../base/errors.ts';
import { echoed, someOf } from '../../../base/text.ts';
import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { isOrderForm, type Swap } from '../../../core/swap/swap.ts';
import { compareUnrecorded, isForOneOrder, shownSwap } from '../../../core/swaps/lookup.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import { sharedBudget } from '../../../core/swaps/request-budget.ts';
import { announce, type Context } from '../../context.ts';
import { untilInterrupted } from '../../terminal/progress.ts';
import { type ImportLine, importLineView } from '../../views/history.ts';
import { sheetRows, sheetText } from '../shared/sheet.ts';
import { requestBudget } from '../shared/stored-setting.ts';

export function historyImportCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Add swaps created elsewhere to the ledger. Each order number is looked up once, within the request budget; orders already in the ledger are skipped, so you can run the same file again to continue.',
    )
    .argument('<file>', 'order numbers, one per line or in the first column of a CSV; - for standard input')
    .addHelpText(
      'after',
      '\nBlank lines and # comments are skipped. Exits with 3 if the service does not know an order, with 6 if it failed.\n\nExamples:\n  $ swapctl history import orders.txt\n  $ cut -d, -f1 shop.csv | swapctl history import - -p shop\n  $ swapctl history import orders.csv --json > imported.jsonl',
    )
    .action((file: string) => runImport(context(), file));
}

async function runImport(context: Context, source: string): Promise<void> {
  const orders = await readOrderList(context, source);
  const service = await context.service();
  announce(context, service);
  const tools = await importTools(context, service);
  const done: Imported[] = [];
  await untilInterrupted(context, INTERRUPTED, async () => {
    for (const order of orders) {
      const line = await importOne(tools, order);
      done.push(line);
      const error = line.error === null ? null : errorJson(line.error, context.flags);
      const view = importLineView({ ...line, error }, `${done.length}/${orders.length}`);
      if (context.streams.format === 'json') await context.streams.printLine(view.json());
      else await context.streams.print(view);
      if (line.error !== null && !isForOneOrder(line.error)) break;
    }
  });
  noteTotals(context, done, orders.length);
}

const INTERRUPTED = 'Interrupted. Imported orders are kept; run the same command again to continue.';

/** The owner of the imported swaps, their service, and the request budget. */
type ImportTools = Awaited<ReturnType<typeof importTools>>;

async function importTools(context: Context, service: Service) {
  const budget = await sharedBudget(context, requestBudget(context), (error) => {
    throw error;
  });
  const turns = { limit: budget, timeLeft: () => context.deadline() - context.monotonic() };
  return { context, service, owner: await context.owner(), turns };
}

type Imported = Omit<ImportLine, 'error'> & { readonly error: SwapctlError | null };

async function importOne(tools: ImportTools, order: string): Promise<Imported> {
  const { context, service, owner, turns } = tools;
  const ledger = await context.ledger();
  const known = await ledger.byOrder(owner, order);
  if (known !== null) return { order: known.order ?? order, outcome: 'known', swap: null, error: null };
  try {
    const { value: seen } = await service.client.transaction(order, turns);
    const swap = await record(tools, seen);
    return { order: seen.order, outcome: swap === null ? 'known' : 'imported', swap, error: null };
  } catch (error) {
    if (!(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
    if (error.code === 'storage_failed') throw error;
    const outcome = error.code === 'not_found' ? 'not_found' : 'failed';
    return { order, outcome, swap: null, error };
  }
}

/** Null if another process has recorded the order by then. */
async function record({ context, service, owner }: ImportTools, seen: Swap): Promise<SwapResult | null> {
  const { found: _, ...compared } = await compareUnrecorded(context, service, seen);
  const ledger = await context.ledger();
  if (!(await ledger.imported(owner, { ...compared, at: context.now() }))) return null;
  return shownSwap(context, service, await ledger.byOrder(owner, seen.order), compared);
}

/** Reports how many were imported and which were not; throws if any were not. */
function noteTotals({ streams }: Context, done: readonly Imported[], total: number): void {
  const of = (outcome: Imported['outcome']) => done.filter((line) => line.outcome === outcome);
  const [missing, failed] = [of('not_found'), of('failed')];
  const left = total - done.length;
  const counts = [
    `${of('imported').length} imported`,
    `${of('known').length} already in the ledger`,
    `${missing.length} not found`,
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(left > 0 ? [`${left} not looked up`] : []),
  ];
  streams.note(`${counts.join(', ')}.`);
  if (missing.length > 0)
    streams.note(`Not found at the service: ${missing.map(({ order }) => order).join(', ')}`, true);
  const details = {
    imported: of('imported').length,
    known: of('known').length,
    left,
    notFound: missing.map(({ order }) => order),
    failed: failed.map(({ order }) => order),
  };
  const [first] = failed;
  if (first?.error !== undefined && first.error !== null)
    throw restated(first.error, `Order ${first.order}: ${first.error.message}`, {
      hint: 'Run the same command again; orders already in the ledger are not looked up again.',
      details: { ...first.error.details, ...details },
    });
  if (missing.length === 0) return;
  const words = `${missing.length} of ${total} orders were not found at the service: ${someOf(details.notFound)}.`;
  const hint = 'Check the order numbers, or select the profile that created them with -p.';
  throw new SwapctlError('not_found', words, { outcome: 'done', hint, details });
}

/**
 * Reads order numbers from a file, or from standard input for `-`: one per line, or the first column of a CSV. Blank
 * lines, `#` comments and a CSV's header are skipped, and duplicate orders count once. Throws a usage error that names
 * every line that is not an order number.
 */
async function readOrderList(context: Context, source: string): Promise<readonly string[]> {
  const orders = new Set<string>();
  const wrong: string[] = [];
  let isFirst = true;
  const input = context.input(source);
  for await (const { line, cells } of sheetRows(sheetText(input), { comments: true })) {
    const cell = (cells[0] ?? '').trim();
    if (cell === '' || cell.startsWith('#')) continue;
    const isHeader = isFirst && HEADER.test(cell);
    isFirst = false;
    if (isHeader) continue;
    // A key or a seed phrase given by mistake is neither sent nor shown.
    if (isOrderForm(cell)) orders.add(cell);
    else wrong.push(`line ${line}: ${echoed(cell)}`);
  }
  if (wrong.length > 0)
    throw new UsageError(
      `${wrong.length === 1 ? 'A line is' : `${wrong.length} lines are`} not an order number: ${someOf(wrong, '; ')}.`,
      `${LIST_FORM} Nothing was sent.`,
    );
  if (orders.size === 0) throw new UsageError('No order numbers to import.', LIST_FORM);
  return [...orders];
}

const LIST_FORM = 'Use one order number per line, or a CSV with them in the first column.';
/** Headings of the first column, which are not order numbers. */
const HEADER = /^(order|id|number|order[ _-]?(number|id|no)|transaction[ _-]?id)$/i;
