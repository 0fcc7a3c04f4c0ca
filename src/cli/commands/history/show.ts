import type { Command } from 'commander';
import { shellQuote, writeOutputFile } from '../../../base/files.ts';
import { joined, shown, type Visible, visible, visibleJson, visibleLines } from '../../../base/text.ts';
import { spanWords } from '../../../base/time.ts';
import { type HistoryResult, ledgerSwap } from '../../../core/ledger/swap-result.ts';
import { type EntryWithChanges, timelineEvents } from '../../../core/ledger/timeline.ts';
import { environmentWord } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import type { Style } from '../../terminal/style.ts';
import { sentence } from '../../terminal/width.ts';
import { isOfBuiltIn, timelineView } from '../../views/history.ts';
import { statusWord } from '../../views/status.ts';
import { type SupportTicket, sentenceText, type WrittenTicket } from '../../views/ticket.ts';
import { ORDER, swapArgument } from '../shared/arguments.ts';
import { recordOf, supportTicket } from '../shared/ticket.ts';

export function historyShowCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Show every recorded change of a swap, oldest first, with the values before and after. Sends no request.',
    )
    .argument('<order>', ORDER)
    .addHelpText(
      'after',
      '\nTimes are local on a terminal, and UTC in pipes and with --json.\n\nExamples:\n  $ swapctl history show KQWZPA\n  $ swapctl history show KQWZPA | grep confirmations\n  $ swapctl history show KQWZPA --json',
    )
    .action(async (order: string) =>
      printTimeline(context(), await recordOf(context(), swapArgument(order))),
    );
}

/** Prints everything that was seen about a swap; a person gets only the confirmation, if there is one. */
export async function printTimeline(
  context: Context,
  record: EntryWithChanges,
  confirmation: string | null = null,
): Promise<void> {
  const swap = ledgerSwap(record.entry, context.now());
  const timeline = { order: record.entry.order, events: timelineEvents(record), swap };
  const view = timelineView(timeline, context.now());
  const confirm = (_: Style, width: number) => sentence(confirmation ?? '', (line) => line, width);
  await context.streams.print(confirmation === null ? view : { ...view, screen: confirm });
}

/** The time of the built-in service's clock, for the ages of its swaps on a screen; null where none of them has one. */
export async function builtInTime(context: Context, entries: readonly Pick<HistoryResult, 'profile'>[]) {
  if (context.streams.format !== 'screen' || !entries.some(isOfBuiltIn)) return null;
  return (await (await context.operator()).clock.read()).now;
}

export function historySupportCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Write a support ticket for a swap in Markdown, with the questions that fit its state. It contains no key, signature, label or profile name. Sends no request: run `swapctl status` first.',
    )
    .argument('<order>', ORDER)
    .option('-o, --output <file>', 'write to this new file, readable only by you')
    .addHelpText(
      'after',
      '\nBlanks (____) are for you to fill in. All times are UTC.\n\nExamples:\n  $ swapctl history support KQWZPA\n  $ swapctl history support KQWZPA -o ticket.md\n  $ swapctl history support KQWZPA --json',
    )
    .action((order: string, { output = null }: { readonly output?: string | null }) =>
      runSupport(context(), swapArgument(order), output),
    );
}

async function runSupport(context: Context, order: string, output: string | null): Promise<void> {
  const { streams } = context;
  const { entry, written, now } = await supportTicket(context, order);
  const isJson = streams.format === 'json';
  if (output !== null) {
    const json = visibleJson(written.ticket, (clean) => JSON.stringify(clean, null, 2));
    writeOutputFile(output, isJson ? shown`${json}\n` : ticketMarkdown(written));
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

/** A ticket as Markdown: each value is in a code span, so that nothing from the service can become markup. */
function ticketMarkdown({ ticket, questions }: WrittenTicket): Visible {
  const { deposit, receive } = ticket;
  // For a create without a response the service has reported nothing.
  const asShown = (amount: string | null) => (ticket.statusCode === null ? null : amount);
  const parts = [
    `# ${titleOf(ticket)}`,
    ['Our questions:', ...questions.map((each, index) => `${index + 1}. ${sentenceText(each, code)}`)],
    'Times that end in `Z` are UTC. Values are exactly as your API returned them.',
    '## Swap',
    facts([
      ['Order', ticket.order],
      ['Service', ticket.service],
      ['Support', ticket.support],
      ['Environment', environmentWord(ticket.environment)],
      ['Status', `${statusWord(ticket)}${ticket.statusCode === null ? '' : `, code ${ticket.statusCode}`}`],
      ['Rate', ticket.type],
      ['Requested', ticket.requestedAt],
      ['Created', ticket.createdAt],
      ['Deposit window ends', ticket.expiresAt],
      ['Ended', ticket.endedAt],
      ['Last checked', ticket.lastSeenAt],
      ['Risk score', ticket.riskScore],
      ['Outcome of the request', ticket.reason],
    ]),
    '## Deposit',
    facts([
      ...sideFacts(deposit),
      ['Amount requested', deposit.asked],
      ['Amount in your API', asShown(deposit.amount)],
      ...transactionFacts(deposit),
      ['Transaction, as reported to us', deposit.sent?.txId ?? null],
      ['Sent from', deposit.sent?.from ?? null],
    ]),
    '## Payout',
    facts([
      ...sideFacts(receive),
      ['Amount promised', receive.promised],
      ['Amount in your API', asShown(receive.amount)],
      ['Amount paid', receive.paidAmount],
      ['Paid to', receive.paidTo],
      ...transactionFacts(receive),
    ]),
    '## Refund',
    facts([
      ['Refund address', ticket.refundAddress ?? 'none recorded'],
      ['Set', ticket.refundAddress === null ? null : (ticket.refundAddressSetAt ?? 'time not recorded')],
    ]),
    '## Statuses seen',
    statusLines(ticket),
    ...(ticket.doubts.length === 0
      ? []
      : [
          '## Does not match what was agreed',
          ticket.doubts.map((each) => `- ${code(each.code)}: ${code(each.words)}`),
        ]),
  ];
  const blocks = parts.map((part) => (typeof part === 'string' ? part : part.join('\n')));
  return shown`${joined(blocks.map(visibleLines), shown`\n\n`)}\n`;
}

function titleOf(ticket: SupportTicket): string {
  if (ticket.order === null) return `Create request of ${code(ticket.requestedAt)}: its outcome is unknown`;
  return `Order ${code(ticket.order)}: ${code(statusWord(ticket))}`;
}

type Fact = readonly [name: string, value: string | number | null];

type TicketSide = SupportTicket['deposit'] | SupportTicket['receive'];

function sideFacts({ coin, network, address, memo }: TicketSide): readonly Fact[] {
  return [
    ['Coin', coin],
    ['Network', network],
    ['Address', address],
    ['Memo', memo ?? 'none'],
  ];
}

function transactionFacts(side: TicketSide): readonly Fact[] {
  return [
    ['Transaction', side.txId ?? 'none reported'],
    ['Confirmations', side.confirmations],
    ['Seen', side.receivedAt],
    ['First confirmed', side.confirmedAt],
    ['Fee', side.fee],
  ];
}

function facts(list: readonly Fact[]): readonly string[] {
  return list.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${code(String(value))}`]));
}

function statusLines({ statuses }: SupportTicket): readonly string[] {
  if (statuses.length === 0) return ['None: it was never seen.'];
  return statuses.map((span) => {
    const until = span.lastSeenAt === null ? 'not recorded' : code(span.lastSeenAt);
    const word = code(`${span.status}, code ${span.statusCode}`);
    return `- ${word}: first seen ${code(span.firstSeenAt)}, last seen ${until}`;
  });
}

/** A code span: its fence is longer than any run of backticks within, and it has no line breaks. */
function code(value: string): string {
  const text = visible(value);
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 || /^ .* $/.test(text) || text === '' ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
