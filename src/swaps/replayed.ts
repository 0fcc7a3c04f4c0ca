import { attempt, fullSentence, SwapctlError } from '../errors.ts';
import { shellQuote } from '../files.ts';
import type { Entry } from '../ledger/entry.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { rfc3339 } from '../time.ts';
import type { CreatedSwap } from './create.ts';
import { lookUpSwap, shownSwap } from './lookup.ts';
import type { Ports } from './ports.ts';

/**
 * The swap of a used key as it is now, since it may have ended after it was created. If the service cannot be reached,
 * it is shown as last seen, and as not fundable.
 */
export async function swapOfKey(ports: Ports, entry: Entry): Promise<CreatedSwap> {
  const swap = await asItIsNow(ports, entry);
  const { order, status, final } = swap;
  if (final)
    await ports.notify({ level: 'warning', text: `${order} has ended as ${status}; do not fund it.` });
  return { swap, notices: [], warnings: [], replayed: true, ledgerError: null };
}

async function asItIsNow(ports: Ports, entry: Entry): Promise<SwapResult> {
  const service = await ports.service();
  const seen = await attempt(() => lookUpSwap(ports, service, entry.order ?? ''));
  if (!(seen instanceof SwapctlError)) return seen.swap;
  if (entry.swap === null) throw seen;
  await ports.notify({
    level: 'warning',
    text: `the swap could not be polled: ${fullSentence(seen.message)} It is shown as last seen at ${rfc3339(entry.seenAt ?? entry.requestedAt)}; check it with \`swapctl status ${shellQuote(entry.order ?? '')}\` before you fund it.`,
  });
  const judged = { swap: entry.swap, findings: [], doubts: [] };
  return shownSwap(ports, service, entry, judged, false);
}
