import type { ApiRequest } from '../core/client/transport.ts';
import { ENDPOINTS, type EndpointName } from '../core/partner-api/endpoints.ts';
import type { HabitName } from '../core/partner-api/habits.ts';
import type { NotTestable, Probe, Reply } from './probe.ts';

/** Result of a check; one that held needs no words beyond those expected. */
export type Verdict =
  | { readonly result: 'held' }
  | {
      readonly result: 'differs';
      readonly found: string;
      /** Known habit of services that the difference is. */
      readonly habit?: HabitName | undefined;
    };

/** One statement about the service that its answers confirm or contradict. */
export interface Check extends Pick<CheckResult, 'endpoint' | 'basis' | 'expected'> {
  readonly decision: Decision | null;
  readonly name: string;
  /** Whether it sends a POST or PATCH, which needs --write. */
  readonly changes: boolean;
  /** Throws {@link NotTestable} if the service offers nothing to test. */
  run(probe: Probe): Promise<Verdict>;
}

/** A check before its endpoint is known. */
export type Subject = Omit<Check, 'endpoint' | 'changes'>;

/** A check of the API document: its name, what is expected of the service, and how to find out. */
export function check(name: string, expected: string, run: Check['run']): Subject {
  return { name, expected, run, basis: 'document', decision: null };
}

/** A check of a decision where the API document is silent; null if the decision has no name. */
export function assume(
  decision: Decision | null,
  name: string,
  expected: string,
  run: Check['run'],
): Subject {
  return { name, expected, run, basis: 'assumed', decision };
}

/** A check with one request: `holds` judges the reply, whose words are reported where it differs. */
export function checkAnswer(
  name: string,
  expected: string,
  request: ApiRequest,
  holds: (reply: Reply) => boolean,
): Subject {
  return check(name, expected, async (probe) => {
    const reply = await probe.ask(request);
    return passIf(holds(reply), reply.words);
  });
}

/** Turns checks of the API document into checks of a decision where it is silent. */
export function assumed(decision: Decision | null, ...subjects: readonly Subject[]): Subject[] {
  return subjects.map((subject) => ({ ...subject, basis: 'assumed', decision }));
}

/** Checks of one endpoint; those of a POST or PATCH change something, and need `--write`. */
export function at(endpoint: Check['endpoint'], ...subjects: readonly Subject[]): Check[] {
  const changes = endpoint !== 'all' && ENDPOINTS[endpoint].method !== 'GET';
  return subjects.map((subject) => ({ ...subject, endpoint, changes }));
}

/** Marks checks of a read that send a POST or PATCH first. */
export function changing(checks: readonly Check[]): Check[] {
  return checks.map((check) => ({ ...check, changes: true }));
}

export const HELD: Verdict = { result: 'held' };

export function differs(found: string, habit?: HabitName): Verdict {
  return { result: 'differs', found, habit };
}

/** Held if the condition is true, otherwise a difference. */
export function passIf(condition: boolean, found: string, habit?: HabitName): Verdict {
  return condition ? HELD : differs(found, habit);
}

const MAX_OFFENDERS = 3;

/** Held if there are no offenders, otherwise a difference with the first few. */
export function passIfNone(offenders: readonly string[], habit?: HabitName): Verdict {
  if (offenders.length === 0) return HELD;
  const shown = offenders.slice(0, MAX_OFFENDERS).join('; ');
  const more = offenders.length - MAX_OFFENDERS;
  return differs(more > 0 ? `${shown}; and ${more} more` : shown, habit);
}

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
  /** Commands of swapctl that a difference affects; none if the check held or no command relies on it. */
  readonly affects: readonly string[];
}

/** Commands of swapctl that send a request to an endpoint. */
const COMMANDS = {
  'get-all-coins': ['coins', 'networks', 'quote', 'create'],
  'get-coin-network': ['networks'],
  'exchange-coin': ['quote', 'create'],
  'get-transaction': ['status', 'refund'],
  'create-transaction': ['create'],
  'update-refund-address': ['refund'],
} as const satisfies Readonly<Record<EndpointName, readonly string[]>>;

/**
 * The open points of docs/partner-api.md#where-the-document-is-silent that can be observed from outside, with the
 * commands that behave differently where a decision differs.
 */
const BY_DECISION = {
  'network codes': [],
  'success code': [],
  'page, limit': COMMANDS['get-all-coins'],
  '`method` left out': [],
  'payload for update-refund-address': COMMANDS['update-refund-address'],
  "payload naming another endpoint than the path's": [],
  'order of the checks': [],
  'order number': [],
  'times, duration': ['status'],
  numbers: [],
  'amounts of a coin': ['quote', 'create'],
  'largest amount': ['quote', 'create'],
  'networks left out in a quote': ['quote'],
  'case of codes in create': [],
  'memo where memoNeeded': ['create'],
  'depositAmount under lastSource=receive': ['create'],
  'undocumented fields': [],
  'unknown pair or network': ['quote', 'create'],
  'rate limit': ['status'],
  fees: ['quote', 'create'],
  'refund address in which states': ['refund'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Decision = keyof typeof BY_DECISION;

/** Commands of swapctl that a difference affects. No command relies on a decision without a name. */
export function affectedCommands({
  basis,
  decision,
  endpoint,
}: Pick<Check, 'basis' | 'decision' | 'endpoint'>) {
  if (basis === 'assumed') return decision === null ? [] : BY_DECISION[decision];
  return endpoint === 'all' ? [...new Set(Object.values(COMMANDS).flat())] : COMMANDS[endpoint];
}
