import { attempt, SwapctlError, UsageError } from '../../../base/errors.ts';
import { agreementOf, type Entry } from '../../../core/ledger/entry.ts';
import { headText } from '../../../core/ledger/policy/chain.ts';
import { historyResult } from '../../../core/ledger/swap-result.ts';
import { type EntryWithChanges, refundAddressSetAt, statusSpans } from '../../../core/ledger/timeline.ts';
import { doubtsOf } from '../../../core/swap/agreement/agreement.ts';
import { namedEntry } from '../../../core/swaps/named-swap.ts';
import type { Context } from '../../context.ts';
import { writeTicket } from '../../views/ticket.ts';
import { storedSetting } from './stored-setting.ts';

/** The ledger's entry that a text identifies, with its changes: see `namedEntry`. */
export async function recordOf(context: Context, text: string): Promise<EntryWithChanges> {
  return recordNow(context, await namedEntry(context, text));
}

/** An entry as it is in the ledger now, with its changes. */
export async function recordNow(context: Context, known: Entry): Promise<EntryWithChanges> {
  const ledger = await context.ledger();
  return { entry: (await ledger.byId(known.id)) ?? known, changes: await ledger.changes(known.id) };
}

/** A ticket about a swap, with the time at which it was written; throws a usage error if there is nothing to ask. */
export async function supportTicket(context: Context, order: string) {
  const record = await recordOf(context, order);
  const { entry } = record;
  const { id, outcome, reason } = entry;
  if (entry.order === null && outcome !== 'unknown')
    throw new UsageError(
      `Entry ${id} created no order: ${outcome}${reason === null ? '' : ` (${reason})`}. There is nothing to ask support about.`,
      'List your swaps with `swapctl history`.',
    );
  const now = context.now();
  const seen = entry.doubted ?? entry.swap;
  const written = writeTicket({
    entry: historyResult(entry, now),
    host: entry.host,
    statuses: statusSpans(record),
    refundAddressSetAt: refundAddressSetAt(record),
    found: seen === null ? [] : await doubtsOf(agreementOf(entry, now), seen),
    paidTo: entry.swap?.receive.paidTo ?? null,
    sent: entry.sent,
    support: await supportOf(context, entry),
    auditHead: headText(await (await context.ledger()).audit.head()),
    now,
  });
  return { entry, written, now };
}

/** The support contact, from the entry's profile or the settings; null if neither has one. */
async function supportOf(context: Context, { profile }: Entry): Promise<string | null> {
  const stored = await attempt(() => context.settings.named(profile));
  const own = stored instanceof SwapctlError || stored.kind === 'built-in' ? undefined : stored.support;
  return own ?? storedSetting(context, 'support');
}
