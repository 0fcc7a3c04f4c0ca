import { visible } from '../../../base/text.ts';
import type { Database } from '../../database/database.ts';
import {
  type CreateIntent,
  type LabelledIntent,
  type Owner,
  readIntent,
  readLabels,
  storedLabels,
} from '../entry.ts';
import { addFacts, type Known } from '../facts.ts';
import { assetColumns, NEW_ENTRY } from '../new-entry.ts';
import { storedFigures } from '../report/swap-figures.ts';
import type { LedgerSchema, Transaction } from '../schema.ts';
import { searchText, withWord } from '../search.ts';
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
const CLAIMABLE = ['not-sent', 'refused'] as const;

/** The request and the labels with which an entry was begun; an earlier attempt with its key may have had others. */
async function begunWith(tx: Transaction, id: string): Promise<Known> {
  const query = tx.selectFrom('intents').select(['request', 'labels']).where('id', '=', id);
  const { request, labels } = await query.executeTakeFirstOrThrow();
  return { ...NEW_ENTRY, request: readIntent(request) ?? null, labels: readLabels(labels) ?? {} };
}

/** The content of an audit link about a create. */
function contentData({ deposit, receive, amount, type, address, memo, refundAddress }: CreateIntent) {
  return { deposit, receive, amount, type, address, memo, refundAddress };
}

/** The claim of a create: the last step before it is sent. */
export function claims(database: Database<LedgerSchema>, { pass }: Gate, record: WriteFact) {
  /** Judges an intent; null if nothing was ever set for its account, false if another process has claimed it. */
  const evaluated = async (
    tx: Transaction,
    id: string,
    owner: Owner,
    { at, claim, ...content }: LabelledIntent & { readonly at: number; readonly claim: Claim },
  ) => {
    // The lock comes first: another process that sends the same key must have finished before it is counted.
    const guard = await lockGuard(tx, owner.account);
    if (guard === null) return null;
    const query = tx.selectFrom('intents').select('idempotency_key').where('id', '=', id);
    const row = await query.where('outcome', 'in', [...CLAIMABLE]).executeTakeFirst();
    if (row === undefined) return false;
    const { labels = {}, ...intent } = content;
    const { approval = null, quote = null } = claim;
    const hasKey = row.idempotency_key !== null;
    const guarded = guardedCreate({ intent, labels, quote, hasKey, host: owner.host });
    return pass(tx, owner, guard, { guarded, intentId: id, approval, at });
  };
  return {
    /**
     * Claims an intent, the last step before sending: its outcome becomes `unknown`, and the given content replaces its
     * own. Only one caller gets true, so that two processes with one key send one request. What the policy of the account
     * counts is read in the same transaction; throws `policy_refused`, `approval_required` or `stopped` where it does not
     * let the create through.
     */
    claim: async (id: string, owner: Owner, content: LabelledIntent, at: number, claim: Claim = {}) => {
      const { profile, environment, host } = owner;
      const { labels = {}, ...intent } = content;
      const ended = await database.transaction(async (tx) => {
        const evaluation = await evaluated(tx, id, owner, { ...content, claim, at });
        if (evaluation === false) return { isClaimed: false, decision: null };
        const decision = evaluation?.decision ?? null;
        const data = { entry: id, ...verdictData(evaluation), ...contentData(intent) };
        if (decision !== null && decision.decision !== 'allow') {
          const reason = visible(decision.rules.map(({ message }) => message).join(' '));
          await tx
            .updateTable('intents')
            .set({ reason })
            .where('id', '=', id)
            .where('outcome', 'in', [...CLAIMABLE])
            .execute();
          await record(tx, owner, { type: 'decision', data, at });
          return { isClaimed: false, decision };
        }
        const begun = await begunWith(tx, id);
        const words = searchText({ ...NEW_ENTRY, id, request: intent, labels });
        const change = tx
          .updateTable('intents')
          .set((is) => ({
            outcome: 'unknown',
            reason: null,
            request: JSON.stringify(intent),
            ...assetColumns(intent),
            requested_at: at,
            profile,
            environment,
            host,
            labels: storedLabels(labels),
            figures: storedFigures({ ...NEW_ENTRY, request: intent, labels, requestedAt: at }),
            search: withWord(words, is.ref('idempotency_key')),
            counted_at: evaluation?.countedAt ?? at,
          }))
          .where('id', '=', id)
          .where('outcome', 'in', [...CLAIMABLE]);
        const isClaimed = await record(tx, owner, { type: 'create', data, at }, change);
        if (isClaimed) await addFacts(tx, { ...NEW_ENTRY, id, request: intent, labels }, begun);
        return { isClaimed, decision };
      });
      if (ended.decision !== null) refuseUnlessAllowed(ended.decision);
      return ended.isClaimed;
    },
  };
}
