import type { Command } from 'commander';
import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { joined, shown, someOf, type Visible } from '../../../base/text.ts';
import {
  FIELDS,
  type Field,
  ORDER,
  ORDER_HEADERS,
  type Reconciliation,
  reconcile,
} from '../../../core/swaps/reconcile.ts';
import type { Context } from '../../context.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { renderTable } from '../../terminal/table.ts';
import { noteIncludedSwaps, type Period, reportFilter } from '../shared/accounts.ts';
import { collected, type Flags, periodOption, readFlags, SINCE, UNTIL } from '../shared/arguments.ts';
import * as sheet from '../shared/sheet.ts';

/** The map is empty if columns are found by their headers. */
type ReconcileOptions = Period & { readonly statement: string; readonly map: sheet.HeadingMap };

export function reconcileCommand(command: Command, context: () => Context, run = runReconcile): void {
  command
    .description(
      'Compare the local ledger with a statement from the service, field by field. Exits with 9 if anything differs.',
    )
    .argument('<statement.csv>', 'CSV with headings; - for standard input')
    .option(
      '--map <field=Column,...>',
      'columns of the fields order, status, from, amount, to, receive, address, or a path such as receive.txId (default: by their headers)',
      collected,
    )
    .option('--since <time>', SINCE)
    .option('--until <time>', UNTIL)
    .addHelpText(
      'after',
      '\nAmounts are compared as decimals: 1.0 equals 1. The ledger has swaps as last polled, so run `swapctl status` first.\n\nExamples:\n  $ swapctl reconcile statement.csv -p shop --since 2026-11-01 --until 2026-11-30\n  $ swapctl reconcile export.csv --map order=Id,amount=Amount,receive.txId=Hash --json',
    )
    .action((statement: string, flags: Flags) => {
      const period = periodOption(context(), flags);
      return run(context(), { statement, map: readMap(readFlags(flags).list('map')), ...period });
    });
}

/** Prints how ledger and statement differ; throws `differs` if they do. Sends no request. */
export async function runReconcile(context: Context, options: ReconcileOptions): Promise<void> {
  const { since, until } = options;
  const statement = await readStatement(context, options.statement, options.map);
  const filter = await reportFilter(context, { since: null, until: null });
  const { books } = await context.ledger();
  const { result, open, unknown } = await reconcile(books.entries(filter), { since, until }, statement);
  await context.streams.print(reconcileView(result));
  noteIncludedSwaps(context, filter);
  noteStatement(context, statement, open);
  if (unknown.size > 0)
    context.streams.note(
      `Not compared because the ledger has no value yet: ${[...unknown].join(', ')}. Poll open swaps with \`swapctl status\`.`,
    );
  const { onlyHere, onlyThere, differs, duplicates } = result;
  if (onlyHere.length + onlyThere.length + differs.length + duplicates.length > 0) throw differsError(result);
}

function noteStatement({ streams }: Context, { columns, header, nameless }: Statement, open: number): void {
  const named = (column: number) => sheet.quoted(header[column] ?? '');
  const compared = columns.compared.map(({ field, column }) => `${field.name} in ${named(column)}`);
  streams.note(
    `Order numbers from column ${named(columns.order)}; compared: ${compared.length === 0 ? 'nothing else' : compared.join(', ')}.`,
  );
  if (nameless.length > 0)
    streams.note(
      `${nameless.length === 1 ? 'One row has' : `${nameless.length} rows have`} no order number and ${nameless.length === 1 ? 'is' : 'are'} left out: line ${someOf(nameless.map(String), ', ', 5)}.`,
      true,
    );
  if (open > 0)
    streams.note(
      `${open === 1 ? 'One swap' : `${open} swaps`} in the ledger ${open === 1 ? 'was' : 'were'} not final when last polled. Poll again with \`swapctl status\`.`,
    );
}

function differsError({ onlyHere, onlyThere, differs, duplicates }: Reconciliation): SwapctlError {
  const parts = [
    [new Set(differs.map(({ order }) => order)).size, 'different'],
    [onlyHere.length, 'only in the ledger'],
    [onlyThere.length, 'only in the statement'],
    [duplicates.length, 'more than once in the statement'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return new SwapctlError('differs', `The ledger and the statement do not match: ${words.join(', ')}.`, {
    outcome: 'done',
    hint: 'An order that is only in the statement may be the result of a request in `swapctl history --status unknown`.',
  });
}

/** The index of each compared column in a statement. */
export interface Columns {
  readonly order: number;
  readonly compared: readonly { readonly field: Field; readonly column: number }[];
}

const NAMES = [ORDER, ...FIELDS.map(({ name }) => name)];

/** Reads `--map` of `reconcile`. */
export function readMap(texts: readonly string[]): sheet.HeadingMap {
  return sheet.mapArgument(texts, (typed) => NAMES.find((name) => name === typed) ?? null, NAMES);
}

/**
 * The columns of a statement: the mapped ones or, if none is mapped, those recognized by their header. The order column
 * is found by its header unless it is mapped.
 */
export function columnsOf(header: readonly string[], map: sheet.HeadingMap): Columns {
  const mapped = map.get(ORDER);
  const order = mapped === undefined ? guessed(header, ORDER_HEADERS) : sheet.columnNamed(header, mapped);
  if (order === null)
    throw new UsageError(
      'The statement has no column with order numbers.',
      `Pass --map order=<column>. The columns are ${sheet.listed(header)}.`,
    );
  if (map.size === 0) return { order, compared: guessedColumns(header, order) };
  const compared = [...map].flatMap(([name, text]) => {
    const field = FIELDS.find((each) => each.name === name);
    return field === undefined ? [] : [{ field, column: sheet.columnNamed(header, text) }];
  });
  return { order, compared };
}

type Compared = Columns['compared'][number];

/** The columns recognized by their header; one with the path `receive.amount` is not also used for the short name. */
function guessedColumns(header: readonly string[], order: number): Compared[] {
  const compared = FIELDS.flatMap((field) => {
    const column = guessed(header, [field.name], field.headers);
    return column === null ? [] : [{ field, column }];
  });
  const last = new Map(compared.map(({ field, column }) => [column, field]));
  return compared.filter(({ field, column }) => column !== order && last.get(column) === field);
}

/** The column with the first of the exact names, else of the loose ones, in letters and digits alone. Throws a usage error. */
function guessed(header: readonly string[], exact: readonly string[], loose: readonly string[] = exact) {
  const plain = header.map(sheet.plainHeading);
  const isThere = (name: string) => header.some((text) => text.trim() === name);
  const name = exact.find(isThere) ?? loose.find((each) => plain.includes(each));
  return name === undefined ? null : sheet.columnNamed(header, name);
}

/** A statement from the service: the compared cells of each order, in the order of the columns. */
export type Statement = Awaited<ReturnType<typeof readStatement>>;

/** Reads a statement. Throws a usage error if a required column is missing. */
export async function readStatement(context: Context, path: string, map: sheet.HeadingMap) {
  const input = context.input(path);
  const rows = new Map<string, readonly (string | null)[]>();
  const duplicates = new Set<string>();
  const nameless: number[] = [];
  let head: { readonly columns: Columns; readonly header: readonly string[] } | undefined;
  for await (const { line, cells } of sheet.sheetRows(sheet.sheetText(input))) {
    if (head === undefined) {
      head = { columns: columnsOf(cells, map), header: cells };
      continue;
    }
    const order = cellText(cells[head.columns.order]);
    if (order === null) nameless.push(line);
    else if (rows.has(order)) duplicates.add(order);
    else
      rows.set(
        order,
        head.columns.compared.map(({ column }) => cellText(cells[column])),
      );
  }
  if (head === undefined)
    throw new UsageError(`The statement ${input.name} is empty.`, 'It needs a header line.');
  return { ...head, rows, duplicates: [...duplicates], nameless };
}

/** A cell without spaces around it, and without the apostrophe that keeps a spreadsheet from reading a formula. */
function cellText(cell: string | undefined): string | null {
  const text = (cell ?? '').trim().replace(/^'(?=\s*[=+\-@|%])/, '');
  return text === '' ? null : text;
}

function reconcileView(result: Reconciliation): View {
  const { matched, onlyHere, onlyThere, differs, duplicates } = result;
  return {
    json: () => result,
    rows: () => [
      ['matched', matched],
      ...onlyHere.map((order) => ['only-here', order]),
      ...onlyThere.map((order) => ['only-there', order]),
      ...differs.map(({ order, field, here, there }) => ['differs', order, field, here, there]),
      ...duplicates.map((order) => ['duplicate', order]),
    ],
    screen: async (style, width) => {
      const list = (title: string, orders: readonly string[]) => {
        const rows = orders.map((order) => [order]);
        return rows.length === 0 ? [] : [renderTable([{ title, paint: style.yellow }], rows, style, width)];
      };
      const columns = ['ORDER', 'FIELD', 'LEDGER', 'STATEMENT'].map((title) => ({ title }));
      const rows = differs.map(({ order, field, here, there }) => [order, field, here ?? '-', there ?? '-']);
      const tables = [
        ...list('ONLY IN THE LEDGER', onlyHere),
        ...list('ONLY IN THE STATEMENT', onlyThere),
        ...(rows.length === 0 ? [] : [renderTable(columns, rows, style, width)]),
        ...list('DUPLICATES IN THE STATEMENT', duplicates),
      ];
      return joined([summary(result, style), ...(await Promise.all(tables))], shown`\n`);
    },
  };
}

function summary({ matched, onlyHere, onlyThere, differs }: Reconciliation, style: Style): Visible {
  const changed = new Set(differs.map(({ order }) => order)).size;
  return shown` ${style.bold(shown`${matched}`)} matched · ${changed} different · ${onlyHere.length} only in the ledger · ${onlyThere.length} only in the statement\n`;
}
