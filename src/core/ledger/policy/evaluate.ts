import { SwapctlError } from '../../../base/errors.ts';
import { rfc3339 } from '../../../base/time.ts';
import { decide, type RuleResult, ruleResult, type Verdict } from '../../swap/policy/decide.ts';
import { isSuspended, suspended } from '../../swap/policy/rules/suspend.ts';
import type { Environment } from '../../swap/swap.ts';
import type { Owner } from '../entry.ts';
import type { ApprovalName } from '../events/event.ts';
import type { Transaction } from '../schema.ts';
import {
  type Approval,
  type ApprovalSelection,
  alteredApproval,
  givenApproval,
  type WantedApproval,
} from './approvals.ts';
import { countingTime, readCounters } from './counting.ts';
import { type Guard, guardOf } from './guard.ts';
import { approvalDigest, type GuardedRequest } from './request.ts';

/** A decision as `--json` has it, keys in the order of docs/command-line/output.md#json. */
export interface Decision {
  readonly decision: Verdict['decision'];
  readonly rules: readonly RuleResult[];
  readonly approval: ApprovalName | null;
  /** Digest of the policy; null if none is stored, or it cannot be read. */
  readonly policy: string | null;
  readonly profile: string;
  readonly environment: Environment;
}

export interface Evaluation {
  readonly decision: Decision;
  /** Time by which it is counted, in milliseconds since 1970. */
  readonly countedAt: number;
  /** Set where an approval is required. */
  readonly wanted: WantedApproval | null;
  /** The approval that allows it; it must be marked as used. */
  readonly used: Approval | null;
  /** Id of the approval that it names and that was altered in the ledger; it must be reported. */
  readonly altered: string | null;
}

/** Reads the guard of an account, and locks it until the transaction ends: creates of an account are counted in turn. */
export async function lockGuard(tx: Transaction, account: string): Promise<Guard | null> {
  const row = await tx
    .updateTable('guards')
    .set((is) => ({ version: is.ref('version') }))
    .where('account', '=', account)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : guardOf(row);
}

export async function readGuard(tx: Transaction, account: string): Promise<Guard> {
  return guardOf(await tx.selectFrom('guards').selectAll().where('account', '=', account).executeTakeFirst());
}

export interface EvaluationInput {
  readonly owner: Owner;
  readonly guard: Guard;
  readonly guarded: GuardedRequest;
  /** Entry that is to be sent; null for a refund, or where nothing is written. */
  readonly intentId: string | null;
  readonly approval: ApprovalSelection;
  readonly actor: string;
  readonly at: number;
}

/** Judges a request by the policy, stop and suspensions of its account. Writes nothing. */
export async function evaluate(tx: Transaction, each: EvaluationInput): Promise<Evaluation> {
  const { owner, guard, guarded, at } = each;
  const countedAt = await countingTime(tx, owner.account, at);
  const stored = 'value' in guard.policy ? guard.policy.value : null;
  const about = { policy: stored?.digest ?? null, profile: owner.profile, environment: owner.environment };
  const ended = (decision: Verdict['decision'], rules: readonly RuleResult[]): Evaluation => ({
    decision: { decision, rules, approval: null, ...about },
    countedAt,
    wanted: null,
    used: null,
    altered: null,
  });
  const barred = barriers(guard, guarded, countedAt);
  if (barred.length > 0) return ended('refuse', barred);
  if (stored === null) return ended('allow', []);
  const { policy, digest } = stored;
  const counters = await readCounters(tx, owner, policy, { request: guarded.request, now: countedAt });
  const verdict = decide(policy, guarded.request, counters, countedAt);
  if (verdict.decision !== 'approve') return ended(verdict.decision, verdict.rules);
  const wanted: WantedApproval = {
    owner,
    digest: approvalDigest(guarded.subject, { ...owner, policy: digest }),
    policy: digest,
    intentId: each.intentId,
    subject: guarded.subject,
    rules: verdict.approvals,
    now: countedAt,
    actor: each.actor,
  };
  const { used, altered, why } = await givenApproval(tx, wanted, each.approval);
  if (altered !== null) {
    const message = alteredApproval(altered).message;
    return { ...ended('refuse', [{ ...NO_LIMIT, kind: 'approve', message }]), altered };
  }
  if (used !== null) return { ...ended('allow', verdict.rules), used };
  const because = why === null ? [] : [{ ...NO_LIMIT, kind: 'approve' as const, message: why }];
  return { ...ended('approve', [...because, ...verdict.rules]), wanted };
}

const NO_LIMIT = { index: null, limit: null, spent: null, left: null } as const;

/** Reasons that refuse whatever the rules say: a stop, a suspension, or content that cannot be read. */
function barriers({ stop, suspensions, policy }: Guard, { request }: GuardedRequest, now: number) {
  const refused = (kind: RuleResult['kind'], message: string): RuleResult => ({ ...NO_LIMIT, kind, message });
  if ('problem' in stop) return [refused('stop', `${stop.problem} Everything is refused.`)];
  if (stop.value !== null) {
    const { at, actor, reason } = stop.value;
    const why = reason === null ? '' : `: ${reason}`;
    const minute = rfc3339(at).slice(0, 16).replace('T', ' ');
    return [refused('stop', `Creating swaps is stopped for this profile (${actor}, ${minute} UTC${why}).`)];
  }
  const unreadable = [policy, suspensions].flatMap((part) => ('problem' in part ? [part.problem] : []));
  if (unreadable.length > 0)
    return unreadable.map((problem) => refused('policy', `${problem} Everything is refused.`));
  const all = 'value' in suspensions ? suspensions.value : [];
  return all
    .filter((each) => isSuspended(each, request, now))
    .map((each) => ruleResult(null, 'suspend', suspended(each)));
}

/** Throws the error for a decision that is not `allow`; `given` are the approvals that could be used. */
export function refuseUnlessAllowed(decision: Decision, given: ApprovalSelection): void {
  const refusal = refusalOf(decision, given);
  if (refusal !== null) throw refusal;
}

/** The error for a decision, null for `allow`; its details are the decision. */
export function refusalOf(decision: Decision, given: ApprovalSelection): SwapctlError | null {
  if (decision.decision === 'allow') return null;
  const words = decision.rules.map(({ message }) => message).join(' ');
  const details = { ...decision };
  if (decision.decision === 'approve')
    return new SwapctlError('approval_required', `The policy requires an approval. ${words}`, {
      hint: approvalHint(decision, given),
      retryable: true,
      details,
    });
  const isStopped = decision.rules.some(({ kind }) => kind === 'stop');
  return new SwapctlError(
    isStopped ? 'stopped' : 'policy_refused',
    isStopped ? words : `The policy refuses this. ${words}`,
    {
      hint: isStopped
        ? 'Nothing was sent. See `swapctl policy show`; `swapctl policy resume` lifts the stop.'
        : 'Nothing was sent. See `swapctl policy show` for the rules and what is left of each.',
      details,
    },
  );
}

function approvalHint({ approval }: Decision, given: ApprovalSelection): string {
  if (approval === null) return 'Nothing was sent.';
  const { id, until } = approval;
  // A command that takes any approval needs no flag for it, and has none.
  const again = given === 'any' ? 'again' : `with --approval ${id}`;
  return `Nothing was sent. Have it approved with \`swapctl policy approvals grant ${id}\`, and run the same command ${again} before ${until}.`;
}
