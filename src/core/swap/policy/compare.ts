import { rfc3339 } from '../../../base/time.ts';
import { compareDecimals } from '../amount.ts';
import type { CoinOnNetwork } from '../swap.ts';
import { addressKey, covers } from './codes.ts';
import type { AllowedAddress, Policy, Rule, Suspended, Suspension } from './policy.ts';
import { ruleWords } from './written.ts';

/**
 * How a policy differs from the previous one: sentences about what it additionally allows, and what it additionally
 * refuses.
 */
export interface PolicyChange {
  readonly loosens: readonly string[];
  readonly tightens: readonly string[];
}

/**
 * Compares a policy with the one that it replaces (null: none). What cannot be shown to be at least as strict as before
 * counts as loosened.
 */
export function comparePolicies(before: Policy | null, after: Policy): PolicyChange {
  const old = before ?? { expires: null, rules: [] };
  const change = [expiryChange(old, after), allowChange(old, after), limitChange(old, after)];
  return {
    loosens: change.flatMap(({ loosens }) => loosens),
    tightens: change.flatMap(({ tightens }) => tightens),
  };
}

type Of<K extends Rule['kind']> = Extract<Rule, { kind: K }>;
type Limit = Exclude<Rule, { kind: 'allow' }>;

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

/** Whether everything that one rule allows is allowed by another. */
function allowsAll(wide: Of<'allow'>, narrow: Of<'allow'>): boolean {
  return (
    coversAll(wide.from, narrow.from) &&
    coversAll(wide.to, narrow.to) &&
    (wide.type === null || wide.type === narrow.type)
  );
}

function coversAll(wide: readonly CoinOnNetwork[] | null, narrow: readonly CoinOnNetwork[] | null): boolean {
  if (wide === null) return true;
  return narrow?.every((coin) => wide.some((each) => covers(each, coin))) ?? false;
}

function limitChange(before: Policy, after: Policy): PolicyChange {
  const limits = ({ rules }: Policy) => rules.filter((rule) => rule.kind !== 'allow');
  const [old, now] = [limits(before), limits(after)];
  const missing = (rules: readonly Limit[], from: readonly Limit[]) =>
    rules.filter((rule) => !from.some((each) => isAsStrict(each, rule)));
  return {
    loosens: missing(old, now).map((rule) => `removes: ${ruleWords(rule)}`),
    tightens: missing(now, old).map((rule) => `adds: ${ruleWords(rule)}`),
  };
}

/** Whether a rule refuses, or requires an approval for, everything that another one does. */
function isAsStrict(strict: Limit, rule: Limit): boolean {
  if (strict.kind === 'cap' && rule.kind === 'cap') return isCapAsStrict(strict, rule);
  if (strict.kind === 'count' && rule.kind === 'count')
    return strict.most <= rule.most && strict.per >= rule.per;
  if (strict.kind === 'open' && rule.kind === 'open') return strict.most <= rule.most;
  if (strict.kind === 'require' && rule.kind === 'require')
    return rule.parts.every((part) => strict.parts.includes(part));
  if (strict.kind === 'payout' && rule.kind === 'payout') return isPayoutAsStrict(strict, rule);
  if (strict.kind === 'approve' && rule.kind === 'approve') return isApproveAsStrict(strict, rule);
  return strict.kind === 'suspend' && rule.kind === 'suspend' && isSuspensionAsStrict(strict, rule);
}

function isCapAsStrict(strict: Of<'cap'>, rule: Of<'cap'>): boolean {
  if (!covers(strict.coin, rule.coin) || compareDecimals(strict.amount, rule.amount) > 0) return false;
  if (rule.per === 'order') return true;
  const isSameGroup = strict.by === null || strict.by === rule.by;
  return strict.per !== 'order' && strict.per >= rule.per && isSameGroup;
}

function isPayoutAsStrict(strict: Of<'payout'>, rule: Of<'payout'>): boolean {
  const isListed = strict.addresses.every((each) => rule.addresses.some((other) => includes(other, each)));
  if (strict.seen === null) return isListed;
  return isListed && rule.seen !== null && strict.seen >= rule.seen;
}

function includes(wide: AllowedAddress, narrow: AllowedAddress): boolean {
  return (
    addressKey(wide.address) === addressKey(narrow.address) &&
    wide.memo === narrow.memo &&
    (wide.network === null || wide.network === narrow.network)
  );
}

function isApproveAsStrict(strict: Of<'approve'>, rule: Of<'approve'>): boolean {
  const isAsWide =
    strict.coin === null ||
    strict.above === null ||
    (rule.coin !== null &&
      rule.above !== null &&
      covers(strict.coin, rule.coin) &&
      compareDecimals(strict.above, rule.above) <= 0);
  return isAsWide && strict.by.every((key) => rule.by.includes(key)) && strict.within <= rule.within;
}

function isSuspensionAsStrict(strict: Suspension, rule: Suspension): boolean {
  const end = ({ until }: Suspension) => until ?? Number.POSITIVE_INFINITY;
  if (end(strict) < end(rule) || !suspendsAll(strict.what, rule.what)) return false;
  return strict.side === null || strict.side === rule.side;
}

function suspendsAll(wide: Suspended, narrow: Suspended): boolean {
  if ('pair' in wide)
    return 'pair' in narrow && covers(wide.pair[0], narrow.pair[0]) && covers(wide.pair[1], narrow.pair[1]);
  if ('network' in wide) return 'network' in narrow && wide.network === narrow.network;
  return 'coin' in narrow && covers(wide.coin, narrow.coin);
}
