import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import type { Entry } from '../../ledger/entry.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import { isOtherCode, sameAddress } from '../../swap/agreement/spelling.ts';
import type { Swap } from '../../swap/swap.ts';
import { judgedSwap, warnOfFindings } from '../../swaps/lookup.ts';
import { flatRows } from '../../terminal/details.ts';
import { echoed } from '../../text.ts';
import { rfc3339, wireTime } from '../../time.ts';
import { swapView } from '../../views/swap.ts';
import { orderArgument } from '../shared/arguments.ts';

export function historyResolveCommand(command: Command, context: () => Context): void {
  command
    .description('Settle an unknown outcome: link it to the order that was created, or dismiss it.')
    .argument('<id>', 'id of the entry, from `swapctl history`')
    .option('--order <order>', 'order that was created; it is looked up and compared with the request')
    .option('--dismiss', 'stop listing it first, and allow its key to be reused')
    .addHelpText(
      'after',
      '\nAn order that is not funded costs nothing and expires.\n\nExamples:\n  $ swapctl history --status unknown\n  $ swapctl history resolve 6f1c… --order KQWZPA\n  $ swapctl history resolve 6f1c… --dismiss',
    )
    .action((id: string, flags: Record<string, unknown>) => {
      const order = typeof flags['order'] === 'string' ? orderArgument(flags['order']) : null;
      if ((order === null) !== (flags['dismiss'] === true))
        throw new UsageError('Pass either --order or --dismiss.', 'See `swapctl history resolve --help`.');
      return runResolve(context(), id, order);
    });
}

/** Settles an unknown outcome, with an order or null to dismiss it, and prints the updated entry. */
async function runResolve(context: Context, id: string, order: string | null): Promise<void> {
  const ledger = await context.ledger();
  const entry = await ledger.byId(id);
  if (entry === null)
    throw new SwapctlError('not_found', `The ledger has no entry ${echoed(id)}.`, {
      hint: 'See the ids with `swapctl history --status unknown`.',
    });
  if (entry.outcome !== 'unknown') throw settledAlready(entry);
  if (order === null) {
    if (!(await ledger.dismiss(id, context.now()))) throw settledAlready(entry);
    context.streams.note('Dismissed. It is no longer listed first, and its key can be reused.');
  } else await settleWith(context, entry, order);
  const settled = (await ledger.byId(id)) ?? entry;
  const result = historyResult(settled, context.now());
  await context.streams.print({
    ...swapView(result, context.now()),
    json: () => result,
    rows: () => flatRows(result),
  });
}

function settledAlready({ id, outcome, order }: Entry): UsageError {
  const which = order === null ? '' : ` (order ${order})`;
  return new UsageError(
    `Entry ${id} is settled: ${outcome}${which}.`,
    'Only an unknown outcome can be settled.',
  );
}

/** Time by which the clocks of the service and of this machine may differ, in milliseconds. */
const CLOCKS_MS = 10 * 60_000;

async function settleWith(context: Context, entry: Entry, order: string): Promise<void> {
  const owner = await context.owner();
  if (entry.account !== owner.account)
    throw new UsageError(
      `Entry ${entry.id} was sent with the key pair of profile ${entry.profile} at ${entry.host}, not with that of profile ${owner.profile}.`,
      `Run it again with -p ${entry.profile}.`,
    );
  const service = await context.service();
  const { value: seen } = await service.client.transaction(order);
  if (order !== entry.order && (await isAnother(entry, seen)))
    throw new UsageError(
      `Order ${order} is not the requested swap: its coins or payout address are different.`,
      'Check the order number; nothing was changed.',
    );
  const createdAt = wireTime(seen.createdAt);
  if (createdAt !== null && createdAt < entry.requestedAt - CLOCKS_MS)
    await context.streams.warn(
      `Order ${order} was created at ${rfc3339(createdAt)}, before this create was sent (${rfc3339(entry.requestedAt)}). Check that it is the right order.`,
    );
  const judged = await judgedSwap(context, service, entry, seen);
  const ledger = await context.ledger();
  const observation = { swap: judged.swap, doubts: judged.doubts, at: context.now() };
  if (!(await ledger.created(entry.id, observation, entry.request?.refundAddress ?? null)))
    throw new UsageError(
      `Order ${order} already belongs to another ledger entry, or this entry to another order.`,
      'See it with `swapctl history`; nothing was changed.',
    );
  await warnOfFindings(context, null, judged);
}

/** Whether a swap has other coins or another payout address than the request: a mistyped number finds another swap. */
async function isAnother({ request }: Entry, { deposit, receive }: Swap): Promise<boolean> {
  if (request === null) return false;
  if (isOtherCode(deposit.coin, request.deposit.coin)) return true;
  if (isOtherCode(receive.coin, request.receive.coin)) return true;
  return (
    receive.address !== null &&
    !(await sameAddress(request.receive.network, receive.address, request.address))
  );
}
