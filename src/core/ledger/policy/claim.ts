import { randomUUID } from 'node:crypto';
import { visible } from '../../../base/text.ts';
import type { Database } from '../../database/database.ts';
import { unlessTaken } from '../../database/failures.ts';
import type { CreateIntent, Entry, IntentOutcome, LabelledIntent, Owner } from '../entry.ts';
import { storedLabels } from '../entry.ts';
import { addFacts } from '../facts.ts';
import { assetColumns, insertEntry, NEW_ENTRY } from '../new-entry.ts';
import { findByKey } from '../reads.ts';
import { storedFigures } from '../report/swap-figures.ts';
import type { LedgerSchema, Transaction } from '../schema.ts';
import { searchText } from '../search.ts';
import type { ApprovalSelection } from './approvals.ts';
import type { WriteFact } from './audit.ts';
import { lockGuard, refuseUnlessAllowed } from './evaluate.ts';
import { type Gate, verdictData } from './gate.ts';
import { type GuardedCreate, guardedCreate } from './request.ts';

/** What is known about a create when it is claimed, besides its content. */
export interface Claim {
  readonly approval?: ApprovalSelection;
  readonly quote?: GuardedCreate['quote'];
}

/** Outcomes of intents that may be sent. */
const CLAIMABLE: readonly IntentOutcome[] = ['not-sent', 'refused'];

/** Finds the entry of a key, or adds one; null if its create may have been sent. A dismissed entry releases its key. */
async function begin(tx: Transaction, attempt: Omit<Entry, 'id'>) {
  const earlier = await findByKey(tx, attempt, attempt.idempotencyKey);
  if (earlier !== null && earlier.outcome !== 'dismissed')
    return CLAIMABLE.includes(earlier.outcome) ? { entry: earlier, isNew: false } : null;
  if (earlier !== null) await releaseKey(tx, earlier.id);
  const entry = { ...attempt, id: randomUUID() };
  await insertEntry(tx, entry);
  return { entry, isNew: true };
}

/** Releases the key of a dismissed create for another one, unless its order has arrived since. */
async function releaseKey(tx: Transaction, id: string): Promise<void> {
  await tx
    .updateTable('intents')
    .set({ idempotency_key: null })
    .where('id', '=', id)
    .where('outcome', '=', 'dismissed')
    .execute();
}

/** The columns of a new attempt with a key: an earlier one may have had other content. */
function contentColumns(entry: Entry) {
  const { profile, environment, host, request, labels, requestedAt } = entry;
  return {
    request: JSON.stringify(request),
    ...assetColumns(request),
    requested_at: requestedAt,
    profile,
    environment,
    host,
    labels: storedLabels(labels),
    figures: storedFigures(entry),
    search: searchText(entry),
  };
}

function contentData({ deposit, receive, amount, type, address, memo, refundAddress }: CreateIntent) {
  return { deposit, receive, amount, type, address, memo, refundAddress };
}

/** The claim of a create: the last step before it is sent. */
export function claims(database: Database<LedgerSchema>, { pass }: Gate, record: WriteFact) {
  return {
    /**
     * Claims a create, the last step before sending: its entry is durably in the ledger, with this content and the outcome
     * `unknown`. Returns the entry as it was before; null if another process has claimed it, so that two processes with one
     * key send one request. What the policy of the account counts is read in the same transaction; throws `policy_refused`,
     * `approval_required` or `stopped` where it does not let the create through.
     */
    claim: async (
      owner: Owner,
      content: LabelledIntent,
      key: string | null,
      at: number,
      { approval = null, quote = null }: Claim = {},
    ): Promise<Entry | null> => {
      const { labels = {}, ...intent } = content;
      const known = { idempotencyKey: key, request: intent, labels, requestedAt: at };
      const attempt = { ...owner, ...NEW_ENTRY, ...known };
      const claimed = await unlessTaken(() =>
        database.transaction(async (tx) => {
          // The lock comes first: another process that sends the same key must have finished before it is counted.
          const guard = await lockGuard(tx, owner.account);
          const begun = await begin(tx, attempt);
          if (begun === null) return null;
          const { entry, isNew } = begun;
          const { id } = entry;
          const guarded = guardedCreate({ intent, labels, quote, hasKey: key !== null, host: owner.host });
          const evaluation =
            guard === null ? null : await pass(tx, owner, guard, { guarded, intentId: id, approval, at });
          const decision = evaluation?.decision ?? null;
          const data = { entry: id, ...verdictData(evaluation), ...contentData(intent) };
          const free = tx.updateTable('intents').where('id', '=', id).where('outcome', 'in', CLAIMABLE);
          if (decision !== null && decision.decision !== 'allow') {
            const reason = visible(decision.rules.map(({ message }) => message).join(' '));
            await free.set({ reason }).execute();
            await record(tx, owner, { type: 'decision', data, at });
            return { entry, decision };
          }
          const again = { ...attempt, id };
          const change = free.set({
            outcome: 'unknown',
            reason: null,
            ...(isNew ? {} : contentColumns(again)),
            counted_at: evaluation?.countedAt ?? at,
          });
          if (!(await record(tx, owner, { type: 'create', data, at }, change))) return null;
          if (!isNew) await addFacts(tx, again, entry);
          return { entry, decision };
        }),
      );
      if (claimed === null || claimed === false) return null;
      if (claimed.decision !== null) refuseUnlessAllowed(claimed.decision, approval);
      return claimed.entry;
    },
  };
}
