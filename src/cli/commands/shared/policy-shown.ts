import { joined, shown, visible } from '../../../base/text.ts';
import { relativeTime, rfc3339, rfc3339OrNull } from '../../../base/time.ts';
import type { Owner } from '../../../core/ledger/entry.ts';
import type { Ledger } from '../../../core/ledger/ledger.ts';
import { headText } from '../../../core/ledger/policy/chain.ts';
import { kindOf, type Policy, ruleJson, ruleWords } from '../../../core/swap/policy/policy.ts';
import type { Suspension } from '../../../core/swap/policy/rules/suspend.ts';
import { environmentWord } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import type { DetailLine } from '../../terminal/details.ts';
import { textView, type View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { wrapWords } from '../../terminal/width.ts';
import { detailsView } from '../../views/columns.ts';

/** The policy, stop and suspensions of a profile: `policy` is its digest, null if none is stored. */
export type PolicyShown = Awaited<ReturnType<typeof shownPolicy>>;

/** A rule as it is stored and in words, with what is left of its limit for all, or for each value of its label. */
export type ShownRule = PolicyShown['rules'][number];

/** The policy of the profile, with what is left of each limit now and when more becomes available. */
export async function shownPolicy(context: Context) {
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
    /** Stored parts that cannot be read, so that everything is refused. */
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
      /** When the first counted swap stops counting; null if none counts, or the time is unknown. */
      backAt: rfc3339OrNull(each.backAt),
    })),
  }));
}

function shownSuspension(suspension: Suspension) {
  const rule = { kind: 'suspend' as const, ...suspension };
  return { rule: ruleJson(rule), words: ruleWords(rule) };
}

export function policyView(policy: PolicyShown, now: number): View {
  const { stop, problems, suspensions, rules } = policy;
  return detailsView(
    policy,
    (style) => policyLines(policy, style, now),
    () => [
      ...(stop === null ? [] : [['stop', stop.at, stop.actor, stop.reason]]),
      ...problems.map((problem) => ['problem', problem]),
      ...suspensions.map((each) => ['suspension', JSON.stringify(each.rule)]),
      ...rules.flatMap(ruleRows),
    ],
  );
}

function ruleRows({ index, rule, left }: ShownRule) {
  const head = ['rule', index, JSON.stringify(rule)];
  if (left.length === 0) return [head];
  return left.map((each) => [...head, each.group, each.limit, each.spent, each.left, each.backAt]);
}

function policyLines(found: PolicyShown, style: Style, now: number): readonly DetailLine[] {
  const { policy, expires, ownerKey, rules, stop, suspensions, problems, head, profile, environment } = found;
  const isLimited = stop !== null || suspensions.length > 0;
  const reason = stop?.reason == null ? '' : ` Reason: ${stop.reason}`;
  return [
    ['Profile', profile],
    ['Environment', environmentWord(environment)],
    ['Stopped', stop === null ? null : `by ${stop.actor} at ${stop.at}.${reason}`, style.red, 'prose'],
    ...problems.map(
      (problem) => ['Problem', `${problem} Everything is refused.`, style.red, 'prose'] as const,
    ),
    ...suspensions.map(
      (each) => ['Suspended', each.words.replace(/^suspend /, ''), style.yellow, 'prose'] as const,
    ),
    [
      'Policy',
      policy ?? (problems.length > 0 ? null : isLimited ? 'none' : 'none: new swaps are not limited'),
    ],
    ['Expires', expires === null ? null : `${expires} (${relativeTime(expires, now)})`],
    ['Owner key', ownerKey],
    ...rules.flatMap(({ index, words, left }) => [
      [`Rule ${index}`, words, style.bold, 'prose'] as const,
      ...left.map((each) => ['', leftText(each, now), undefined, 'prose'] as const),
    ]),
    ['Audit head', head],
  ];
}

function leftText({ group, limit, spent, left, backAt }: ShownRule['left'][number], now: number): string {
  const name = group === null ? '' : `${group}: `;
  const back = backAt === null ? '' : `; more available ${relativeTime(backAt, now)}`;
  return `${name}${left} of ${limit} left, ${spent} used${back}`;
}

/** The result of a change of a policy, stop or suspension: `words` as one sentence, or `result` as JSON. */
export function guardMessageView(result: object, words: string): View {
  const screen = (_: Style, width: number) => shown`${joined(wrapWords(visible(words), width), shown`\n`)}\n`;
  return { ...textView(result, words), screen };
}
