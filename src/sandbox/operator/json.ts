import { statusMeaning } from '../../partner-api/statuses.ts';
import type { LoggedRequest } from '../requests/request.ts';
import type { SavedSnapshot } from '../snapshots/snapshots.ts';
import type { ClockReading } from './clock.ts';
import type { SandboxInfo } from './info.ts';
import type { SandboxOrder } from './order-view.ts';

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

/** How a value becomes JSON text, with an indent of some blanks. */
type WriteJson = (value: unknown, indent: number) => string;

/**
 * JSON text in pieces, for results that may not fit into memory. In the objects of `value`, an async iterable of pages
 * becomes one array, and a function is called when its turn comes.
 */
export async function* jsonPieces(
  value: unknown,
  { write = (part, indent) => JSON.stringify(part, null, indent), indent = 0 }: JsonOptions = {},
  depth = 0,
): AsyncGenerator<string> {
  const line = (level: number) => (indent === 0 ? '' : `\n${' '.repeat(level * indent)}`);
  const text = (part: unknown, level: number) => write(part, indent).replaceAll('\n', line(level));
  if (isPages(value)) {
    let separator = '[';
    for await (const page of value) {
      yield page
        .map((item, index) => `${index === 0 ? separator : ','}${line(depth + 1)}${text(item, depth + 1)}`)
        .join('');
      if (page.length > 0) separator = ',';
    }
    yield separator === '[' ? '[]' : `${line(depth)}]`;
  } else if (typeof value === 'function') yield text(value(), depth);
  else if (isObject(value)) {
    let separator = '{';
    for (const [key, part] of Object.entries(value)) {
      yield `${separator}${line(depth + 1)}${JSON.stringify(key)}:${indent === 0 ? '' : ' '}`;
      yield* jsonPieces(part, { write, indent }, depth + 1);
      separator = ',';
    }
    yield separator === '{' ? '{}' : `${line(depth)}}`;
  } else yield text(value, depth);
}

interface JsonOptions {
  readonly write?: WriteJson;
  readonly indent?: number;
}

function isPages(value: unknown): value is AsyncIterable<readonly unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
