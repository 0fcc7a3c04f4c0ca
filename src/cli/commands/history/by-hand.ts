import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { echoed, hasHiddenCharacters } from '../../../base/text.ts';
import { localTime, rfc3339 } from '../../../base/time.ts';
import type { Entry } from '../../../core/ledger/entry.ts';
import type { Note } from '../../../core/ledger/notes.ts';
import { historyResult } from '../../../core/ledger/swap-result.ts';
import { checkAddress } from '../../../core/swap/addresses/check.ts';
import { isDepositSeen } from '../../../core/swap/attention.ts';
import { expectedFormIfInvalid } from '../../../core/swap/transaction-ids.ts';
import { namedEntry } from '../../../core/swaps/named-swap.ts';
import { resolveUnknown } from '../../../core/swaps/resolve.ts';
import { announce, type Context } from '../../context.ts';
import { flatRows } from '../../terminal/details.ts';
import { swapView } from '../../views/swap.ts';
import * as args from '../shared/arguments.ts';
import { OWNER_KEY, ownerSigner } from '../shared/owner-key.ts';
import { recordNow, recordOf } from '../shared/ticket.ts';
import { builtInTime, printTimeline } from './show.ts';

/** Time in which a service usually sees a deposit, where the ledger has no swaps of the pair to learn from. */
const USUAL_MS = 60 * 60_000;
const MAX_NOTE_LENGTH = 1000;

export function historySentCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Record that your customer says the deposit was sent. If the service does not see it in the usual time, or ends the order without it, the swap is marked as a mismatch (deposit_sent_not_seen). Sends no request.',
    )
    .argument('<order>', args.ORDER)
    .requiredOption('--tx <id>', 'transaction of the deposit')
    .option('--from <address>', 'address that it was sent from')
    .addHelpText(
      'after',
      '\nThe transaction appears in `history support` and `reconcile`, and `history <tx>` finds it.\n\nExamples:\n  $ swapctl history sent KQWZPA --tx b17c0de0b17c0de0b17c0de0b17c0de0b17c0de0b17c0de0b17c0de0b17c0de0',
    )
    .action((order: string, flags: args.Flags) => {
      const { text } = args.readFlags(flags);
      const txId = text('tx') ?? '';
      if (!/^[\x21-\x7e]{1,128}$/.test(txId)) throw new UsageError('Invalid transaction id.');
      return runSent(context(), args.swapArgument(order), txId, text('from'));
    });
}

async function runSent(context: Context, order: string, txId: string, from: string | null): Promise<void> {
  const { entry } = await recordOf(context, order);
  const { id, swap } = entry;
  if (swap === null) throw new UsageError(`Entry ${id} has no order, so there is no deposit to send.`);
  const form = expectedFormIfInvalid(swap.deposit.network ?? '', txId);
  if (form !== null)
    throw new UsageError(
      `Invalid --tx: ${echoed(txId)} is not a transaction id on ${swap.deposit.network}.`,
      `Expected ${form}. Copy it from the wallet or a block explorer.`,
    );
  const verdict = from === null ? null : await checkAddress(swap.deposit.network ?? '', from);
  if (verdict?.ok === false) throw new UsageError(`Invalid --from: ${verdict.reason}`);
  const at = context.now();
  announce(context, entry);
  const ledger = await context.ledger();
  const usual = (await ledger.statusTimes(entry, 'new', at))?.p90 ?? USUAL_MS;
  await ledger.addSent(id, { txId, from, at, dueAt: at + usual });
  if (isDepositSeen(swap)) context.streams.note('The service has already seen a deposit.');
  const record = await recordNow(context, entry);
  await printTimeline(context, record, `Recorded: the deposit of ${nameOf(entry)} was sent in ${txId}.`);
}

export function historyNoteCommand(command: Command, context: () => Context): void {
  command
    .description('Add a note to the timeline of a swap. Sends no request; notes stay in the ledger.')
    .argument('<order>', args.ORDER)
    .argument('<text>', 'the note')
    .option('--ticket <reference>', 'reference of the case in your own system')
    .option(
      '--until <time>',
      'snooze the swap in status --attention until this time, such as 2h or 2027-01-31',
    )
    .addHelpText(
      'after',
      '\nA note without --until lets `status --attention` list the swap again.\n\nExamples:\n  $ swapctl history note KQWZPA "asked the service" --ticket CASE-4711 --until 2h\n  $ swapctl history CASE-4711',
    )
    .action((order: string, note: string, flags: args.Flags) => {
      const { text } = args.readFlags(flags);
      const until = args.timeAheadArgument(text('until'), context().now(), args.dayZone(context()));
      const ticket = text('ticket');
      if (ticket !== null && !/^[\x21-\x7e]{1,100}$/.test(ticket))
        throw new UsageError('Use 1 to 100 printable ASCII characters without spaces for --ticket.');
      return runNote(context(), args.swapArgument(order), { text: noteArgument(note), ticket, until });
    });
}

function nameOf({ order, id }: Pick<Entry, 'order' | 'id'>): string {
  return order === null ? `entry ${id}` : `order ${order}`;
}

function noteArgument(text: string): string {
  const note = text.trim();
  if (note !== '' && note.length <= MAX_NOTE_LENGTH && !hasHiddenCharacters(note)) return note;
  throw new UsageError(
    `Invalid note ${echoed(text)}: use 1 to ${MAX_NOTE_LENGTH} printable characters on one line.`,
  );
}

async function runNote(context: Context, order: string, note: Note): Promise<void> {
  const { entry } = await recordOf(context, order);
  announce(context, entry);
  await (await context.ledger()).addNote(entry.id, note, context.now());
  const { ticket, until } = note;
  const details = [
    ...(ticket === null ? [] : [`case ${ticket}`]),
    ...(until === null ? [] : [`snoozed in status --attention until ${localTime(rfc3339(until))}`]),
  ];
  const record = await recordNow(context, entry);
  await printTimeline(context, record, `Noted for ${[nameOf(entry), ...details].join(', ')}.`);
}

export function historyResolveCommand(command: Command, context: () => Context): void {
  command
    .description('Settle an unknown outcome: link it to the order that was created, or dismiss it.')
    .argument('<id>', 'id of the entry, or any other fact of the swap')
    .option('--order <order>', 'order that was created; it is looked up and compared with the request')
    .option('--dismiss', 'stop listing it first, and allow its key to be reused')
    .option(...OWNER_KEY)
    .addHelpText(
      'after',
      '\nAn order that is not funded costs nothing and expires. A policy keeps counting a dismissed swap: see `swapctl help policy`.\n\nExamples:\n  $ swapctl history --status unknown\n  $ swapctl history resolve 6f1c… --order KQWZPA\n  $ swapctl history resolve 6f1c… --dismiss',
    )
    .action((id: string, flags: args.Flags) => {
      const { text, on } = args.readFlags(flags);
      const given = text('order');
      const order = given === null ? null : args.orderArgument(given);
      if ((order === null) !== on('dismiss'))
        throw new UsageError('Pass either --order or --dismiss.', 'See `swapctl history resolve --help`.');
      return runResolve(context(), args.swapArgument(id), order, text('ownerKey'));
    });
}

/** Settles an unknown outcome, with an order or null to dismiss it, and prints the updated entry. */
async function runResolve(context: Context, swap: string, order: string | null, owner: string | null) {
  const entry = await namedEntry(context, swap);
  announce(context, entry);
  const settled = await resolveUnknown(context, entry.id, order, ownerSigner(owner));
  if (order === null)
    context.streams.note(
      `Dismissed. It is no longer listed first${entry.idempotencyKey === null ? '' : ', and its key can be reused'}.`,
    );
  const result = historyResult(settled, context.now());
  await context.streams.print({
    ...swapView(result, (await builtInTime(context, [result])) ?? context.now()),
    json: () => result,
    rows: () => flatRows(result),
  });
}
