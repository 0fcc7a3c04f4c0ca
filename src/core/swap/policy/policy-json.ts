import { rfc3339 } from '../../../base/time.ts';
import { kindOf, POLICY_VERSION, type Policy, type Rule } from './policy.ts';
import { present } from './rule-parts.ts';

type Json = Readonly<Record<string, unknown>>;

/** A policy as JSON, rules in their order, with saved addresses written out: what is stored. */
export function policyJson(policy: Policy): string {
  return JSON.stringify({ version: POLICY_VERSION, ...expiry(policy), rules: policy.rules.map(ruleJson) });
}

/** The one text of all policies that decide alike by the same rules; signatures and digests cover it. */
export function canonicalPolicy(policy: Policy): string {
  const rules = policy.rules.map((rule) => JSON.stringify(ruleJson(kindOf(rule).sorted?.(rule) ?? rule)));
  const sorted = [...new Set(rules)].sort().map((text): unknown => JSON.parse(text));
  return JSON.stringify({ version: POLICY_VERSION, ...expiry(policy), rules: sorted });
}

function expiry({ expires }: Policy): Json {
  return expires === null ? {} : { expires: rfc3339(expires) };
}

/** A rule in plain words, for people. */
export function ruleWords(rule: Rule): string {
  return kindOf(rule).words(rule);
}

/** A rule as JSON. */
export function ruleJson(rule: Rule): Json {
  const written = kindOf(rule).written(rule);
  return { [rule.kind]: Array.isArray(written) ? written : present(written) };
}
