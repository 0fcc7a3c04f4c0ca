import type { EndpointName } from '../partner-api/endpoints.ts';
import type { HabitName } from '../partner-api/habits.ts';

/** What one check of a service against the API document, and the decisions beside it, came to. */
export interface Finding {
  readonly check: string;
  /** `all` for what every answer has to keep to. */
  readonly endpoint: EndpointName | 'all';
  /** Whether the API document says so, or only this program's sandbox where the document is silent. */
  readonly basis: 'document' | 'assumed';
  /** The decision that an assumed check touches, where it has a name. */
  readonly decision: string | null;
  readonly result: 'held' | 'differs' | 'skipped';
  readonly expected: string;
  /** What was found, or why nothing was asked. */
  readonly found: string;
  /** The habit of a rough service that this is, where it is one. */
  readonly habit: HabitName | null;
  /** Commands of swapctl that a difference touches; none where it held, or where none relies on it. */
  readonly affects: readonly string[];
}
