import { hash } from 'node:crypto';
import { parsed } from '../../../base/text.ts';
import { canonicalPolicy, type Policy, parsePolicy } from '../../swap/policy/policy.ts';
import type { Suspension } from '../../swap/policy/rules/suspend.ts';
import { isObject } from '../entry.ts';
import type { GuardRow } from '../schema.ts';

/** A stop of all creates of an account: since when (milliseconds since 1970), by whom, and why if that was said. */
export interface Stop {
  readonly at: number;
  readonly actor: string;
  readonly reason: string | null;
}

/** A part of a guard, or why it cannot be read; what cannot be read refuses everything. */
export type Readable<T> = { readonly value: T } | { readonly problem: string };

/** The policy, stop and suspensions of an account. */
export interface Guard {
  /** The value is null if no policy is stored. */
  readonly policy: Readable<{
    readonly policy: Policy;
    readonly digest: string;
  } | null>;
  readonly ownerKey: string | null;
  readonly stop: Readable<Stop | null>;
  readonly suspensions: Readable<readonly Suspension[]>;
}

const NOTHING = { value: null };
const NO_GUARD: Guard = { policy: NOTHING, ownerKey: null, stop: NOTHING, suspensions: { value: [] } };

/** Digest of a policy: SHA-256 of its canonical form, as hexadecimal digits. */
export function policyDigest(policy: Policy): string {
  return hash('sha256', canonicalPolicy(policy));
}

/** Reads a row; parts that cannot be read keep their problem. */
export function guardOf(row: GuardRow | undefined): Guard {
  if (row === undefined) return NO_GUARD;
  return {
    policy: readPolicy(row.policy),
    ownerKey: row.owner_key,
    stop: readStop(row.stop),
    suspensions: readSuspensions(row.suspensions),
  };
}

function readPolicy(text: string | null): Guard['policy'] {
  if (text === null) return { value: null };
  const verdict = parsePolicy(text);
  if (verdict.ok) return { value: { policy: verdict.policy, digest: policyDigest(verdict.policy) } };
  return { problem: `The stored policy cannot be read: ${verdict.problems[0]?.message ?? ''}`.trim() };
}

function readStop(text: string | null): Guard['stop'] {
  if (text === null) return { value: null };
  const value = parsed(text);
  if (!isObject(value) || typeof value['at'] !== 'number' || typeof value['actor'] !== 'string')
    return { problem: 'The stored stop cannot be read.' };
  const { at, actor, reason } = value;
  return { value: { at, actor, reason: typeof reason === 'string' ? reason : null } };
}

/** Suspensions are stored as rules, so that one reader knows their form. */
function readSuspensions(text: string): Guard['suspensions'] {
  const rules = parsed(text);
  const verdict = parsePolicy(JSON.stringify({ version: 1, rules }));
  if (!verdict.ok || !Array.isArray(rules)) return { problem: 'The stored suspensions cannot be read.' };
  const found = verdict.policy.rules.filter((rule) => rule.kind === 'suspend');
  if (found.length !== rules.length) return { problem: 'The stored suspensions cannot be read.' };
  return { value: found };
}
