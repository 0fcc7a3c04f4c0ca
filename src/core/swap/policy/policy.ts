import { rfc3339 } from '../../../base/time.ts';
import { type JsonNode, JsonSyntaxError, readJson } from '../json-text.ts';
import { named, type PolicyProblem, PolicyReader, type PolicyWords } from './reader.ts';
import { present, type RuleKind } from './rule.ts';
import { ALLOW } from './rules/allow.ts';
import { APPROVE } from './rules/approve.ts';
import { CAP } from './rules/cap.ts';
import { COUNT, OPEN } from './rules/count.ts';
import { PAYOUT } from './rules/payout.ts';
import { REQUIRE } from './rules/require.ts';
import { SUSPEND } from './rules/suspend.ts';

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

const POLICY_VERSION = 1;

/** How rules of this rule's kind are read, written, evaluated and compared. */
export function kindOf(rule: Rule): RuleKind<Rule> {
  return RULES[rule.kind];
}

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

export function ruleJson(rule: Rule): Json {
  const written = kindOf(rule).written(rule);
  return { [rule.kind]: Array.isArray(written) ? written : present(written) };
}

/** A policy, or all problems of its text. */
export type PolicyVerdict =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

export const MAX_POLICY_LENGTH = 256 * 1024;

/** Reads a policy. Unknown words are refused, because any of them could have been meant as a limit. */
export function parsePolicy(text: string, words: PolicyWords = {}): PolicyVerdict {
  if (text.length > MAX_POLICY_LENGTH)
    return {
      ok: false,
      problems: [{ line: 1, message: `A policy has at most ${MAX_POLICY_LENGTH} characters.` }],
    };
  try {
    const reader = new PolicyReader(words);
    const policy = readPolicy(reader, readJson(text));
    return reader.problems.length > 0 ? { ok: false, problems: reader.problems } : { ok: true, policy };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { ok: false, problems: [{ line: error.line, message: error.message }] };
  }
}

function readPolicy(reader: PolicyReader, node: JsonNode): Policy {
  const fields = reader.fields(node, 'A policy must be an object with version and rules.');
  const version = reader.take(fields, 'version', node.line);
  if (version !== null && !(version.type === 'number' && version.text === String(POLICY_VERSION)))
    reader.problem(version.line, `Unsupported policy version; swapctl supports version ${POLICY_VERSION}.`);
  const expires = fields.get('expires')?.value;
  fields.delete('expires');
  const rules = reader.take(fields, 'rules', node.line);
  reader.refuseUnknown(fields, 'a policy', ['version', 'expires', 'rules']);
  const items = rules === null ? [] : reader.items(rules, 'rules must be a list of rules.');
  return {
    expires: expires === undefined ? null : reader.time(expires, 'expires'),
    rules: items.map((item) => readRule(reader, item)).filter((rule) => rule !== null),
  };
}

function readRule(reader: PolicyReader, node: JsonNode): Rule | null {
  const fields = reader.fields(node, 'A rule must be an object with one key, the kind of the rule.');
  const [field, ...others] = fields.values();
  if (field === undefined) return reader.problem(node.line, 'This rule is empty.');
  for (const other of others)
    reader.problem(other.line, 'A rule can have only one key; write a second rule.');
  const { key, value, line } = field;
  const kind = Object.entries(RULES).find(([name]) => name === key)?.[1];
  const known = Object.keys(RULES).join(', ');
  return kind === undefined
    ? reader.problem(line, `Unknown rule ${named(key)}. The rules are ${known}.`)
    : kind.read(reader, value, line);
}
