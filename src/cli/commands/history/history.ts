import { type Command, Option } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { nearestWords } from '../../../base/suggest.ts';
import { echoed, joined } from '../../../base/text.ts';
import type { IntentOutcome } from '../../../core/ledger/entry.ts';
import type { LedgerFilter, StateFilter } from '../../../core/ledger/filter.ts';
import type { Ledger } from '../../../core/ledger/ledger.ts';
import { COMPUTED_COLUMNS } from '../../../core/ledger/sort-keys.ts';
import { type HistoryResult, historyResult, type ListedEntry } from '../../../core/ledger/swap-result.ts';
import { listedStatuses } from '../../../core/partner-api/statuses.ts';
import { labelColumns } from '../../../core/swap/labels.ts';
import type { Context } from '../../context.ts';
import { csvLine } from '../../terminal/encode.ts';
import { cellReader, type Listing, listView, sortedBy } from '../../views/columns.ts';
import { HISTORY_COLUMNS, historyView } from '../../views/history.ts';
import * as args from '../shared/arguments.ts';
import { listingArgument, listingOptions } from '../shared/listing.ts';
import { ACCOUNTS_FORMATS, printAccounts } from './accounts.ts';
import { historyNoteCommand, historyResolveCommand, historySentCommand } from './by-hand.ts';
import { historyImportCommand } from './import.ts';
import { builtInTime, historyShowCommand, historySupportCommand } from './show.ts';

export function historyCommand(history: Command, context: () => Context, run = runHistory): void {
  listingOptions(history, 'order,status,deposit.amount')
    .description(
      'List the swaps in the local ledger: unknown outcomes first, then the newest. Lists all profiles unless -p, --sandbox or the environment names one. Sends no request.',
    )
    .argument('[search]', 'part of an order, address, transaction, key or label; or a coin or amount')
    .option(
      '--status <status>',
      'only this status (new, success, …) or outcome (created, unknown, …); repeatable',
      args.collected,
    )
    .option('--coin <coin>', 'only swaps from or to this coin')
    .option('--since <time>', args.SINCE)
    .option('--until <time>', args.UNTIL)
    .option('--label <key=value>', 'only swaps with this label; repeatable', args.collected)
    .option('--csv', 'print CSV with a header')
    .addOption(
      new Option('--format <format>', 'settled swaps for accounting software').choices(ACCOUNTS_FORMATS),
    )
    .addOption(args.limitOption())
    .addHelpText('after', HELP)
    .action((search: string | undefined, flags: args.Flags) =>
      run(context(), historyOptions(context(), search?.trim() || null, flags)),
    );
  history.helpCommand(false);
  historyShowCommand(history.command('show'), context);
  historySupportCommand(history.command('support'), context);
  historySentCommand(history.command('sent'), context);
  historyNoteCommand(history.command('note'), context);
  historyImportCommand(history.command('import'), context);
  historyResolveCommand(history.command('resolve'), context);
}

type HistoryOptions = ReturnType<typeof historyOptions>;

function historyOptions(context: Context, search: string | null, flags: args.Flags) {
  const { text, number, list } = args.readFlags(flags);
  const isJson = context.flags.json === true;
  const { csv, format } = formatFlags(flags, isJson);
  const statuses = list('status').flatMap((words) => words.split(','));
  const coin = text('coin');
  return {
    search,
    statuses: statuses.map(statusFlag),
    coin: coin === null ? null : args.coinWithoutNetwork(coin),
    ...args.periodOption(context, flags, csv || format !== null ? 'utc' : args.dayZone(context)),
    labels: args.labelsArgument(flags['label']),
    csv,
    format,
    limit: number('limit'),
    listing: listingArgument(flags, HISTORY_COLUMNS, COMPUTED_COLUMNS, isJson),
  };
}

const HELP = `
Days begin at midnight on the clock of this machine on a terminal, and in UTC in pipes, CSV and JSON.

Examples:
  $ swapctl history 0.25
  $ swapctl history --status pause,frozen --sort -deposit.amount
  $ swapctl history customer=8812 --columns order,status,receive.txId
  $ swapctl history --since 2026-01-01 --csv > swaps.csv
  $ swapctl history show KQWZPA
  $ swapctl history support KQWZPA -o ticket.md
  $ swapctl history import orders.txt
  $ swapctl history -p shop --format beancount > swaps.beancount`;

/** Prints the ledger without any request. */
export async function runHistory(context: Context, options: HistoryOptions): Promise<void> {
  const { streams } = context;
  const { books } = await context.ledger();
  const filter = filterOf(options, context.onlyProfile);
  if (options.format !== null) return printAccounts(context, options.format, filter, options.limit);
  // A profile that does not exist is a typo, not an empty history.
  if (filter.profile !== null && !(await books.any(filter.profile))) await context.profile();
  if (options.csv) return printCsv(context, books, options, filter);
  const limit = options.limit ?? (streams.format === 'screen' ? args.SCREEN_LIMIT : null);
  const found = results(context, books, { ...options, limit }, filter);
  const { shown, hasUnknown } = await printList(context, filter, options.listing, found);
  if (streams.format === 'json') return;
  if (shown === 0) {
    const [verb] = nearestWords(VERBS, options.search ?? '');
    const meant = verb === undefined ? '' : ` Did you mean \`swapctl history ${verb}\`?`;
    streams.note(`Nothing in the ledger matches.${meant}`);
  }
  const count = shown === limit ? await books.count(filter) : shown;
  if (count > shown) streams.note(`${count - shown} more; show them with --limit ${count}.`);
  if (hasUnknown) streams.note(WHAT_TO_DO);
}

/** Prints a list: lines for a pipe a few at a time; a table or JSON whole, because a part of either is useless. */
async function printList(
  context: Context,
  filter: LedgerFilter,
  listing: Listing,
  pages: AsyncIterable<readonly HistoryResult[]>,
): Promise<{ readonly shown: number; readonly hasUnknown: boolean }> {
  const { streams, now } = context;
  let [shown, hasUnknown] = [0, false];
  const print = async (part: readonly HistoryResult[]) => {
    const sandboxNow = (await builtInTime(context, part)) ?? undefined;
    const options = { everybody: filter.profile === null, isFiltered: filter.state !== null, sandboxNow };
    await streams.print(listView(part, listing, historyView(part, now(), options)));
  };
  const kept: HistoryResult[] = [];
  for await (const page of pages) {
    shown += page.length;
    hasUnknown ||= page.some(({ outcome }) => outcome === 'unknown');
    if (streams.format === 'pipe') await print(page);
    else for (const entry of page) kept.push(entry);
  }
  if (streams.format !== 'pipe') await print(kept);
  return { shown, hasUnknown };
}

async function* results(
  context: Context,
  books: Ledger['books'],
  { limit, listing }: HistoryOptions,
  filter: LedgerFilter,
): AsyncGenerator<readonly HistoryResult[]> {
  const isUsual = listing.sort === null && !listing.reverse;
  const pages = isUsual ? books.listed(filter, { limit }) : sorted(books, filter, listing, limit);
  for await (const page of pages) yield page.map((entry) => historyResult(entry, context.now()));
}

/** Entries in another order: only the id and the sort value of each are kept in memory. */
async function* sorted(
  books: Ledger['books'],
  filter: LedgerFilter,
  { sort, reverse }: Listing,
  limit: number | null,
): AsyncGenerator<readonly ListedEntry[]> {
  const { column, descending } = sort ?? { column: 'requestedAt', descending: true };
  const keys = await books.sortValues(filter, column);
  const sortedKeys = sortedBy(keys, ({ value }) => value, descending !== reverse);
  const ids = sortedKeys.slice(0, limit ?? keys.length).map(({ id }) => id);
  for (let at = 0; at < ids.length; at += PAGE) yield books.listedByIds(ids.slice(at, at + PAGE));
}

/** Prints CSV a few lines at a time, so that a ledger of any length fits in memory. */
async function printCsv(
  context: Context,
  books: Ledger['books'],
  options: HistoryOptions,
  filter: LedgerFilter,
): Promise<void> {
  const keys = await books.labelKeys(filter);
  const columns = options.listing.columns ?? [...HISTORY_COLUMNS, ...labelColumns(keys)];
  const cells = cellReader(columns);
  await context.streams.write(csvLine(columns));
  for await (const page of results(context, books, options, filter))
    await context.streams.write(joined(page.map((entry) => csvLine(cells(entry)))));
}

const VERBS = ['show', 'support', 'sent', 'note', 'import', 'resolve'];

/** Entries that are read at a time. */
const PAGE = 500;

const WHAT_TO_DO =
  'unknown: the request was sent but there was no usable response, so an order may exist. An unfunded order costs nothing and expires; fund only an address that swapctl showed you. Ask the service whether it created an order, then run `swapctl history resolve <id> --order <order>`, or --dismiss.';

function filterOf(options: HistoryOptions, profile: string | null): LedgerFilter {
  const { search, statuses, coin, since, until, labels } = options;
  const state = statuses.length === 0 ? null : stateOf(statuses);
  return { profile, environment: null, state, coin, since, until, labels, search };
}

/** The filter for words of `--status`: entries with these outcomes, and created swaps with these statuses. */
function stateOf(words: readonly string[]): StateFilter {
  const outcomes = OUTCOMES.filter((each) => words.includes(each));
  const isNamed = ({ status }: { readonly status: string }) => words.includes(status);
  const codesOf = (isMeant: boolean) =>
    listedStatuses().flatMap((each) => (isNamed(each) === isMeant ? each.code : []));
  // An unknown status is any code that is not listed.
  if (words.includes('unknown')) return { outcomes, codes: { noneOf: codesOf(false) } };
  const anyOf = codesOf(true);
  return { outcomes, codes: anyOf.length === 0 ? null : { anyOf } };
}

function formatFlags(flags: args.Flags, json: boolean) {
  const format = ACCOUNTS_FORMATS.find((name) => name === flags['format']) ?? null;
  const csv = flags['csv'] === true;
  if (csv && json) throw new UsageError('--csv and --json cannot be combined.');
  if (format !== null && (csv || json))
    throw new UsageError(`--format ${format} and ${csv ? '--csv' : '--json'} cannot be combined.`);
  return { csv, format };
}

function statusFlag(text: string): string {
  const word = text.toLowerCase();
  if (STATUS_WORDS.has(word)) return word;
  const hint = `Choose one of ${[...STATUS_WORDS].join(', ')}.`;
  throw new UsageError(`Unknown status or outcome ${echoed(word)}.`, hint);
}

const OUTCOMES: readonly IntentOutcome[] = ['created', 'unknown', 'refused', 'not-sent', 'dismissed'];

const STATUS_WORDS = new Set<string>([...listedStatuses().map(({ status }) => status), ...OUTCOMES]);
