import { rfc3339 } from '../../../base/time.ts';
import { kindOf, type Policy, type Rule } from './policy.ts';
import { type Case, type Counters, NO_LIMIT, type PolicyRequest, type RuleDecision } from './rule.ts';
import { notAllowed } from './rules/allow.ts';
import type { ApproveRule } from './rules/approve.ts';

export interface RuleResult extends Omit<RuleDecision, 'effect'> {
  /** Position in the policy, from 0; null for anything that is not one of its rules. */
  readonly index: number | null;
  readonly kind: Rule['kind'] | 'expires' | 'stop' | 'policy';
}

/** A policy's decision about a request. */
export interface Verdict {
  readonly decision: 'allow' | 'approve' | 'refuse';
  /** The rules that refuse or require an approval; for an allowed request, those with a limit. */
  readonly rules: readonly RuleResult[];
  /** The rules that require an approval; empty unless the decision is `approve`. */
  readonly approvals: readonly ApproveRule[];
}

/** A refusal beats an approval, which beats an allow; where there are `allow` rules, what none covers is refused. */
export function decide(policy: Policy, request: PolicyRequest, counters: Counters, now: number): Verdict {
  const evaluated = policy.rules.flatMap((rule, index) => evaluate(rule, index, { request, counters, now }));
  const having = (effect: RuleDecision['effect']) => evaluated.filter((each) => each.effect === effect);
  const results = (all: typeof evaluated) => all.map(({ result }) => result);
  const refusals = [...expired(policy, now), ...uncovered(policy, request), ...results(having('refuse'))];
  if (refusals.length > 0) return { decision: 'refuse', rules: refusals, approvals: [] };
  const approvalRules = having('approve');
  if (approvalRules.length === 0) return { decision: 'allow', rules: results(evaluated), approvals: [] };
  return {
    decision: 'approve',
    rules: results(approvalRules),
    approvals: approvalRules.flatMap(({ rule }) => (rule.kind === 'approve' ? [rule] : [])),
  };
}

function evaluate(rule: Rule, index: number, each: Case) {
  const kind = kindOf(rule);
  if (each.request.kind === 'refund' && kind.concernsRefunds !== true) return [];
  const evaluated = kind.evaluate(rule, each);
  if (evaluated === null) return [];
  const { effect, ...result } = evaluated;
  return [{ rule, effect, result: ruleResult(index, rule.kind, result) }];
}

/** A result with its keys in the order of docs/command-line/output.md#json. */
export function ruleResult(
  index: number | null,
  kind: RuleResult['kind'],
  { message, limit, spent, left }: Omit<RuleDecision, 'effect'>,
): RuleResult {
  return { index, kind, message, limit, spent, left };
}

function expired({ expires }: Policy, now: number): readonly RuleResult[] {
  if (expires === null || now < expires) return [];
  const message = `The policy expired at ${rfc3339(expires)}; everything is refused until another one is stored.`;
  return [{ index: null, kind: 'expires', message, ...NO_LIMIT }];
}

function uncovered({ rules }: Policy, request: PolicyRequest): readonly RuleResult[] {
  const allows = rules.filter((rule) => rule.kind === 'allow');
  const message = notAllowed(allows, request);
  if (message === null) return [];
  const index = allows.length === 1 ? rules.findIndex(({ kind }) => kind === 'allow') : null;
  return [{ index, kind: 'allow', message, ...NO_LIMIT }];
}
