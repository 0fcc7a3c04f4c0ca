import { rfc3339, rfc3339OrNull } from '../../../base/time.ts';
import type { Owner } from '../../../core/ledger/entry.ts';
import type { Ledger } from '../../../core/ledger/ledger.ts';
import { headText } from '../../../core/ledger/policy/chain.ts';
import { kindOf, type Policy, ruleJson, ruleWords } from '../../../core/swap/policy/policy.ts';
import type { Suspension } from '../../../core/swap/policy/rules/suspend.ts';
import type { Context } from '../../context.ts';
import type { PolicyShown } from '../../views/policy.ts';

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

async function shownRules(ledger: Ledger, owner: Owner, policy: Policy, at: number) {
  const counters = await ledger.guards.counters(owner, policy, at);
  return policy.rules.map((rule, index) => ({
    index,
    kind: rule.kind,
    rule: ruleJson(rule),
    words: ruleWords(rule),
    left: (kindOf(rule).left?.(rule, counters) ?? []).map((each) => ({
      ...each,
      backAt: rfc3339OrNull(each.backAt),
    })),
  }));
}

function shownSuspension(suspension: Suspension): PolicyShown['suspensions'][number] {
  const rule = { kind: 'suspend' as const, ...suspension };
  return { rule: ruleJson(rule), words: ruleWords(rule) };
}
