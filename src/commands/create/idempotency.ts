import type { Context } from '../../context.ts';
import { fullSentence, SwapctlError } from '../../errors.ts';
import { shellQuote } from '../../files.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { SwapResult } from '../../ledger/swap-result.ts';
import type { CreatedSwap } from '../../swaps/create.ts';
import { entryOfKey, refuseAnotherSwap, stillUnknown } from '../../swaps/idempotency.ts';
import { lookUpSwap, shownSwap } from '../../swaps/lookup.ts';
import { rfc3339 } from '../../time.ts';
import { usualRateType } from '../shared/stored-setting.ts';
import type { CreateFlags } from './options.ts';

/**
 * The swap that was created with this idempotency key; null where none was. Throws `outcome_unknown` where one may have
 * been, and a usage error where the key stands for another swap. Dry runs too, since their request would not be sent.
 */
export async function earlierSwap(context: Context, flags: CreateFlags): Promise<CreatedSwap | null> {
  const { idempotencyKey: key } = flags;
  if (key === null) return null;
  const entry = await entryOfKey(context, key);
  if (entry === null) return null;
  const asWritten = !context.streams.interactive;
  const type = flags.type ?? (asWritten ? usualRateType(context) : null);
  await refuseAnotherSwap(context, entry, { ...flags, type }, asWritten);
  if (entry.outcome === 'unknown') throw stillUnknown(entry);
  return broughtBack(context, entry);
}

/**
 * The swap of a used key as it is now, since it may have ended after it was created. Where the service cannot be asked
 * it is shown as last seen, and as not fundable.
 */
export async function broughtBack(context: Context, entry: Entry): Promise<CreatedSwap> {
  const { streams } = context;
  streams.note('This idempotency key was used before; showing the swap that it created.');
  const swap = await asItIsNow(context, entry);
  const { order, status, final } = swap;
  if (final) await streams.warn(`${order} has ended as ${status}; do not fund it.`);
  return { swap, notices: [], replayed: true, ledgerError: null };
}

async function asItIsNow(context: Context, entry: Entry): Promise<SwapResult> {
  const service = await context.service();
  try {
    return await lookUpSwap(context, service, entry.order ?? '');
  } catch (error) {
    if (!(error instanceof SwapctlError) || error.code === 'interrupted' || entry.swap === null) throw error;
    await context.streams.warn(
      `the swap could not be polled: ${fullSentence(error.message)} It is shown as last seen at ${rfc3339(entry.seenAt ?? entry.requestedAt)}; check it with \`swapctl status ${shellQuote(entry.order ?? '')}\` before you fund it.`,
    );
    const judged = { swap: entry.swap, findings: [], doubts: [] };
    return { ...shownSwap(context, service, entry, judged), fundable: false, paymentUri: null };
  }
}
