import { counted, joined, shown, type Visible, visible } from '../../base/text.ts';
import { relativeTime } from '../../base/time.ts';
import type { Decision } from '../../core/ledger/policy/evaluate.ts';
import type { Simulation } from '../../core/ledger/policy/simulate.ts';
import type { PolicyChange } from '../../core/swap/policy/compare.ts';
import { type Environment, environmentWord } from '../../core/swap/swap.ts';
import { type DetailLine, renderDetails } from '../terminal/details.ts';
import type { View } from '../terminal/streams.ts';
import type { Style } from '../terminal/style.ts';
import { wrapWords } from '../terminal/width.ts';
import { detailsView } from './columns.ts';

const WORDS: Readonly<Record<Decision['decision'], string>> = {
  allow: 'allowed',
  approve: 'needs an approval',
  refuse: 'refused',
};

/** A decision: the word, the rules that took part, and what to do. */
export function decisionView(decision: Decision): View {
  return {
    json: () => decision,
    rows: () => [
      ['decision', decision.decision],
      ...decision.rules.map((rule) => ['rule', rule.kind, rule.message, rule.limit, rule.spent, rule.left]),
      ...(decision.approval === null ? [] : [['approval', decision.approval.id, decision.approval.until]]),
    ],
    screen: (style, width) => decisionText(decision, style, width),
  };
}

export function decisionText(decision: Decision, style: Style, width = 80): Visible {
  const colour = { allow: style.green, approve: style.yellow, refuse: style.red }[decision.decision];
  const lines: readonly DetailLine[] = [
    ['Policy', WORDS[decision.decision], colour],
    ...decision.rules.map(
      ({ index, message }) => [index === null ? '' : `Rule ${index}`, message, undefined, 'prose'] as const,
    ),
    [
      'Approval',
      decision.approval === null ? null : `${decision.approval.id}, until ${decision.approval.until}`,
    ],
  ];
  return renderDetails(lines, style, width);
}

/** What a change of the policy loosens and tightens, for the person who confirms it. */
export function policyChangeText({ loosens, tightens }: PolicyChange, style: Style, width: number): Visible {
  const lines: readonly DetailLine[] = [
    ...loosens.map((words) => ['Loosens', words, style.yellow, 'prose'] as const),
    ...tightens.map((words) => ['Tightens', words, style.green, 'prose'] as const),
  ];
  if (lines.length > 0) return renderDetails(lines, style, width);
  return shown` ${style.dim(shown`This policy allows what the stored one allows.`)}\n`;
}

/** A policy that was stored. */
export interface PolicySet extends PolicyChange {
  readonly policy: string;
  readonly rules: number;
  readonly expires: string | null;
  readonly ownerKey: string | null;
  readonly profile: string;
  readonly environment: Environment;
}

/** A stored policy by its digest. */
export function policySetView(set: PolicySet): View {
  const { policy, rules, expires, ownerKey } = set;
  return detailsView(
    set,
    (style) => [
      ['Stored', counted(rules, 'rule'), style.green],
      ['Policy', policy],
      ['Expires', expires ?? 'never'],
      ['Owner key', ownerKey ?? 'none pinned'],
    ],
    () => [[policy, rules, expires, ownerKey]],
  );
}

export interface RuleLeft {
  /** Value of the label that the limit is for; null if it is for all. */
  readonly group: string | null;
  readonly limit: string | number;
  readonly spent: string | number;
  readonly left: string | number;
  /** When the first counted swap stops counting, RFC 3339; null if none counts, or the time is unknown. */
  readonly backAt: string | null;
}

/** A rule as it is stored, with what is left of its limit. */
export interface ShownRule {
  readonly index: number;
  readonly kind: string;
  readonly rule: Readonly<Record<string, unknown>>;
  /** The rule in plain words. */
  readonly words: string;
  readonly left: readonly RuleLeft[];
}

/** The policy, stop and suspensions of a profile. */
export interface PolicyShown {
  /** Digest; null if no policy is stored. */
  readonly policy: string | null;
  readonly expires: string | null;
  readonly ownerKey: string | null;
  readonly rules: readonly ShownRule[];
  readonly stop: { readonly at: string; readonly actor: string; readonly reason: string | null } | null;
  readonly suspensions: readonly Pick<ShownRule, 'rule' | 'words'>[];
  /** Stored parts that cannot be read, so that everything is refused. */
  readonly problems: readonly string[];
  /** Head of the audit chain. */
  readonly head: string;
  readonly profile: string;
  readonly environment: Environment;
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
  return left.map(({ group, limit, spent, left: rest, backAt }) => [
    ...head,
    group,
    limit,
    spent,
    rest,
    backAt,
  ]);
}

function policyLines(shownPolicy: PolicyShown, style: Style, now: number): readonly DetailLine[] {
  const { policy, expires, ownerKey, rules, stop, suspensions, problems, head, profile, environment } =
    shownPolicy;
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

function leftText({ group, limit, spent, left, backAt }: RuleLeft, now: number): string {
  const name = group === null ? '' : `${group}: `;
  const back = backAt === null ? '' : `; more available ${relativeTime(backAt, now)}`;
  return `${name}${left} of ${limit} left, ${spent} used${back}`;
}

/** One sentence about a change of a guard. */
export function guardMessageView(result: object, words: string): View {
  return {
    json: () => result,
    rows: () => [[words]],
    screen: (_, width) => shown`${joined(wrapWords(visible(words), width), shown`\n`)}\n`,
  };
}

/** How a policy would have judged past swaps of a profile, since an RFC 3339 time. */
export type ShownSimulation = Simulation &
  Pick<PolicyShown, 'profile' | 'environment'> & { readonly since: string | null };

/** A replay of the ledger under a policy. */
export function simulationView(simulation: ShownSimulation): View {
  const { swaps, allowed, approvals, refuses, notAllowed, rules, refused } = simulation;
  return detailsView(
    simulation,
    (style) => [
      ['Swaps', String(swaps)],
      ['Allowed', String(allowed), style.green],
      ['Need approval', String(approvals), approvals > 0 ? style.yellow : undefined],
      ['Refused', String(refuses), refuses > 0 ? style.red : undefined],
      ['No allow rule', notAllowed === 0 ? null : String(notAllowed)],
      ...rules.map((rule): DetailLine => {
        const counts = `${rule.refuses} refused, ${rule.approvals} need approval`;
        return [`Rule ${rule.index}`, `${rule.words}: ${counts}`, undefined, 'prose'];
      }),
      ...refused.map(({ order, at, pair, amount, reasons }): DetailLine => {
        const words = `${at} ${amount} ${pair}: ${reasons.join(' ')}`;
        return [order ?? 'unknown', words, style.dim, 'prose'];
      }),
    ],
    () => rules.map((rule) => [rule.index, JSON.stringify(rule.rule), rule.refuses, rule.approvals]),
  );
}
