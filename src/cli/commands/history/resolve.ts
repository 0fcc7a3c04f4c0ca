import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { historyResult } from '../../../core/ledger/swap-result.ts';
import { resolveUnknown } from '../../../core/swaps/resolve.ts';
import { announce, type Context } from '../../context.ts';
import { flatRows } from '../../terminal/details.ts';
import { swapView } from '../../views/swap.ts';
import { type Flags, orderArgument, readFlags, swapArgument } from '../shared/arguments.ts';
import { builtInTime } from '../shared/built-in-time.ts';
import { namedEntry } from '../shared/named-swap.ts';
import { OWNER_KEY, ownerSigner } from '../shared/owner-key.ts';

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
    .action((id: string, flags: Flags) => {
      const given = readFlags(flags).text('order');
      const order = given === null ? null : orderArgument(given);
      if ((order === null) !== (flags['dismiss'] === true))
        throw new UsageError('Pass either --order or --dismiss.', 'See `swapctl history resolve --help`.');
      return runResolve(context(), swapArgument(id), order, readFlags(flags).text('ownerKey'));
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
