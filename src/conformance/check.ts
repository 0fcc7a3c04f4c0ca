import type { HabitName } from '../partner-api/habits.ts';
import type { CheckResult } from './check-result.ts';
import type { Probe } from './probe.ts';
import { NotTestable } from './probe.ts';

/** Result of a check; one that held needs no words beyond those expected. */
export type Verdict =
  | { readonly result: 'held' }
  | {
      readonly result: 'differs';
      readonly found: string;
      /** Known habit of services that the difference is. */
      readonly habit?: HabitName;
    };

/** One statement about the service that its answers confirm or contradict. */
export interface Check extends Pick<CheckResult, 'endpoint' | 'basis' | 'expected'> {
  readonly decision: Decision | null;
  readonly name: string;
  /** Whether it sends a POST or PATCH, which needs to be asked for. */
  readonly changes: boolean;
  /** Throws {@link NotTestable} where the service offers nothing to test. */
  run(probe: Probe): Promise<Verdict>;
}

/** The open points of docs/partner-api.md#where-the-document-is-silent that can be observed from outside. */
export type Decision =
  | 'network codes'
  | 'success code'
  | 'page, limit'
  | '`method` left out'
  | 'payload for update-refund-address'
  | "payload naming another endpoint than the path's"
  | 'order of the checks'
  | 'order number'
  | 'times, duration'
  | 'numbers'
  | 'amounts of a coin'
  | 'largest amount'
  | 'networks left out in a quote'
  | 'case of codes in create'
  | 'memo where memoNeeded'
  | 'depositAmount under lastSource=receive'
  | 'undocumented fields'
  | 'unknown pair or network'
  | 'rate limit'
  | 'fees'
  | 'refund address in which states'
  | 'validation texts'
  | 'body size, header size';

type Subject = Pick<Check, 'name' | 'expected' | 'run'>;

/** Checks of one endpoint against the API document. */
export function documented(endpoint: Check['endpoint'], ...subjects: readonly Subject[]): Check[] {
  return subjects.map((subject) => ({
    ...subject,
    endpoint,
    basis: 'document',
    decision: null,
    changes: false,
  }));
}

/** Checks of one endpoint on a decision where the API document is silent; null where the decision has no name. */
export function assumed(
  endpoint: Check['endpoint'],
  decision: Decision | null,
  ...subjects: readonly Subject[]
): Check[] {
  return subjects.map((subject) => ({ ...subject, endpoint, basis: 'assumed', decision, changes: false }));
}

/** Marks checks that send a POST or PATCH. */
export function changing(checks: readonly Check[]): Check[] {
  return checks.map((check) => ({ ...check, changes: true }));
}

/** Verdict of a check that held. */
export const HELD: Verdict = { result: 'held' };

/** Verdict of a check that found a difference. */
export function differs(found: string, habit?: HabitName): Verdict {
  return { result: 'differs', found, ...(habit === undefined ? {} : { habit }) };
}

/** Held if the condition is true, otherwise a difference. */
export function heldIf(condition: boolean, found: string, habit?: HabitName): Verdict {
  return condition ? HELD : differs(found, habit);
}

const MAX_OFFENDERS = 3;

/** Held where there are no offenders, otherwise a difference with the first few. */
export function heldIfNone(offenders: readonly string[], habit?: HabitName): Verdict {
  if (offenders.length === 0) return HELD;
  const shown = offenders.slice(0, MAX_OFFENDERS).join('; ');
  const more = offenders.length - MAX_OFFENDERS;
  return differs(more > 0 ? `${shown}; and ${more} more` : shown, habit);
}
