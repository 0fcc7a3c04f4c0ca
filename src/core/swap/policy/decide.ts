import { counted } from '../../../base/text.ts';
import { rfc3339 } from '../../../base/time.ts';
import { compareDecimals, type Decimal, ExactSum } from '../amount.ts';
import { coinLabel } from '../coin-ref.ts';
import { type Labels, labelValue } from '../labels.ts';
import type { Asset, RateType } from '../swap.ts';
import { addressKey, coinKey, covers, networkKey } from './codes.ts';
import type { AllowedAddress, ApproveRule, CapRule, Policy, Rule, Suspension } from './policy.ts';
import { durationText, suspendedText } from './written.ts';

/** An address to which money may go: the payout's, or that of a refund. */
export interface Recipient {
  readonly what: 'payout' | 'refund';
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
}

/** A recipient as it is compared, under every alias of its network. */
export function recipientKey({ network, address, memo }: Omit<Recipient, 'what'>): string {
  return JSON.stringify([networkKey(network), addressKey(address), memo]);
}

/** What is judged: a swap to create, or a refund address to set for an order. */
export interface PolicyRequest {
  readonly kind: 'create' | 'refund';
  readonly deposit: Asset;
  /** Amount of the deposit; null if that is not known, which only a refund may lack. */
  readonly amount: Decimal | null;
  /** Null for a refund. */
  readonly receive: Asset | null;
  readonly type: RateType | null;
  readonly recipients: readonly Recipient[];
  readonly labels: Labels;
  /** Which of `refundAddress`, `idempotencyKey` and `minReceive` the request has. */
  readonly has: ReadonlySet<string>;
}

/** Counts of earlier swaps in the ledger: those that exist, or may exist. */
export interface Counters {
  /** Sum of the deposits that a cap counts; with the same label value if the cap is by label. */
  spent(rule: CapRule, labels: Labels): Decimal;
  /** Swaps created within a time, in milliseconds. */
  created(within: number): number;
  /** Swaps that are not final, or of unknown outcome. */
  readonly open: number;
  /** Successful payouts, or refunds, to an address. */
  seen(recipient: Recipient): number;
}

/** One rule that took part in a decision. */
export interface RuleResult {
  /** Position in the policy, from 0; null for anything that is not one of its rules. */
  readonly index: number | null;
  readonly kind: Rule['kind'] | 'expires' | 'stop' | 'policy';
  readonly message: string;
  readonly limit: Decimal | number | null;
  readonly spent: Decimal | number | null;
  readonly left: Decimal | number | null;
}

/** A policy's decision about a request. */
export interface Verdict {
  readonly decision: 'allow' | 'approve' | 'refuse';
  /** The rules that refuse or require an approval; for an allowed request, those with a limit. */
  readonly rules: readonly RuleResult[];
  /** The rules that require an approval; empty unless the decision is `approve`. */
  readonly approvals: readonly ApproveRule[];
}

/**
 * Decides about a request. Rules have no order: a refusal beats an approval, which beats an allow, and if there are
 * `allow` rules, anything that none covers is refused.
 */
export function decide(policy: Policy, request: PolicyRequest, counters: Counters, now: number): Verdict {
  const judged = policy.rules.map((rule, index) => judge({ rule, index, request, counters, now }));
  const refusals = [...expired(policy, now), ...notAllowed(policy, request), ...judged.flatMap(refusalsOf)];
  if (refusals.length > 0) return { decision: 'refuse', rules: refusals, approvals: [] };
  const wanted = judged.filter(({ effect }) => effect === 'approve');
  if (wanted.length === 0)
    return { decision: 'allow', rules: judged.flatMap(({ result }) => result ?? []), approvals: [] };
  return {
    decision: 'approve',
    rules: wanted.flatMap(({ result }) => result ?? []),
    approvals: wanted.flatMap(({ rule }) => (rule.kind === 'approve' ? [rule] : [])),
  };
}

interface Case<R extends Rule = Rule> {
  readonly rule: R;
  readonly index: number;
  readonly request: PolicyRequest;
  readonly counters: Counters;
  readonly now: number;
}

interface Judged {
  readonly rule: Rule;
  /** Null if the rule does not apply. */
  readonly effect: 'refuse' | 'approve' | null;
  readonly result: RuleResult | null;
}

function refusalsOf({ effect, result }: Judged): readonly RuleResult[] {
  return effect === 'refuse' && result !== null ? [result] : [];
}

function judge(each: Case): Judged {
  const { rule, request } = each;
  if (rule.kind === 'payout') return judgePayout({ ...each, rule });
  if (rule.kind === 'approve') return judgeApprove({ ...each, rule });
  // A refund address moves no money of its own: the other rules are about creating.
  if (request.kind === 'refund') return silent(rule);
  if (rule.kind === 'cap') return judgeCap({ ...each, rule });
  if (rule.kind === 'count') {
    const spent = each.counters.created(rule.per);
    return limited(each, rule.most, spent, `Swaps created within ${durationText(rule.per)}`);
  }
  if (rule.kind === 'open') return limited(each, rule.most, each.counters.open, 'Open swaps');
  if (rule.kind === 'require') return judgeRequire({ ...each, rule });
  if (rule.kind !== 'suspend' || !isSuspended(rule, request, each.now)) return silent(rule);
  return { rule, effect: 'refuse', result: suspendedResult(rule, each.index) };
}

function silent(rule: Rule): Judged {
  return { rule, effect: null, result: null };
}

const NO_LIMIT = { limit: null, spent: null, left: null } as const;

function expired({ expires }: Policy, now: number): readonly RuleResult[] {
  if (expires === null || now < expires) return [];
  const message = `The policy expired at ${rfc3339(expires)}; everything is refused until another one is stored.`;
  return [{ index: null, kind: 'expires', message, ...NO_LIMIT }];
}

function notAllowed({ rules }: Policy, request: PolicyRequest): readonly RuleResult[] {
  const allows = rules.flatMap((rule, index) => (rule.kind === 'allow' ? [{ rule, index }] : []));
  const { receive, type } = request;
  if (receive === null || allows.length === 0) return [];
  const [from, to] = [coinKey(request.deposit), coinKey(receive)];
  const isAllowed = allows.some(
    ({ rule }) =>
      (rule.from === null || rule.from.some((coin) => covers(coin, from))) &&
      (rule.to === null || rule.to.some((coin) => covers(coin, to))) &&
      (rule.type === null || rule.type === type),
  );
  if (isAllowed) return [];
  const message = `No allow rule covers ${coinLabel(from)} to ${coinLabel(to)} at a ${type ?? 'unknown'} rate.`;
  const [only, ...others] = allows;
  const index = others.length === 0 ? (only?.index ?? null) : null;
  return [{ index, kind: 'allow', message, ...NO_LIMIT }];
}

function judgeCap({ rule, index, request, counters }: Case<CapRule>): Judged {
  const { coin, amount: limit, per, by } = rule;
  const amount = request.amount ?? '0';
  if (!covers(coin, coinKey(request.deposit))) return silent(rule);
  const name = coinLabel(coin);
  const spent = per === 'order' ? '0' : counters.spent(rule, request.labels);
  const left = leftOf(limit, spent);
  const isOver = compareDecimals(sumOf(spent, amount), limit) > 0;
  const within = per === 'order' ? 'per order' : `per ${durationText(per)}${groupWords(by, request.labels)}`;
  const already = per === 'order' ? '' : ` ${spent} ${name} used, ${left} ${name} left.`;
  const message = isOver
    ? `A deposit of ${amount} ${name} is over the cap of ${limit} ${name} ${within}.${already}`
    : `The cap is ${limit} ${name} ${within}.${already}`;
  return {
    rule,
    effect: isOver ? 'refuse' : null,
    result: { index, kind: 'cap', message, limit, spent, left },
  };
}

function groupWords(by: string | null, labels: Labels): string {
  return by === null ? '' : ` for ${labelGroup(by, labels)}`;
}

/** The group of a label in words; swaps without the label are one group. */
export function labelGroup(by: string, labels: Labels): string {
  const value = labelValue(by, labels);
  return value === null ? `swaps without the label ${by}` : `${by}=${value}`;
}

function limited({ rule, index }: Case, limit: number, spent: number, words: string): Judged {
  const isOver = spent + 1 > limit;
  const message = `${words}: ${spent}, the limit is ${limit}.`;
  const result: RuleResult = {
    index,
    kind: rule.kind,
    message,
    limit,
    spent,
    left: Math.max(0, limit - spent),
  };
  return { rule, effect: isOver ? 'refuse' : null, result };
}

function judgeRequire({ rule, index, request }: Case<Extract<Rule, { kind: 'require' }>>): Judged {
  const missing = rule.parts.filter((part) => {
    const label = part.startsWith('label:') ? part.slice('label:'.length) : null;
    return label === null ? !request.has.has(part) : labelValue(label, request.labels) === null;
  });
  if (missing.length === 0) return silent(rule);
  const message = `The policy requires ${missing.map((part) => NAMES[part] ?? part.replace('label:', 'the label ')).join(', ')}.`;
  return { rule, effect: 'refuse', result: { index, kind: 'require', message, ...NO_LIMIT } };
}

const NAMES: Readonly<Record<string, string>> = {
  refundAddress: 'a refund address (--refund-address)',
  idempotencyKey: 'an idempotency key (--idempotency-key)',
  minReceive: 'a minimum payout (--min-receive)',
};

function judgePayout({ rule, index, request, counters }: Case<Extract<Rule, { kind: 'payout' }>>): Judged {
  const strangers = request.recipients.filter((recipient) => {
    if (rule.addresses.some((allowed) => isAllowedAddress(allowed, recipient))) return false;
    return rule.seen === null || counters.seen(recipient) < rule.seen;
  });
  const [first] = strangers;
  if (first === undefined) return silent(rule);
  const seen = rule.seen === null ? null : counters.seen(first);
  const about = seen === null ? '' : `, and was paid ${counted(seen, 'time')} (${rule.seen} required)`;
  const withMemo = first.memo === null ? '' : ` with its memo`;
  const message = `The ${first.what} address${withMemo} is not listed in the policy${about}.`;
  const numbers = { limit: rule.seen, spent: seen, left: null };
  return { rule, effect: 'refuse', result: { index, kind: 'payout', message, ...numbers } };
}

function isAllowedAddress({ network, address, memo }: AllowedAddress, recipient: Recipient): boolean {
  return (
    addressKey(address) === addressKey(recipient.address) &&
    memo === recipient.memo &&
    (network === null || network === networkKey(recipient.network))
  );
}

function judgeApprove({ rule, index, request }: Case<ApproveRule>): Judged {
  const { coin, above } = rule;
  const isAbove =
    coin === null ||
    above === null ||
    (covers(coin, coinKey(request.deposit)) &&
      (request.amount === null || compareDecimals(request.amount, above) > 0));
  if (!isAbove) return silent(rule);
  const what = request.kind === 'refund' ? 'The refund address of a deposit' : 'A deposit';
  const message =
    coin === null || above === null
      ? `Every ${request.kind === 'refund' ? 'refund address' : 'new swap'} needs an approval.`
      : `${what} of more than ${above} ${coinLabel(coin)} needs an approval.`;
  const result: RuleResult = { index, kind: 'approve', message, limit: above, spent: null, left: null };
  return { rule, effect: 'approve', result };
}

/** Whether a suspension concerns a swap at a time. */
export function isSuspended({ what, side, until }: Suspension, request: PolicyRequest, now: number): boolean {
  const { receive } = request;
  if (receive === null || (until !== null && now >= until)) return false;
  const [from, to] = [coinKey(request.deposit), coinKey(receive)];
  if ('pair' in what) return covers(what.pair[0], from) && covers(what.pair[1], to);
  const sides = side === null ? [from, to] : [side === 'deposit' ? from : to];
  return sides.some((each) => ('coin' in what ? covers(what.coin, each) : what.network === each.network));
}

/** A suspension as the reason for a refusal. */
export function suspendedResult({ what, side, until, reason }: Suspension, index: number | null): RuleResult {
  const on = side === null ? '' : ` on the ${side === 'deposit' ? 'deposit' : 'payout'} side`;
  const end = until === null ? '' : ` until ${rfc3339(until)}`;
  const why = reason === null ? '' : ` Reason: ${reason}`;
  const message = `${suspendedText(what)} is suspended${on}${end}.${why}`;
  return { index, kind: 'suspend', message, ...NO_LIMIT };
}

function sumOf(a: Decimal, b: Decimal): Decimal {
  const sum = new ExactSum();
  sum.add(a);
  sum.add(b);
  return sum.amount;
}

/** What is left of a limit; 0 where more is spent. */
export function leftOf(limit: Decimal, spent: Decimal): Decimal {
  const left = new ExactSum();
  left.add(limit);
  left.add(`-${spent}`);
  return left.amount.startsWith('-') ? '0' : left.amount;
}
