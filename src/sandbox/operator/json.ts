import { rfc3339 } from '../../base/time.ts';
import { statusMeaning } from '../../core/partner-api/statuses.ts';
import type { LoggedRequest } from '../requests/request.ts';
import type { SavedSnapshot } from '../snapshots/snapshots.ts';
import type { ClockReading } from './clock.ts';
import type { SandboxInfo } from './info.ts';
import type { SandboxOrder } from './order-view.ts';

/*
 * Results of the operators' verbs, in the shapes that commands print with --json and that the admin port answers:
 * docs/command-line/output.md#json-of-the-sandbox. Times are RFC 3339.
 */

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

export function clockJson({ now, offset, standsStill }: ClockReading) {
  return { now: rfc3339(now), offsetSeconds: offset / 1000, standsStill };
}

/** Contents of the sandbox, and the location of its database. */
export function infoJson({ clock, ...rest }: SandboxInfo & { readonly database: string }) {
  return { ...rest, clock: clockJson(clock) };
}

/** A request that a client sent, with its body and the answer's unless they are left out. */
export function requestJson({ id, at, body, answer, ...rest }: LoggedRequest, withBody = true) {
  return { id, at: rfc3339(at), ...rest, ...(withBody ? { body, answer } : {}) };
}

export function snapshotJson<T extends SavedSnapshot>({ name, savedAt, now, ...rest }: T) {
  return { name, savedAt: rfc3339(savedAt), now: rfc3339(now), ...rest };
}

/** A change of an order's status as it is printed: its time becomes RFC 3339. */
export function transitionJson<T extends { readonly at: number }>({ at, ...transition }: T) {
  return { ...transition, at: rfc3339(at) };
}
