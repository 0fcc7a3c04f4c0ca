import type { Context, Service } from '../context.ts';
import { StorageError } from '../errors.ts';
import type { Entry, Owner } from '../ledger/entry.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { swapResult } from '../ledger/swap-result.ts';
import type { Swap } from '../swap/swap.ts';

/** Under whose name swaps of this service stand in the ledger; the built-in service's port changes, so it has none. */
export async function ownerOf(context: Context, service: Service): Promise<Owner> {
  const builtIn = (await context.profile()).kind === 'built-in';
  const host = builtIn ? 'built-in' : new URL(service.baseUrl).host;
  return { profile: service.profile, environment: service.environment, host };
}

/** Reads a swap from the service and records what was seen. */
export async function lookUpSwap(context: Context, service: Service, order: string): Promise<SwapResult> {
  const swap = await service.client.transaction(order);
  const entry = await recordSeen(context, await ownerOf(context, service), swap);
  return swapResult(swap, {
    refundAddress: entry?.refundAddress ?? null,
    profile: service.profile,
    environment: service.environment,
  });
}

/** A read must not fail because the ledger does: what is known of the swap is shown, and the trouble is told. */
async function recordSeen(context: Context, owner: Owner, swap: Swap): Promise<Entry | null> {
  try {
    return await (await context.ledger()).seen(owner, swap, context.now());
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    context.streams.note(`${error.message} What was seen is not recorded.`, true);
    return null;
  }
}
