import type { Context } from '../../context.ts';
import { attempt, SwapctlError, UsageError } from '../../errors.ts';
import { shellQuote } from '../../files.ts';
import { agreementOf, type Entry } from '../../ledger/entry.ts';
import { headText } from '../../ledger/policy/chain.ts';
import { historyResult } from '../../ledger/swap-result.ts';
import { type EntryRecord, refundAddressSetAt, statusSpans } from '../../ledger/timeline.ts';
import { findingsOf } from '../../swap/agreement/agreement.ts';
import { echoed, someOf } from '../../text.ts';
import { type WrittenTicket, writeTicket } from '../../views/support/ticket.ts';
import { accountInUse, onlyProfile } from './order-places.ts';
import { storedSetting } from './stored-setting.ts';

/**
 * The ledger's entry for an order number, in any case, or for an entry's id: of the named profile, otherwise of the
 * only one that has it. Throws `not_found`, and a usage error if several profiles have the order.
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
  // A profile that does not exist is a typo.
  if (onlyProfile(context) !== null) await context.profile();
  const name = echoed(orderOrId);
  const profiles = elsewhere.map(({ profile }) => profile);
  const hint =
    profiles.length > 0
      ? `It belongs to profile ${someOf(profiles)}: pass that with -p, or leave -p out.`
      : `If it was created elsewhere, add it to the ledger: \`echo ${shellQuote(name)} | swapctl history import -\`.`;
  return new SwapctlError('not_found', `The ledger has no order or entry ${name}.`, {
    hint: `${hint} List the swaps with \`swapctl history\`.`,
  });
}

function severalHave(orderOrId: string, entries: readonly Entry[]): UsageError {
  return new UsageError(
    `Several profiles have order ${echoed(orderOrId)}: ${someOf(entries.map(({ profile }) => profile))}.`,
    'Select one with -p.',
  );
}

/**
 * A ticket about an order or an entry, with the time at which it was written; throws a usage error if there is nothing
 * to ask.
 */
export async function supportTicket(
  context: Context,
  order: string,
): Promise<{ readonly entry: Entry; readonly written: WrittenTicket; readonly now: number }> {
  const record = await recordOf(context, order);
  const { entry } = record;
  if (entry.order === null && entry.outcome !== 'unknown') throw nothingToAsk(entry);
  const now = context.now();
  const seen = entry.doubted ?? entry.swap;
  const written = writeTicket({
    entry: historyResult(entry, now),
    host: entry.host,
    statuses: statusSpans(record),
    refundAddressSetAt: refundAddressSetAt(record),
    findings: seen === null ? [] : await findingsOf(agreementOf(entry, now), seen),
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

function nothingToAsk({ id, outcome, reason }: Entry): UsageError {
  const why = reason === null ? '' : ` (${reason})`;
  return new UsageError(
    `Entry ${id} created no order: ${outcome}${why}. There is nothing to ask support about.`,
    'List your swaps with `swapctl history`.',
  );
}
