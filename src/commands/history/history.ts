import { type Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { LedgerFilter, StateFilter } from '../../ledger/books.ts';
import type { IntentOutcome } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type HistoryResult, historyResult } from '../../ledger/swap-result.ts';
import { listedStatuses } from '../../partner-api/statuses.ts';
import type { Labels } from '../../swap/labels.ts';
import { echoed, joined } from '../../text.ts';
import { historyCsvHeader, historyCsvLine, historyView } from '../../views/history.ts';
import {
  dayZone,
  type Flags,
  limitOption,
  periodOption,
  readFlags,
  SCREEN_LIMIT,
  SINCE,
  UNTIL,
} from '../shared/arguments.ts';
import { collected, labelsArgument } from '../shared/labels.ts';
import { onlyProfile } from '../shared/order-places.ts';
import { ACCOUNTS_FORMATS, type AccountsFormatName, printAccounts } from './accounts.ts';
import { historyImportCommand } from './import.ts';
import { historyResolveCommand } from './resolve.ts';
import { historyShowCommand, historySupportCommand } from './show.ts';

/** Parsed arguments of `swapctl history`. */
export interface HistoryOptions {
  /** A status or an outcome. */
  readonly status: string | null;
  readonly coin: string | null;
  /** Milliseconds since 1970. */
  readonly since: number | null;
  readonly until: number | null;
  /** All of them. */
  readonly labels: Labels;
  readonly csv: boolean;
  /** Null for a list. */
  readonly format: AccountsFormatName | null;
  readonly limit: number | null;
}

/** Declares `swapctl history`. */
export function historyCommand(history: Command, context: () => Context, run = runHistory): void {
  history
    .description(
      'List the swaps in the local ledger: unknown outcomes first, then the newest. Lists all profiles unless -p, --sandbox or the environment names one. Sends no request.',
    )
    .option('--status <status>', 'only this status (new, success, …) or outcome (created, unknown, …)')
    .option('--coin <coin>', 'only swaps from or to this coin')
    .option('--since <time>', SINCE)
    .option('--until <time>', UNTIL)
    .option('--label <key=value>', 'only swaps with this label; repeatable', collected)
    .option('--csv', 'print CSV with a header')
    .addOption(
      new Option('--format <format>', 'settled swaps for accounting software').choices([
        'csv',
        ...ACCOUNTS_FORMATS,
      ]),
    )
    .addOption(limitOption())
    .addHelpText('after', HELP)
    .action((flags: Flags) => {
      const { text, number } = readFlags(flags);
      const started = context();
      const { csv, format } = formatFlags(flags, started.flags.json === true);
      const zone = csv || format !== null ? 'utc' : dayZone(started);
      return run(started, {
        status: statusFlag(text('status')),
        coin: text('coin'),
        ...periodOption(started, flags, zone),
        labels: labelsArgument(flags['label']),
        csv,
        format,
        limit: number('limit'),
      });
    });
  history.helpCommand(false);
  historyShowCommand(history.command('show'), context);
  historySupportCommand(history.command('support'), context);
  historyImportCommand(history.command('import'), context);
  historyResolveCommand(history.command('resolve'), context);
}

const HELP = `
Days begin at midnight on the clock of this machine on a terminal, and in UTC in pipes, CSV and JSON.

Examples:
  $ swapctl history --status unknown
  $ swapctl history --since 2026-01-01 --csv > swaps.csv
  $ swapctl history show KQWZPA
  $ swapctl history support KQWZPA -o ticket.md
  $ swapctl history import orders.txt
  $ swapctl history -p shop --format beancount > swaps.beancount`;

/** Prints the ledger, without a word to the service. */
export async function runHistory(context: Context, options: HistoryOptions): Promise<void> {
  const { streams } = context;
  const { books } = await context.ledger();
  const filter = filterOf(options, onlyProfile(context));
  if (options.format !== null) return printAccounts(context, options.format, filter, options.limit);
  // A profile that there never was is a slip of the pen, and not an empty history.
  if (filter.profile !== null && !(await books.any(filter.profile))) await context.profile();
  if (options.csv) return printCsv(context, books, filter, options.limit);
  const limit = options.limit ?? (streams.format === 'screen' ? SCREEN_LIMIT : null);
  const { shown, hasUnknown } = await printList(context, filter, results(context, books, filter, limit));
  if (streams.format === 'json') return;
  if (shown === 0) streams.note('Nothing in the ledger matches.');
  const count = shown === limit ? await books.count(filter) : shown;
  if (count > shown) streams.note(`${count - shown} more; show them with --limit ${count}.`);
  if (hasUnknown) streams.note(WHAT_TO_DO);
}

/** Prints a list: lines for a pipe a few at a time, but a table or JSON whole, for they are nothing in part. */
async function printList(
  { streams, now }: Context,
  filter: LedgerFilter,
  entries: AsyncIterable<HistoryResult>,
): Promise<{ readonly shown: number; readonly hasUnknown: boolean }> {
  let [shown, hasUnknown] = [0, false];
  let part: HistoryResult[] = [];
  const print = () => streams.print(historyView(part, now(), filter.profile === null));
  for await (const entry of entries) {
    shown += 1;
    hasUnknown ||= entry.outcome === 'unknown';
    part.push(entry);
    if (streams.format !== 'pipe' || part.length < MAX_LINES_AT_ONCE) continue;
    await print();
    part = [];
  }
  await print();
  return { shown, hasUnknown };
}

async function* results(
  context: Context,
  books: Ledger['books'],
  filter: LedgerFilter,
  limit: number | null,
): AsyncGenerator<HistoryResult> {
  for await (const entry of books.entries(filter, { limit }))
    yield historyResult(entry, entry.doubts, context.now());
}

/** Prints CSV a few lines at a time, so that a ledger of any length goes through. */
async function printCsv(
  context: Context,
  books: Ledger['books'],
  filter: LedgerFilter,
  limit: number | null,
): Promise<void> {
  const keys = await books.labelKeys(filter);
  let lines = [historyCsvHeader(keys)];
  for await (const entry of results(context, books, filter, limit)) {
    lines.push(historyCsvLine(entry, keys));
    if (lines.length < MAX_LINES_AT_ONCE) continue;
    await context.streams.write(joined(lines));
    lines = [];
  }
  if (lines.length > 0) await context.streams.write(joined(lines));
}

const MAX_LINES_AT_ONCE = 500;

const WHAT_TO_DO =
  'unknown: the request was sent but there was no usable response, so an order may exist. An unfunded order costs nothing and expires; fund only an address that swapctl showed you. Ask the service whether it created an order, then run `swapctl history resolve <id> --order <order>`, or --dismiss.';

function filterOf(options: HistoryOptions, profile: string | null): LedgerFilter {
  const { status, coin, since, until, labels } = options;
  const state = status === null ? null : stateOf(status);
  return { profile, environment: null, state, coin, since, until, labels };
}

/** The entries that a word means: those with this outcome, and the created swaps with this status. */
function stateOf(word: string): StateFilter {
  const outcome = OUTCOMES.find((each) => each === word) ?? null;
  const listed = listedStatuses();
  const among = listed.filter(({ status }) => status === word).map(({ code }) => code);
  if (word === 'unknown') return { outcome, codes: { otherThan: listed.map(({ code }) => code) } };
  return { outcome, codes: among.length === 0 ? null : { among } };
}

function formatFlags(flags: Record<string, unknown>, json: boolean): Pick<HistoryOptions, 'csv' | 'format'> {
  const format = ACCOUNTS_FORMATS.find((name) => name === flags['format']) ?? null;
  const csv = flags['csv'] === true || flags['format'] === 'csv';
  if (csv && json) throw new UsageError('--csv and --json cannot be combined.');
  if (format !== null && (csv || json))
    throw new UsageError(`--format ${format} and ${csv ? '--csv' : '--json'} cannot be combined.`);
  return { csv, format };
}

function statusFlag(text: string | null): string | null {
  const word = text?.toLowerCase() ?? null;
  if (word === null || STATUS_WORDS.has(word)) return word;
  throw new UsageError(
    `Unknown status or outcome ${echoed(word)}.`,
    `Choose one of ${[...STATUS_WORDS].join(', ')}.`,
  );
}

const OUTCOMES: readonly IntentOutcome[] = ['created', 'unknown', 'refused', 'not-sent', 'dismissed'];

const STATUS_WORDS: ReadonlySet<string> = new Set([
  ...listedStatuses().map(({ status }) => status),
  ...OUTCOMES,
]);
