import type { Context, Service } from '../context.ts';
import { StorageError, SwapctlError } from '../errors.ts';
import type { Entry, Owner } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { swapResult } from '../ledger/swap-result.ts';
import type { Swap } from '../swap/swap.ts';
import { visible } from '../swap/text.ts';

/** Under whose name swaps stand in the ledger; the built-in service's port changes, so it has none. */
export async function profileOwner(context: Context): Promise<Owner> {
  const profile = await context.profile();
  const host = profile.kind === 'built-in' ? 'built-in' : new URL(profile.baseUrl).host;
  return { profile: profile.name, environment: profile.environment, host };
}

/** Reads a swap from the service, holds it against what the ledger knows of it, and records what was seen. */
export async function lookUpSwap(context: Context, service: Service, order: string): Promise<SwapResult> {
  const swap = await service.client.transaction(order);
  const owner = await profileOwner(context);
  const entry = await withLedger(context, (ledger) => ledger.byOrder(owner, swap.order));
  if (entry !== null) await refuseOtherSwap(context, entry, swap);
  if (entry !== null) await withLedger(context, (ledger) => ledger.seen(owner, swap, context.now()));
  return swapResult(swap, {
    refundAddress: entry?.refundAddress ?? null,
    profile: service.profile,
    environment: service.environment,
  });
}

/** A read must not fail because the ledger does: what is known of the swap is shown, and the trouble is told. */
async function withLedger<T>(context: Context, work: (ledger: Ledger) => Promise<T>): Promise<T | null> {
  try {
    return await work(await context.ledger());
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    context.streams.note(`${error.message} What was seen is not recorded.`, true);
    return null;
  }
}

/**
 * Warns of a swap that is not the one in the ledger, or throws while the deposit has still to be sent: whoever
 * asks for a swap in that state is about to fund what is shown.
 */
export async function refuseOtherSwap(context: Context, entry: Entry, swap: Swap): Promise<void> {
  if (entry.outcome === 'unknown' && entry.reason !== null)
    context.streams.note(
      `warning: when ${visible(swap.order)} was created it was not what was asked for: ${visible(entry.reason)}. Do not fund it.`,
      true,
    );
  const { contradiction } = await import('./swap-contradiction.ts');
  const problem = await contradiction(entry, swap);
  if (problem === null) return;
  const message = `The service describes ${swap.order} otherwise than the ledger: ${problem}.`;
  const hint = 'Do not fund it. Ask the service; `swapctl history --json` shows what was recorded.';
  if (swap.final || swap.deposit.txId !== null)
    return context.streams.note(`warning: ${visible(message)} ${hint}`, true);
  const { client } = await context.service();
  throw new SwapctlError('bad_response', message, {
    httpStatus: client.statusOf(swap),
    hint,
    details: { order: swap.order, problem },
  });
}
