import type { EndpointName } from '../partner-api/endpoints.ts';
import type { HabitName } from '../partner-api/habits.ts';

/** Result of one check of a service against the API document and the decisions beside it. */
export interface CheckResult {
  readonly check: string;
  /** `all` for checks that every answer must pass. */
  readonly endpoint: EndpointName | 'all';
  /** Source of the statement: the API document, or only this program's sandbox where the document is silent. */
  readonly basis: 'document' | 'assumed';
  /** Decision that an assumed check tests, where it has a name. */
  readonly decision: string | null;
  readonly result: 'held' | 'differs' | 'skipped';
  readonly expected: string;
  /** Observation, or the reason why the check did not run. */
  readonly found: string;
  /** Habit of a rough service that the difference is, if it is one. */
  readonly habit: HabitName | null;
  /** Commands of swapctl that a difference affects; none where the check held or no command relies on it. */
  readonly affects: readonly string[];
}
