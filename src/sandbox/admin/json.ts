import { statusMeaning } from '../../partner-api/statuses.ts';
import type { ClockReading } from '../operator/clock.ts';
import type { SandboxInfo } from '../operator/info.ts';
import type { SandboxOrder } from '../operator/sandbox-order.ts';
import type { LoggedRequest } from '../requests/request.ts';
import type { SavedSnapshot } from '../snapshots/snapshots.ts';

/*
 * Answers of the admin port. They have the shapes that the verbs print with --json (docs/command-line/output.md#json-of-the-sandbox);
 * a test compares the two. Times are RFC 3339.
 */

/** An order. */
export function orderJson({ status: code, createdAt, since, endedAt, transitions, ...rest }: SandboxOrder) {
  return {
    ...rest,
    status: statusMeaning(code).status,
    statusCode: code,
    createdAt: rfc3339(createdAt),
    since: rfc3339(since),
    endedAt: endedAt === null ? null : rfc3339(endedAt),
    transitions: transitions.map(transitionJson),
  };
}

/** The clock. */
export function clockJson({ now, offset, standsStill }: ClockReading) {
  return { now: rfc3339(now), offsetSeconds: offset / 1000, standsStill };
}

/** Contents of the sandbox, and the location of its database. */
export function infoJson(database: string, { clock, ...rest }: SandboxInfo) {
  return { database, ...rest, clock: clockJson(clock) };
}

/** A request that a client sent, with its body and the answer's. */
export function requestJson({ id, at, body, answer, ...rest }: LoggedRequest) {
  return { id, at: rfc3339(at), ...rest, body, answer };
}

/** A snapshot. */
export function snapshotJson<T extends SavedSnapshot>({ savedAt, now, ...rest }: T) {
  const { name, ...others } = rest;
  return { name, savedAt: rfc3339(savedAt), now: rfc3339(now), ...others };
}

/** A change of an order's status. */
export function transitionJson<T extends { readonly at: number }>({ at, ...transition }: T) {
  return { ...transition, at: rfc3339(at) };
}

/** A time of the sandbox in RFC 3339. */
export function rfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
