import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { shellQuote } from '../../files.ts';
import type { Entry } from '../../ledger/entry.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import { type EntryRecord, timelineEvents } from '../../ledger/timeline.ts';
import { echoed, someOf } from '../../text.ts';
import { timelineView } from '../../views/history.ts';
import { orderArgument } from '../shared/arguments.ts';
import { accountInUse, onlyProfile } from '../shared/order-places.ts';

/**
 * What the ledger keeps of an order number, in any case, or of an entry's id: of the profile that is named, else of the
 * only one that has it. Throws `not_found`, and a usage error where several profiles have the order.
 */
export async function recordOf(context: Context, orderOrId: string): Promise<EntryRecord> {
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
      ? `Profile ${someOf(profiles)} has it: name that one with -p, or none.`
      : `If it was made elsewhere, take it into the ledger: \`echo ${shellQuote(name)} | swapctl history import -\`.`;
  return new SwapctlError('not_found', `The ledger has no order or entry ${name}.`, {
    hint: `${hint} List what there is with \`swapctl history\`.`,
  });
}

function severalHave(orderOrId: string, entries: readonly Entry[]): UsageError {
  return new UsageError(
    `Several profiles have order ${echoed(orderOrId)}: ${someOf(entries.map(({ profile }) => profile))}.`,
    'Say which one is meant with -p.',
  );
}

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
