import type { Database } from '../../database/database.ts';
import { type RedactedCall, redactCall } from '../../partner-api/redact-call.ts';
import { KnownSecrets } from '../../partner-api/redaction.ts';
import type { SandboxSchema } from '../state/schema.ts';
import { insertRequests } from './repository.ts';
import { type LoggedRequest, MAX_KEPT, MAX_REQUESTS, type SeenRequest } from './request.ts';

/** Requests that are written at a time: a millisecond or two. */
const MAX_ROWS = 100;

/** Pause before requests are written, in milliseconds. */
const PAUSE_MS = 100;

/**
 * Pause after many requests, so that a load of any size costs no more than the log holds, once a second. A row costs
 * some 100 microseconds; without the pause each quote, of 118, would cost that on top instead of 18 (busy machine, 8,000 quotes).
 */
const LONG_PAUSE_MS = 1000;

/**
 * Remembers requests and writes them in the background: no request waits for it, and none fails because of it. Where
 * more arrive than the log holds, the oldest are dropped unwritten.
 */
export class RequestRecorder {
  readonly #database: Database<SandboxSchema>;
  readonly #knownSecrets: () => Promise<readonly string[]>;
  readonly #waiting: SeenRequest[] = [];
  /** Requests that were noted, and those of them that were written or dropped. */
  #noted = 0;
  #done = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isBusy = false;

  /** @param knownSecrets the key pairs of all partners */
  constructor(database: Database<SandboxSchema>, knownSecrets: () => Promise<readonly string[]>) {
    this.#database = database;
    this.#knownSecrets = knownSecrets;
  }

  /** Remembers a request. */
  note(request: SeenRequest): void {
    this.#waiting[this.#noted % MAX_REQUESTS] = request;
    this.#noted += 1;
    this.#timer ??= setTimeout(() => void this.flush(), this.#isBusy ? LONG_PAUSE_MS : PAUSE_MS).unref();
  }

  /** Writes what was noted so far; ends when it is written, or cannot be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const count = Math.min(this.#noted - this.#done, MAX_REQUESTS);
    if (count === 0) return;
    this.#isBusy = count > MAX_ROWS;
    const first = this.#noted - count;
    let passed = first - this.#done;
    const taken = Array.from({ length: count }, (_, index) => this.#waiting[(first + index) % MAX_REQUESTS]);
    this.#done = this.#noted;
    try {
      const known = new KnownSecrets(await this.#knownSecrets());
      for (let start = 0; start < count; start += MAX_ROWS) {
        const rows: Omit<LoggedRequest, 'id'>[] = [];
        for (const seen of taken.slice(start, start + MAX_ROWS))
          if (seen !== undefined)
            rows.push(
              loggedRequest(seen, await redactCall({ ...seen, isEndpoint: seen.endpoint !== null }, known)),
            );
        await this.#database.transaction((tx) => insertRequests(tx, rows, passed));
        passed = 0;
      }
    } catch {
      // A log that cannot be written, on a full disk or beside a locked database, is no reason to stop the service.
    }
  }
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
