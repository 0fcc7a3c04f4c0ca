import { rfc3339 } from '../../../base/time.ts';
import { kindOf, type Policy, type Rule, ruleWords } from './policy.ts';
import { allowsAll } from './rules/allow.ts';

/** How a policy differs from the previous one: sentences about what more it allows, and what more it refuses. */
export interface PolicyChange {
  readonly loosens: readonly string[];
  readonly tightens: readonly string[];
}

/** Compares a policy with the one before (null: none). What is not shown to be as strict counts as loosened. */
export function comparePolicies(before: Policy | null, after: Policy): PolicyChange {
  const old = before ?? { expires: null, rules: [] };
  const change = [expiryChange(old, after), allowChange(old, after), limitChange(old, after)];
  const all = (kind: keyof PolicyChange) => change.flatMap((each) => each[kind]);
  return { loosens: all('loosens'), tightens: all('tightens') };
}

function expiryChange(before: Policy, after: Policy): PolicyChange {
  const end = ({ expires }: Policy) => expires ?? Number.POSITIVE_INFINITY;
  const [old, now] = [end(before), end(after)];
  if (old === now) return { loosens: [], tightens: [] };
  const words = now === Number.POSITIVE_INFINITY ? 'never expires' : `expires at ${rfc3339(now)}`;
  return now > old ? { loosens: [words], tightens: [] } : { loosens: [], tightens: [words] };
}

function allowChange(before: Policy, after: Policy): PolicyChange {
  const allows = ({ rules }: Policy) => rules.filter((rule) => rule.kind === 'allow');
  const [old, now] = [allows(before), allows(after)];
  if (old.length === 0) return { loosens: [], tightens: now.map((rule) => `only ${ruleWords(rule)}`) };
  if (now.length === 0) return { loosens: ['every pair is allowed'], tightens: [] };
  return {
    loosens: now
      .filter((rule) => !old.some((each) => allowsAll(each, rule)))
      .map((rule) => `adds: ${ruleWords(rule)}`),
    tightens: old
      .filter((rule) => !now.some((each) => allowsAll(each, rule)))
      .map((rule) => `removes: ${ruleWords(rule)}`),
  };
}

function limitChange(before: Policy, after: Policy): PolicyChange {
  const limits = ({ rules }: Policy) => rules.filter((rule) => rule.kind !== 'allow');
  const [old, now] = [limits(before), limits(after)];
  const missing = (rules: readonly Rule[], from: readonly Rule[]) =>
    rules.filter((rule) => !from.some((each) => isAsStrict(each, rule)));
  return {
    loosens: missing(old, now).map((rule) => `removes: ${ruleWords(rule)}`),
    tightens: missing(now, old).map((rule) => `adds: ${ruleWords(rule)}`),
  };
}

function isAsStrict(strict: Rule, rule: Rule): boolean {
  return strict.kind === rule.kind && kindOf(rule).isAsStrict(strict, rule);
}
