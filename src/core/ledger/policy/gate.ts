import { rfc3339 } from '../../../base/time.ts';
import type { Database } from '../../database/database.ts';
import type { Owner } from '../entry.ts';
import { recordApproval } from '../events/outbox.ts';
import type { LedgerSchema, Transaction } from '../schema.ts';
import { type ApprovalSelection, openApproval, requestedApproval, useApproval } from './approvals.ts';
import type { AuditFact, WriteFact } from './audit.ts';
import {
  type Evaluation,
  type EvaluationInput,
  evaluate,
  lockGuard,
  readGuard,
  refuseUnlessAllowed,
} from './evaluate.ts';
import type { Guard } from './guard.ts';
import type { GuardedRequest } from './request.ts';

export type AtGate = Omit<EvaluationInput, 'owner' | 'guard' | 'actor'>;

/** The gate through which every change at the service passes, as part of the transaction that records it. */
export type Gate = ReturnType<typeof gate>;

export function gate(database: Database<LedgerSchema>, actor: string, write: WriteFact) {
  /** Judges a request under a locked guard, and records an approval that it uses or needs. */
  const pass = async (tx: Transaction, owner: Owner, guard: Guard, each: AtGate): Promise<Evaluation> => {
    const evaluated = await evaluate(tx, { ...each, owner, guard, actor });
    const { used, wanted, altered } = evaluated;
    const { intentId: entry, at } = each;
    const note = (what: string, data: AuditFact['data']) =>
      write(tx, owner, { type: `approval.${what}`, data, at });
    if (altered !== null) await note('altered', { id: altered });
    if (used !== null && !(await useApproval(tx, used.id, at)))
      return { ...evaluated, decision: { ...evaluated.decision, decision: 'refuse' } };
    if (used !== null) await note('used', { id: used.id, entry });
    if (wanted === null) return evaluated;
    const { approval, isNew } = await requestedApproval(tx, wanted);
    const about = { id: approval.id, until: rfc3339(approval.until) };
    if (isNew) await recordApproval(tx, entry, 'approval.requested', { approval: about, at });
    if (isNew) await note('requested', { ...about, entry });
    return { ...evaluated, decision: { ...evaluated.decision, approval: about } };
  };
  return {
    pass,
    /** What the gate would decide now, with the approval that it would use or wants. Nothing is locked, written or counted, so a read-only ledger suffices. */
    check: async (owner: Owner, guarded: GuardedRequest, approval: ApprovalSelection, at: number) => {
      const { kysely } = database;
      const guard = await readGuard(kysely, owner.account);
      const each = { guarded, intentId: null, approval, at };
      const { decision, wanted, used } = await evaluate(kysely, { ...each, owner, guard, actor });
      const named = wanted === null ? used : await openApproval(kysely, wanted);
      return { ...decision, approval: named === null ? null : { id: named.id, until: rfc3339(named.until) } };
    },
    /** Lets a new refund address through, or throws `policy_refused`, `approval_required` or `stopped`. */
    refund: async (owner: Owner, guarded: GuardedRequest, approval: ApprovalSelection, at: number) => {
      const decision = await database.transaction(async (tx) => {
        const guard = await lockGuard(tx, owner.account);
        const each = { guarded, intentId: null, approval, at };
        const evaluated = guard === null ? null : await pass(tx, owner, guard, each);
        const type = evaluated === null || evaluated.decision.decision === 'allow' ? 'refund' : 'decision';
        await write(tx, owner, { type, data: { ...verdictData(evaluated), ...guarded.subject }, at });
        return evaluated?.decision ?? null;
      });
      if (decision !== null) refuseUnlessAllowed(decision, approval);
    },
  };
}

export function verdictData(evaluated: Evaluation | null): Readonly<Record<string, unknown>> {
  if (evaluated === null) return { decision: 'allow', policy: null };
  const { decision, policy, rules } = evaluated.decision;
  return decision === 'allow'
    ? { decision, policy }
    : { decision, policy, reasons: rules.map(({ message }) => message) };
}
