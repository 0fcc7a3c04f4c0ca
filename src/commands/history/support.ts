import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { shellQuote, writeOutputFile } from '../../files.ts';
import { agreementOf, type Entry } from '../../ledger/entry.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import { refundAddressSetAt, statusSpans } from '../../ledger/timeline.ts';
import { findingsOf } from '../../swap/agreement/agreement.ts';
import { shown, type Visible, visibleJson } from '../../text.ts';
import { spanWords } from '../../time.ts';
import { ticketMarkdown } from '../../views/support/markdown.ts';
import { writeTicket } from '../../views/support/ticket.ts';
import { orderArgument } from '../shared/arguments.ts';
import { recordOf } from './show.ts';

/** Parsed arguments of `swapctl history support`. */
interface SupportOptions {
  readonly order: string;
  /** File to write; null for standard output. */
  readonly output: string | null;
}

/** Declares `swapctl history support`. */
export function historySupportCommand(command: Command, context: () => Context, run = runSupport): void {
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
      return run(context(), { order: orderArgument(order), output });
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
    `Entry ${id} made no order: ${outcome}${why}. There is nothing to ask the support desk.`,
    'List your swaps with `swapctl history`.',
  );
}
