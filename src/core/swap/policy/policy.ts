import type { RuleKind } from './rule.ts';
import { ALLOW } from './rules/allow.ts';
import { APPROVE } from './rules/approve.ts';
import { CAP } from './rules/cap.ts';
import { COUNT } from './rules/count.ts';
import { OPEN } from './rules/open.ts';
import { PAYOUT } from './rules/payout.ts';
import { REQUIRE } from './rules/require.ts';
import { SUSPEND } from './rules/suspend.ts';

/** The rules by their names. */
export const RULES = {
  allow: ALLOW,
  payout: PAYOUT,
  cap: CAP,
  count: COUNT,
  open: OPEN,
  require: REQUIRE,
  approve: APPROVE,
  suspend: SUSPEND,
};

type RuleOf<K> = K extends RuleKind<infer R> ? R : never;

/** One rule of a policy. Codes are canonical: coins in capitals, networks by swapctl's own name. Times are milliseconds. */
export type Rule = RuleOf<(typeof RULES)[keyof typeof RULES]>;

/** Limits for unattended creates. */
export interface Policy {
  /** Milliseconds since 1970 from which the policy refuses everything; null for never. */
  readonly expires: number | null;
  readonly rules: readonly Rule[];
}

export const POLICY_VERSION = 1;

/** What is particular to the kind of a rule. */
export function kindOf(rule: Rule): RuleKind<Rule> {
  return RULES[rule.kind];
}
