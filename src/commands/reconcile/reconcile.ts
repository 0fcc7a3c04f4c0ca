import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { SwapctlError } from '../../errors.ts';
import { type Reconciliation, reconcile } from '../../swaps/reconcile.ts';
import { someOf } from '../../text.ts';
import { reconcileView } from '../../views/reconcile.ts';
import { accountsFilter, noteAccounts, type Period } from '../shared/accounts.ts';
import { collected } from '../shared/labels.ts';
import { type HeadingMap, quoted } from '../shared/sheet.ts';
import { dayZone, noteLocalDays, timeArgument } from '../shared/time-argument.ts';
import { readMap } from './columns.ts';
import { readStatement, type Statement } from './statement.ts';

/** Parsed arguments of `swapctl reconcile`. */
export interface ReconcileOptions extends Period {
  readonly statement: string;
  /** Empty where columns are found by their headers. */
  readonly map: HeadingMap;
}

/** Declares `swapctl reconcile`. */
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
    .option('--since <time>', 'since this day (2026-01-31) or RFC 3339 time')
    .option('--until <time>', 'until the end of this day, or before this time')
    .addHelpText(
      'after',
      '\nAmounts are compared as decimals: 1.0 equals 1. The ledger has swaps as last polled, so run `swapctl status` first.\n\nExamples:\n  $ swapctl reconcile statement.csv -p shop --since 2026-11-01 --until 2026-11-30\n  $ swapctl reconcile export.csv --map order=Id,amount=Amount,receive.txId=Hash --json',
    )
    .action((statement: string, flags: Record<string, unknown>) => {
      const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : null);
      const started = context();
      const zone = dayZone(started);
      const [since, until] = [text('since'), text('until')];
      noteLocalDays(started, [since, until]);
      return run(started, {
        statement,
        map: readMap(Array.isArray(flags['map']) ? flags['map'].map(String) : []),
        since: timeArgument(since, 'start', zone),
        until: timeArgument(until, 'end', zone),
      });
    });
}

/** Prints how ledger and statement differ; throws `differs` if they do. Asks the service nothing. */
export async function runReconcile(context: Context, options: ReconcileOptions): Promise<void> {
  const { since, until } = options;
  const statement = await readStatement(context, options.statement, options.map);
  const filter = await accountsFilter(context, { since: null, until: null });
  const { books } = await context.ledger();
  const { result, open, unknown } = await reconcile(books.entries(filter), { since, until }, statement);
  await context.streams.print(reconcileView(result));
  noteAccounts(context, filter);
  noteStatement(context, statement, open);
  if (unknown.size > 0)
    context.streams.note(
      `Not compared where the ledger does not know it yet: ${[...unknown].join(', ')}. Run \`swapctl status\` to poll open swaps.`,
    );
  const { onlyHere, onlyThere, differs, duplicates } = result;
  if (onlyHere.length + onlyThere.length + differs.length + duplicates.length > 0) throw differsError(result);
}

function noteStatement({ streams }: Context, { columns, header, nameless }: Statement, open: number): void {
  const named = (column: number) => quoted(header[column] ?? '');
  const compared = columns.compared.map(({ field, column }) => `${field.name} in ${named(column)}`);
  streams.note(
    `Orders are in the column ${named(columns.order)}; compared: ${compared.length === 0 ? 'nothing else' : compared.join(', ')}.`,
  );
  if (nameless.length > 0)
    streams.note(
      `${nameless.length === 1 ? 'One row has' : `${nameless.length} rows have`} no order number and ${nameless.length === 1 ? 'is' : 'are'} left out: line ${someOf(nameless.map(String), ', ', 5)}.`,
      true,
    );
  if (open > 0)
    streams.note(
      `${open === 1 ? 'One swap' : `${open} swaps`} of the ledger had not ended when last seen: \`swapctl status\` looks again.`,
    );
}

function differsError({ onlyHere, onlyThere, differs, duplicates }: Reconciliation): SwapctlError {
  const parts = [
    [new Set(differs.map(({ order }) => order)).size, 'differ'],
    [onlyHere.length, 'only here'],
    [onlyThere.length, 'only there'],
    [duplicates.length, 'more than once in the statement'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return new SwapctlError('differs', `Ledger and statement differ: ${words.join(', ')}.`, {
    outcome: 'done',
    hint: 'An order that is only there may be one of `swapctl history --status unknown`.',
  });
}
