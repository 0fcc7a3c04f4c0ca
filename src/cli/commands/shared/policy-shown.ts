import { rfc3339, rfc3339OrNull } from '../../../base/time.ts';
import type { Owner } from '../../../core/ledger/entry.ts';
import type { Ledger } from '../../../core/ledger/ledger.ts';
import { headText } from '../../../core/ledger/policy/chain.ts';
import { labelValue } from '../../../core/swap/labels.ts';
import { backAt, type CountedSwap } from '../../../core/swap/policy/counters.ts';
import { type Counters, labelGroup, leftOf } from '../../../core/swap/policy/decide.ts';
import type { Policy, Rule, Suspension } from '../../../core/swap/policy/policy.ts';
import { ruleWords, writtenRule } from '../../../core/swap/policy/written.ts';
import type { Context } from '../../context.ts';
import type { PolicyShown, RuleLeft, ShownRule } from '../../views/policy.ts';

/** The policy of the profile, with what is left of each limit now and when more becomes available. */
export async function shownPolicy(context: Context): Promise<PolicyShown> {
  const owner = await context.owner();
  const ledger = await context.ledger();
  const at = context.now();
  const { policy, stop, suspensions, ownerKey } = await ledger.guards.read(owner);
  const stored = 'value' in policy ? policy.value : null;
  const expires = stored?.policy.expires ?? null;
  const problems = [policy, stop, suspensions].flatMap((part) => ('problem' in part ? [part.problem] : []));
  const stopped = 'value' in stop ? stop.value : null;
  return {
    policy: stored?.digest ?? null,
    expires: rfc3339OrNull(expires),
    ownerKey,
    rules: stored === null ? [] : await shownRules(ledger, owner, stored.policy, at),
    stop: stopped === null ? null : { at: rfc3339(stopped.at), actor: stopped.actor, reason: stopped.reason },
    suspensions: 'value' in suspensions ? suspensions.value.map(shownSuspension) : [],
    problems,
    head: headText(await ledger.audit.head()),
    profile: owner.profile,
    environment: owner.environment,
  };
}

async function shownRules(
  ledger: Ledger,
  owner: Owner,
  policy: Policy,
  at: number,
): Promise<readonly ShownRule[]> {
  const { now, swaps, counters } = await ledger.guards.counters(owner, policy, at);
  return policy.rules.map((rule, index) => ({
    index,
    kind: rule.kind,
    rule: writtenRule(rule),
    words: ruleWords(rule),
    left: leftOfRule(rule, counters, swaps, now),
  }));
}

function shownSuspension(suspension: Suspension): PolicyShown['suspensions'][number] {
  const rule = { kind: 'suspend' as const, ...suspension };
  return { rule: writtenRule(rule), words: ruleWords(rule) };
}

/** What is left of a rule with a limit: one figure, or one for each value of its label. */
function leftOfRule(
  rule: Rule,
  counters: Counters,
  swaps: readonly CountedSwap[],
  now: number,
): readonly RuleLeft[] {
  if (rule.kind === 'open') return [numbers(rule.most, counters.open, null)];
  if (rule.kind === 'count') {
    const times = swaps.map(({ at }) => at).filter((at) => at > now - rule.per);
    return [numbers(rule.most, times.length, times.length === 0 ? null : Math.min(...times) + rule.per)];
  }
  if (rule.kind !== 'cap' || rule.per === 'order') return [];
  const { by, amount } = rule;
  const groups = by === null ? [{}] : groupsOf(by, swaps);
  return groups.map((labels) => {
    const spent = counters.spent(rule, labels);
    return {
      group: by === null ? null : labelGroup(by, labels),
      limit: amount,
      spent,
      left: leftOf(amount, spent),
      backAt: rfc3339OrNull(backAt(swaps, rule, labels, now)),
    };
  });
}

function numbers(limit: number, spent: number, back: number | null): RuleLeft {
  return { group: null, limit, spent, left: Math.max(0, limit - spent), backAt: rfc3339OrNull(back) };
}

/** One set of labels for each value of a label that occurs. */
function groupsOf(by: string, swaps: readonly CountedSwap[]): readonly CountedSwap['labels'][] {
  const byValue = new Map(swaps.map(({ labels }) => [labelValue(by, labels), labels]));
  return [...byValue.values()];
}
