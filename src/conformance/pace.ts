import type { IncomingHttpHeaders } from 'node:http';
import type { Waiting } from '../client/retry.ts';
import { MAX_WAIT_MS } from '../client/retry.ts';

/** Interval between requests to a service that does not state its limit, in milliseconds: 109 a minute. */
const EVEN_MS = 550;

/** Requests left for other users of the key. */
const RESERVE = 20;

/** The clocks and the pause of {@link Waiting}. */
export type PaceClock = Pick<Waiting, 'now' | 'monotonic' | 'sleep'>;

interface Allowance {
  readonly remaining: number;
  /** Time on the monotonic clock at which the window ends. */
  readonly until: number;
}

/** Spaces requests evenly, unless the service's `RateLimit-*` headers allow many more; wider when they allow few. */
export class Pace {
  readonly #elapsed: () => number;
  readonly #sleep: PaceClock['sleep'];
  #last: number | undefined;
  #allowance: Allowance | undefined;

  constructor({ now, monotonic, sleep }: PaceClock) {
    this.#elapsed = monotonic ?? now;
    this.#sleep = sleep;
  }

  /** Waits until the next request may go out. */
  async next(): Promise<void> {
    const now = this.#elapsed();
    const pause = this.#last === undefined ? 0 : this.#last + this.#gap(now) - now;
    if (pause > 0) await this.#sleep(pause);
    this.#last = this.#elapsed();
  }

  /** Reads an answer's rate limit headers. */
  observe(headers: IncomingHttpHeaders): void {
    const remaining = wholeNumber(headers['ratelimit-remaining']);
    const reset = wholeNumber(headers['ratelimit-reset']);
    if (remaining === undefined || reset === undefined) return;
    this.#allowance = { remaining, until: this.#elapsed() + Math.min(reset * 1000, MAX_WAIT_MS) };
  }

  #gap(now: number): number {
    const allowance = this.#allowance;
    if (allowance === undefined) return EVEN_MS;
    if (allowance.remaining > RESERVE) return 0;
    return Math.max(0, allowance.until - now) / Math.max(1, allowance.remaining);
  }
}

function wholeNumber(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^[0-9]{1,9}$/.test(header) ? Number.parseInt(header, 10) : undefined;
}
