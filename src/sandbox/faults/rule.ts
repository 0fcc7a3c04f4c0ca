import { UsageError } from '../../base/errors.ts';
import { echoed } from '../../base/text.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../../core/partner-api/endpoints.ts';
import type { JsonValue } from '../../core/partner-api/json.ts';
import { choice, type ReadValue, readBoolean, text, whole, withSource, wrong } from '../json-file.ts';

/**
 * A fault to inject: which requests it matches, on which of those it fires, and what it does to them. Several effects
 * can be combined where that makes sense, such as a delay before a status, or a truncated body of the rule's own.
 */
export interface FaultRule {
  /** Matches requests of this endpoint only. Default: all. */
  readonly endpoint?: EndpointName;
  /** Matches requests of the partner with this name only. Default: all. */
  readonly partner?: string;
  /** Fires on the n-th matching request, counted from 1, and then up to `times` in total. */
  readonly nth?: number;
  /** Fires at most this many times. Default: no limit, or once if `nth` is given. */
  readonly times?: number;
  /** Fires on a matching request with this probability, from 0 to 1; drawn from the sandbox's seed. */
  readonly probability?: number;
  /** Waits this many milliseconds before anything else. */
  readonly delay?: number;
  /** Cuts the connection: before the request is handled, or after it took effect. */
  readonly drop?: 'before' | 'after';
  /** Cuts with a TCP reset instead of a normal end; before handling unless `drop` says after. */
  readonly reset?: boolean;
  /** Answers with this status and handles nothing. */
  readonly status?: number;
  /** Answers with this body, handling nothing; status 200 where none is given. */
  readonly body?: string;
  /** Answers with a redirect to here and handles nothing; status 302 where none is given. */
  readonly redirect?: string;
  /** Answers with a body of this many bytes of white space and handles nothing; status 200 where none is given. */
  readonly hugeBody?: number;
  readonly contentType?: string;
  /** Sends only this many bytes of the body, then cuts the connection. */
  readonly truncate?: number;
  /** Sends the body byte by byte, with this many milliseconds between them. */
  readonly drip?: number;
}

export interface ActiveFault {
  readonly id: number;
  readonly rule: FaultRule;
  /** Requests that matched endpoint and partner. */
  readonly seen: number;
  readonly fired: number;
}

const MAX_DELAY_MS = 3_600_000;
const MAX_BODY = 1_000_000;
const MAX_BODY_BYTES = 10_000_000_000;

const header: ReadValue<string> = (value, path) => {
  if (typeof value === 'string' && /^[\x20-\x7e]{1,2000}$/.test(value)) return value;
  throw wrong(path, 'must be printable ASCII, as in a header');
};

const probability: ReadValue<number> = (value, path) => {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw wrong(path, 'must be a number from 0 to 1');
};

const count = whole(1, Number.MAX_SAFE_INTEGER);
const milliseconds = whole(0, MAX_DELAY_MS);

const READERS: { readonly [K in keyof FaultRule]-?: ReadValue<NonNullable<FaultRule[K]>> } = {
  endpoint: choice(...ENDPOINT_NAMES),
  partner: text(64, 0),
  nth: count,
  times: count,
  probability,
  delay: milliseconds,
  drop: choice('before', 'after'),
  reset: readBoolean,
  status: whole(200, 599),
  body: text(MAX_BODY, 0),
  redirect: header,
  hugeBody: whole(1, MAX_BODY_BYTES),
  contentType: header,
  truncate: whole(0, MAX_BODY_BYTES),
  drip: milliseconds,
};

/** All keys of a {@link FaultRule}: its conditions, such as `endpoint`, and its effects. */
export const FAULT_KEYS = Object.keys(READERS) as readonly (keyof FaultRule)[];

/** Conditions, which have no effect by themselves. */
const CONDITIONS: readonly string[] = ['endpoint', 'partner', 'nth', 'times', 'probability'];

const WAYS = FAULT_KEYS.filter((name) => !CONDITIONS.includes(name));

/** Checks a rule from outside. Throws UsageError naming the first thing that is wrong. */
export function checkFaultRule(rule: object): FaultRule {
  const given = Object.entries(rule).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!isRuleName(name)) throw new UsageError(`Unknown fault setting "${echoed(name)}".`);
    withSource('', () => READERS[name](value as JsonValue, `The fault's "${name}"`));
  }
  if (!WAYS.some((way) => given.some(([name]) => name === way)))
    throw new UsageError(
      'The fault does nothing.',
      '`swapctl sandbox fault add --help` lists what a fault can do.',
    );
  const checked = Object.fromEntries(given) as FaultRule;
  refuseContradiction(checked);
  return checked;
}

/**
 * Refuses rules that contradict themselves: an answer of the rule's own replaces the handling, so there is no answer
 * left to cut.
 */
function refuseContradiction(rule: FaultRule): void {
  const own = OWN_ANSWERS.find((name) => rule[name] !== undefined);
  if (rule.drop !== undefined && own !== undefined)
    throw new UsageError(
      `The fault's "drop" and "${own}" cannot be combined: a cut connection has no response.`,
    );
  if (rule.hugeBody !== undefined && rule.truncate !== undefined)
    throw new UsageError(
      'The fault\'s "hugeBody" cannot be truncated; set it to the number of bytes to send.',
    );
}

const OWN_ANSWERS = ['status', 'body', 'redirect', 'hugeBody'] as const;

function isRuleName(name: string): name is keyof FaultRule {
  return Object.hasOwn(READERS, name);
}
