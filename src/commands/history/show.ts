import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { Entry } from '../../ledger/entry.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import { timelineEvents } from '../../ledger/timeline.ts';
import { timelineView } from '../../views/history.ts';
import { orderArgument } from '../shared/arguments.ts';
import { recordOf } from './find.ts';

/** Declares `swapctl history show`. */
export function historyShowCommand(command: Command, context: () => Context, run = runShow): void {
  command
    .description(
      'Show every recorded change of a swap, oldest first, with the values before and after. Sends no request.',
    )
    .argument('<order>', 'order number, or id of an entry')
    .addHelpText(
      'after',
      '\nTimes are local on a terminal, and UTC in pipes and with --json.\n\nExamples:\n  $ swapctl history show KQWZPA\n  $ swapctl history show KQWZPA | grep confirmations\n  $ swapctl history show KQWZPA --json',
    )
    .action((order: string) => run(context(), orderArgument(order)));
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
