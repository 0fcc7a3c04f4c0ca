import type { Command } from 'commander';
import { shellQuote, writeOutputFile } from '../../../base/files.ts';
import { joined, shown, visible, visibleJson } from '../../../base/text.ts';
import { spanWords } from '../../../base/time.ts';
import { ledgerSwap } from '../../../core/ledger/swap-result.ts';
import { type EntryRecord, timelineEvents } from '../../../core/ledger/timeline.ts';
import type { Context } from '../../context.ts';
import type { Style } from '../../terminal/style.ts';
import { wrapWords } from '../../terminal/width.ts';
import { timelineView } from '../../views/history.ts';
import { ORDER, swapArgument } from '../shared/arguments.ts';
import { recordOf, supportTicket } from '../shared/ticket.ts';
import { ticketMarkdown } from './support-view.ts';

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
    .action(async (order: string) => {
      const started = context();
      await printTimeline(started, await recordOf(started, swapArgument(order)));
    });
}

/** Prints everything that was seen about a swap; a person gets only the confirmation, if there is one. */
export async function printTimeline(
  context: Context,
  record: EntryRecord,
  confirmation: string | null = null,
): Promise<void> {
  const swap = ledgerSwap(record.entry, context.now());
  const timeline = { order: record.entry.order, events: timelineEvents(record), swap };
  const view = timelineView(timeline, context.now());
  const confirm = (_: Style, width: number) =>
    joined(wrapWords(visible(confirmation ?? ''), width - 1).map((line) => shown` ${line}\n`));
  await context.streams.print(confirmation === null ? view : { ...view, screen: confirm });
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
    .action((order: string, flags: Record<string, unknown>) => {
      const output = typeof flags['output'] === 'string' ? flags['output'] : null;
      return runSupport(context(), swapArgument(order), output);
    });
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
