import { attempt, fullSentence, restated, StorageError, SwapctlError } from '../../base/errors.ts';
import { shellQuote } from '../../base/files.ts';
import { rfc3339 } from '../../base/time.ts';
import type { CreateIntent, Entry } from '../ledger/entry.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { type CheckedSwap, intentOf } from './check.ts';
import type { CreatedSwap, CreatePorts, CreateRecords, CreateTerms, Sent } from './create.ts';
import { failedCreate, unlessStorageFails } from './created.ts';
import {
  anotherSwap,
  contentText,
  entryOfKey,
  labelsNotice,
  RATE_TYPE,
  REFUND_ADDRESS,
  requireSameRequest,
  stillUnknown,
} from './idempotency.ts';
import { identicalSwap } from './identical.ts';
import { lookUpSwap, shownSwap } from './lookup.ts';
import type { Meanwhile, Ports } from './ports.ts';
import { decisionOn, submitCreate } from './submit.ts';

/** The ports of a create that is recorded in the ledger, and passes its policy. */
export function onLedger(ports: Ports): CreatePorts {
  const records: CreateRecords = {
    earlier: async (key, swap, asWritten) => {
      // A ledger that cannot be used stops the create anyway, so it is opened before anything is asked.
      await ports.ledger();
      const entry = key === null ? null : await entryOfKey(ports, key);
      if (entry === null) return null;
      await requireSameRequest(ports, entry, swap, asWritten);
      if (entry.outcome === 'unknown') throw stillUnknown(entry);
      return entry;
    },
    decision: (draft, { labels, key, approval }) => {
      const about = { intent: intentOf(draft), labels, quote: draft.quote, hasKey: key !== null };
      return decisionOn(ports, about, approval);
    },
    identical: (draft, labels) => identicalSwap(ports, draft, labels),
    replayed: async (entry, labels) => {
      const text = labelsNotice(entry, labels);
      if (text !== null) await ports.notify({ level: 'warning', text });
      return swapOfKey(ports, entry);
    },
    send: (draft, terms, meanwhile) => sent(ports, draft, terms, meanwhile),
    orderOfOtherProcess: async (draft, { key }) =>
      entryOfOtherProcess(key === null ? null : await settledElsewhere(ports, key), intentOf(draft)),
  };
  return { ...ports, records };
}

async function sent(
  ports: Ports,
  draft: CheckedSwap,
  terms: CreateTerms,
  meanwhile: Meanwhile,
): Promise<Sent | null> {
  const { service, request, quote } = draft;
  const { key, labels, approval } = terms;
  const [ledger, intent] = [await ports.ledger(), intentOf(draft)];
  const settle = ({ id }: Entry, settled: ReturnType<typeof failedCreate>) =>
    unlessStorageFails(ports, () => ledger.settle(id, { ...settled, at: ports.now() }));
  const submitted = await submitCreate(
    ports,
    { service, content: { ...intent, labels }, key, request, claim: { approval, quote } },
    async (create, entry) => {
      try {
        return await meanwhile(create);
      } catch (error) {
        await settle(entry, failedCreate(error));
        // A create of unknown outcome is settled by its entry.
        if (!(error instanceof SwapctlError) || error.outcome !== 'unknown') throw error;
        throw restated(error, error.message, { details: { ...error.details, id: entry.id } });
      }
    },
  );
  if (submitted === null) return null;
  const { entry, answer } = submitted;
  return {
    id: entry.id,
    known: { ...entry, request: intent, labels },
    answer,
    unknown: (reason, order) => settle(entry, { outcome: 'unknown', reason, order }),
    created: (swap, doubts) =>
      ledger.created(entry.id, { swap, doubts, at: ports.now() }, request.refundAddress),
  };
}

/** The entry of another process that used the same key first, or the error for an outcome without an order. */
function entryOfOtherProcess(now: Entry | null, intent: CreateIntent): Entry {
  if (now === null)
    throw new StorageError('The ledger refused to record this swap, but no other entry conflicts with it.');
  const different = differentParts(now.request, intent);
  if (different.length > 0) throw anotherSwap(now, different);
  if (now.outcome === 'created') return now;
  if (now.outcome === 'unknown') throw stillUnknown(now);
  const reason = now.reason === null ? '' : ` (${now.reason})`;
  const end =
    // An order may still exist: a person has settled the entry without one.
    now.outcome === 'dismissed'
      ? 'its outcome is unknown and was dismissed'
      : `it created no order: ${now.outcome}${reason}`;
  throw new SwapctlError('rejected', `Another process sent this request: ${end}.`, {
    outcome: 'nothing-sent',
    hint: 'Run the same command again to retry.',
    retryable: true,
  });
}

/** Pause between two checks of a create that another process is sending, in milliseconds. */
const OUTCOME_POLL_INTERVAL_MS = 250;
/** A request is given up after 30 s: an entry that is unsettled by then was left by a process that died. */
const MAX_CHECKS = 140;

/** The entry of a key once the process that sends it knows the outcome, which never takes long. */
async function settledElsewhere(ports: Ports, key: string): Promise<Entry | null> {
  const [ledger, owner] = [await ports.ledger(), await ports.owner()];
  for (let checks = 1; ; checks += 1) {
    const entry = await ledger.byKey(owner, key);
    // The process that received the response writes a reason next to an outcome that stays unknown.
    const isUnderWay = entry?.outcome === 'unknown' && entry.reason === null;
    if (!isUnderWay || checks >= MAX_CHECKS || ports.monotonic() >= ports.deadline()) return entry;
    await ports.sleep(OUTCOME_POLL_INTERVAL_MS);
  }
}

function differentParts(a: CreateIntent | null, b: CreateIntent): readonly string[] {
  // With --receive the deposit's amount comes from a quote, and two processes may have got two.
  const content = (intent: CreateIntent) => contentText({ ...intent, amount: intent.asked });
  if (a === null || content(a) !== content(b)) return ['coins, amount, address or memo'];
  const type = a.type === b.type ? [] : [RATE_TYPE];
  return [...type, ...(a.refundAddress === b.refundAddress ? [] : [REFUND_ADDRESS])];
}

/** The swap of a used key as it is now, or, if the service cannot be reached, as last seen and not fundable. */
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
  return shownSwap(ports, service, entry, { swap: entry.swap, doubts: [], isCurrent: false });
}
