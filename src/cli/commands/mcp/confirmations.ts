import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SwapctlError } from '../../../base/errors.ts';
import { isJsonObject } from '../../../core/partner-api/json.ts';

/** Time within which a create must be confirmed, in milliseconds. */
export const CONFIRM_WITHIN_MS = 300_000;

/** What a person is asked to confirm: which request, at which price. */
export interface Reviewed {
  readonly digest: string;
  readonly amount: string;
  readonly receive: string;
  /** Whether it is confirmed in a form, and not by a second call. */
  readonly byForm: boolean;
}

/** A digest of anything that JSON can write, whatever the order of its keys. */
export function digestOf(value: Readonly<Record<string, unknown>>): string {
  return hash('sha256', JSON.stringify(sorted(value)));
}

/**
 * What is handed to the host between the two calls of a create. It is signed with a key of this process, expires after
 * five minutes and can be used once, so that a host cannot make it up, change it or use it twice.
 */
export class Confirmations {
  readonly #key = randomBytes(32);
  readonly #now: () => number;
  /** Those in use or used, until they would have expired anyway. */
  readonly #used = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A text for the host. `until` is in milliseconds since 1970. */
  issue(reviewed: Reviewed): { readonly id: string; readonly until: number } {
    const until = this.#now() + CONFIRM_WITHIN_MS;
    const body = Buffer.from(JSON.stringify({ ...reviewed, until, nonce: randomBytes(12).toString('hex') }));
    const text = body.toString('base64url');
    return { id: `${text}.${this.#signature(text)}`, until };
  }

  /** Uses up what the host passes back. Throws like {@link read}. */
  redeem(id: string): Reviewed {
    const { nonce, until, ...reviewed } = this.read(id);
    this.#used.set(nonce, until);
    return reviewed;
  }

  /** Reads what the host passes back. Throws `declined` if it was not issued here, has expired, or was used. */
  read(id: string): Reviewed & { readonly nonce: string; readonly until: number } {
    const [text = '', signature = ''] = id.split('.');
    const [given, due] = [Buffer.from(signature), Buffer.from(this.#signature(text))];
    const isOurs = given.length === due.length && timingSafeEqual(given, due);
    const body: unknown = isOurs ? JSON.parse(Buffer.from(text, 'base64url').toString()) : null;
    if (!isJsonObject(body)) throw unusable('was not issued by this server');
    const read = body as unknown as ReturnType<Confirmations['read']>;
    const now = this.#now();
    for (const [each, end] of this.#used) if (end <= now) this.#used.delete(each);
    if (now >= read.until) throw unusable('has expired');
    if (this.#used.has(read.nonce)) throw unusable('was used before');
    return read;
  }

  #signature(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

function unusable(why: string): SwapctlError {
  return new SwapctlError('declined', `The confirmation id ${why}. Nothing was sent.`, {
    hint: 'Call again without `approval` to get a new one.',
  });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
