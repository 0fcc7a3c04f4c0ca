import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { shellQuote, writeOutputFile } from '../../files.ts';
import { agreementOf, type Entry } from '../../ledger/entry.ts';
import { headText } from '../../ledger/policy/chain.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import { type EntryRecord, refundAddressSetAt, statusSpans, timelineEvents } from '../../ledger/timeline.ts';
import { findingsOf } from '../../swap/agreement/agreement.ts';
import { echoed, shown, someOf, type Visible, visibleJson } from '../../text.ts';
import { spanWords } from '../../time.ts';
import { timelineView } from '../../views/history.ts';
import { ticketMarkdown } from '../../views/support/markdown.ts';
import { writeTicket } from '../../views/support/ticket.ts';
import { orderArgument } from '../shared/arguments.ts';
import { accountInUse, onlyProfile } from '../shared/order-places.ts';

/**
 * What the ledger keeps of an order number, in any case, or of an entry's id: of the profile that is named, else of the
 * only one that has it. Throws `not_found`, and a usage error where several profiles have the order.
 */
async function recordOf(context: Context, orderOrId: string): Promise<EntryRecord> {
  const ledger = await context.ledger();
  const profile = onlyProfile(context);
  const account = profile === null ? null : await accountInUse(context);
  const found = await entriesOf(context, orderOrId);
  const [entry, ...others] = found.filter(
    (each) => profile === null || each.profile === profile || each.account === account,
  );
  if (entry === undefined) throw await notRecorded(context, orderOrId, found);
  if (others.length > 0) throw severalHave(orderOrId, [entry, ...others]);
  return { entry, changes: await ledger.changes(entry.id) };
}

async function entriesOf(context: Context, orderOrId: string): Promise<readonly Entry[]> {
  const ledger = await context.ledger();
  for (const spelling of new Set([orderOrId, orderOrId.toUpperCase(), orderOrId.toLowerCase()])) {
    const entries = await ledger.withOrder(spelling);
    if (entries.length > 0) return entries;
  }
  const byId = await ledger.byId(orderOrId);
  return byId === null ? [] : [byId];
}

async function notRecorded(
  context: Context,
  orderOrId: string,
  elsewhere: readonly Entry[],
): Promise<SwapctlError> {
  // A profile that there never was is a slip of the pen.
  if (onlyProfile(context) !== null) await context.profile();
  const name = echoed(orderOrId);
  const profiles = elsewhere.map(({ profile }) => profile);
  const hint =
    profiles.length > 0
      ? `It belongs to profile ${someOf(profiles)}: pass that with -p, or leave -p out.`
      : `If it was created elsewhere, add it to the ledger: \`echo ${shellQuote(name)} | swapctl history import -\`.`;
  return new SwapctlError('not_found', `The ledger has no order or entry ${name}.`, {
    hint: `${hint} List the swaps with \`swapctl history\`.`,
  });
}

function severalHave(orderOrId: string, entries: readonly Entry[]): UsageError {
  return new UsageError(
    `Several profiles have order ${echoed(orderOrId)}: ${someOf(entries.map(({ profile }) => profile))}.`,
    'Select one with -p.',
  );
}

/** Declares `swapctl history show`. */
export function historyShowCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Show every recorded change of a swap, oldest first, with the values before and after. Sends no request.',
    )
    .argument('<order>', 'order number, or id of an entry')
    .addHelpText(
      'after',
      '\nTimes are local on a terminal, and UTC in pipes and with --json.\n\nExamples:\n  $ swapctl history show KQWZPA\n  $ swapctl history show KQWZPA | grep confirmations\n  $ swapctl history show KQWZPA --json',
    )
    .action((order: string) => runShow(context(), orderArgument(order)));
}

/** Prints the timeline of an order. */
async function runShow(context: Context, order: string): Promise<void> {
  const record = await recordOf(context, order);
  const swap = await swapOf(record.entry, context.now());
  const timeline = { order: record.entry.order, events: timelineEvents(record), swap };
  await context.streams.print(timelineView(timeline, context.now()));
}

async function swapOf(entry: Entry, now: number) {
  const { id, outcome, reason, requestedAt, seenAt, idempotencyKey, ...swap } = historyResult(
    entry,
    entry.doubts,
    now,
  );
  return swap;
}

/** Parsed arguments of `swapctl history support`. */
interface SupportOptions {
  readonly order: string;
  /** File to write; null for standard output. */
  readonly output: string | null;
}

/** Declares `swapctl history support`. */
export function historySupportCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Write a support ticket for a swap in Markdown, with the questions that fit its state. It contains no key, signature, label or profile name. Sends no request: run `swapctl status` first.',
    )
    .argument('<order>', 'order number, or id of an entry with an unknown outcome')
    .option('-o, --output <file>', 'write to this new file, readable only by you')
    .addHelpText(
      'after',
      '\nBlanks (____) are for you to fill in. All times are UTC.\n\nExamples:\n  $ swapctl history support KQWZPA\n  $ swapctl history support KQWZPA -o ticket.md\n  $ swapctl history support KQWZPA --json',
    )
    .action((order: string, flags: Record<string, unknown>) => {
      const output = typeof flags['output'] === 'string' ? flags['output'] : null;
      return runSupport(context(), { order: orderArgument(order), output });
    });
}

/** Writes a ticket about an order. */
async function runSupport(context: Context, { order, output }: SupportOptions): Promise<void> {
  const { streams } = context;
  const record = await recordOf(context, order);
  const { entry } = record;
  if (entry.order === null && entry.outcome !== 'unknown') throw nothingToAsk(entry);
  const now = context.now();
  const seen = entry.doubted ?? entry.swap;
  const written = writeTicket({
    entry: historyResult(entry, entry.doubts, now),
    host: entry.host,
    statuses: statusSpans(record),
    refundAddressSetAt: refundAddressSetAt(record),
    findings: seen === null ? [] : await findingsOf(agreementOf(entry), seen),
    paidTo: entry.swap?.receive.paidTo ?? null,
    auditHead: headText(await (await context.ledger()).audit.head()),
    now,
  });
  const isJson = streams.format === 'json';
  if (output !== null) {
    writeOutputFile(output, isJson ? jsonText(written.ticket) : ticketMarkdown(written));
    streams.note(`Written to ${output}.`);
  } else if (isJson) await streams.printLine(written.ticket);
  else await streams.write(ticketMarkdown(written));
  const age = now - (entry.seenAt ?? entry.requestedAt);
  if (entry.swap?.final !== true && entry.order !== null && age > MAX_FRESH_MS)
    streams.note(
      `Last polled ${spanWords(age)} ago. To poll it again first, run: swapctl status ${shellQuote(entry.order)}`,
    );
}

/** Maximum age of the last poll before another one is suggested, in milliseconds. */
const MAX_FRESH_MS = 5 * 60_000;

function jsonText(value: unknown): Visible {
  return shown`${visibleJson(value, (clean) => JSON.stringify(clean, null, 2))}\n`;
}

function nothingToAsk({ id, outcome, reason }: Entry): UsageError {
  const why = reason === null ? '' : ` (${reason})`;
  return new UsageError(
    `Entry ${id} created no order: ${outcome}${why}. There is nothing to ask support about.`,
    'List your swaps with `swapctl history`.',
  );
}
