import type { Context } from '../../context.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { shellQuote } from '../../files.ts';
import type { CreateIntent, Entry } from '../../ledger/entry.ts';
import type { CreateFlags } from './options.ts';

/**
 * The flags with what they leave open filled in from the order of `--like`: coins, networks, amount with its side, rate
 * type, payout address with its memo, and refund address. Everything is checked and reviewed as if it were typed. Labels,
 * the idempotency key, `--min-receive` and `--tolerance` are of one swap and are not taken over.
 */
export async function withOrder(context: Context, flags: CreateFlags): Promise<CreateFlags> {
  if (flags.like === null) return flags;
  const { entry, request } = await orderLike(context, flags.like);
  if (entry.doubts.length > 0)
    await context.streams.warn(
      `order ${entry.order} does not match what was agreed: ${entry.doubts.join(', ')}.`,
    );
  if (flags.lastSource !== null && flags.lastSource !== request.lastSource && flags.amount === null)
    throw new UsageError(
      `The amount of order ${entry.order} is the amount sent; pass the amount that you want to receive.`,
      `swapctl create --like ${shellQuote(entry.order ?? '')} <amount> --receive`,
    );
  return {
    ...flags,
    from: request.deposit,
    to: request.receive,
    amount: flags.amount ?? request.asked,
    lastSource: flags.lastSource ?? request.lastSource,
    type: flags.type ?? request.type,
    address: flags.address ?? request.address,
    // A memo belongs to its address.
    memo: flags.memo ?? (flags.address === null && !flags.memoWaived ? request.memo : null),
    refundAddress: flags.refundAddress ?? entry.refundAddress,
  };
}

async function orderLike(
  context: Context,
  order: string,
): Promise<{ readonly entry: Entry; readonly request: CreateIntent }> {
  const ledger = await context.ledger();
  const entry = await ledger.byOrder(await context.owner(), order);
  if (entry === null) throw notOurs(order, await ledger.withOrder(order));
  if (entry.outcome !== 'created')
    throw new UsageError(
      `Order ${order} cannot be repeated: swapctl cannot confirm that it is the requested swap.`,
      'See it with `swapctl history`.',
    );
  if (entry.request === null)
    throw new UsageError(
      `The ledger has no terms of order ${order}, which was not created by swapctl.`,
      'Pass them as arguments and flags.',
    );
  return { entry, request: entry.request };
}

function notOurs(order: string, elsewhere: readonly Entry[]): SwapctlError {
  const [other] = elsewhere;
  return new SwapctlError('not_found', `Order ${order} is not in the ledger for this profile.`, {
    hint:
      other === undefined
        ? 'List them with `swapctl history`.'
        : `It was created with profile ${other.profile}: add -p ${other.profile}.`,
  });
}
