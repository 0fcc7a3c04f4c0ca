import type { Kysely } from 'kysely';
import { isEndpointName } from '../../core/partner-api/endpoints.ts';
import { type RedactedCall, redactCall } from '../../core/partner-api/redact-call.ts';
import { KnownSecrets } from '../../core/partner-api/redaction.ts';
import type { SandboxSchema } from '../state/schema.ts';
import {
  type LoggedRequest,
  MAX_KEPT,
  MAX_REQUESTS,
  type RequestFilter,
  type SeenRequest,
} from './request.ts';

/** Number of requests written at a time: a millisecond or two. */
const MAX_ROWS = 100;

/** Pause after a write. */
const PAUSE_MS = 100;

/**
 * Pause after many requests, so that a load of any size costs no more than the log holds, once a second. A row costs
 * some 100 microseconds; without the pause each quote, of 118, would cost that on top instead of 18 (busy machine, 8,000 quotes).
 */
const LONG_PAUSE_MS = 1000;

export type RequestRecorder = ReturnType<typeof createRequestRecorder>;

/**
 * Remembers requests and writes them in the background: no request waits for it, and none fails because of it. Where
 * more arrive than the log holds, the oldest are dropped unwritten.
 *
 * @param db a database that is not durable, because the log is not worth a wait for the disk
 * @param knownSecrets the key pairs of all partners
 */
export function createRequestRecorder(
  db: Kysely<SandboxSchema>,
  knownSecrets: () => Promise<readonly string[]>,
) {
  const waiting: SeenRequest[] = [];
  /** Requests that were dropped since the last write. */
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let isBusy = false;
  /** When the last write ended, by the monotonic clock. */
  let writtenAt = Number.NEGATIVE_INFINITY;
  const write = async () => {
    const [requests, missed] = [waiting.splice(0), dropped];
    if (requests.length === 0) return;
    dropped = 0;
    isBusy = requests.length > MAX_ROWS;
    try {
      const known = new KnownSecrets(await knownSecrets());
      for (let start = 0; start < requests.length; start += MAX_ROWS) {
        const rows: Omit<LoggedRequest, 'id'>[] = [];
        for (const seen of requests.slice(start, start + MAX_ROWS))
          rows.push(
            loggedRequest(seen, await redactCall({ ...seen, isEndpoint: seen.endpoint !== null }, known)),
          );
        await db.transaction().execute((tx) => insertRequests(tx, rows, start === 0 ? missed : 0));
      }
    } catch {
      // A log that cannot be written, on a full disk or beside a locked database, is no reason to stop the service.
    }
    writtenAt = performance.now();
  };
  /** None for a request that comes alone: who asks for the log next must find it there. */
  const pause = () => (isBusy ? LONG_PAUSE_MS : Math.max(0, PAUSE_MS - (performance.now() - writtenAt)));
  /** Writes what was recorded so far; resolves when it is written, or cannot be. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  const add = (request: SeenRequest): void => {
    waiting.push(request);
    if (waiting.length > MAX_REQUESTS) {
      waiting.shift();
      dropped += 1;
    }
    timer ??= setTimeout(() => void flush(), pause()).unref();
  };
  return { add, flush };
}

/** A request as the log keeps it: redacted, and cut to what is kept. */
function loggedRequest(
  { url: _, credentials: __, ...rest }: SeenRequest,
  { path, query, body, answer }: RedactedCall,
): Omit<LoggedRequest, 'id'> {
  const orNull = (text: string | null) => (text === null ? null : cut(text));
  return { ...rest, path: cut(path), query: cut(query), body: orNull(body), answer: orNull(answer) };
}

/** PostgreSQL accepts no NUL in a text; long texts are cut. */
function cut(text: string): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
  return clean.length > MAX_KEPT ? `${clean.slice(0, MAX_KEPT)}…` : clean;
}

/** The one row that counts requests. */
const COUNT_ID = 1;

/**
 * Adds requests in a transaction and removes those that are too many. The counter's row is locked until the end, so
 * that ids become visible in their order and a follower misses none.
 *
 * @param dropped requests before these that a server did not keep; they leave a gap in the ids
 */
async function insertRequests(
  tx: Kysely<SandboxSchema>,
  requests: readonly Omit<LoggedRequest, 'id'>[],
  dropped: number,
): Promise<void> {
  const { made } = await tx
    .updateTable('sandbox_request_counts')
    .set((eb) => ({ made: eb('made', '+', requests.length + dropped) }))
    .where('id', '=', COUNT_ID)
    .returning('made')
    .executeTakeFirstOrThrow();
  const first = made - requests.length + 1;
  await tx
    .insertInto('sandbox_requests')
    .values(requests.map((request, index) => ({ id: first + index, ...request })))
    .execute();
  await tx
    .deleteFrom('sandbox_requests')
    .where('id', '<=', made - MAX_REQUESTS)
    .execute();
}

/** The requests that pass the filter, oldest first. */
export async function listRequests(
  db: Kysely<SandboxSchema>,
  { endpoint, partner, status, after, limit = MAX_REQUESTS }: RequestFilter,
): Promise<readonly LoggedRequest[]> {
  let query = db.selectFrom('sandbox_requests').selectAll();
  if (endpoint !== undefined) query = query.where('endpoint', '=', endpoint);
  if (partner !== undefined) query = query.where('partner', '=', partner);
  if (status !== undefined) query = query.where('status', '>=', status[0]).where('status', '<=', status[1]);
  if (after !== undefined) query = query.where('id', '>', after);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.reverse().map((row) => {
    const { endpoint } = row;
    return { ...row, endpoint: endpoint !== null && isEndpointName(endpoint) ? endpoint : null };
  });
}
