import type { IncomingHttpHeaders } from 'node:http';
import type { Waiting } from '../client/retry.ts';
import { MAX_WAIT_MS } from '../client/retry.ts';

/** Time between two requests to a service that does not tell its limit: 109 in a minute, in milliseconds. */
export const EVEN_MS = 550;

/** Requests that are left to whoever else uses the key. */
const RESERVE = 20;

/** The clocks and the pause of {@link Waiting}. */
export type PaceClock = Pick<Waiting, 'now' | 'monotonic' | 'sleep'>;

interface Allowance {
  readonly remaining: number;
  /** Moment of the monotonic clock at which the window ends. */
  readonly until: number;
}

/**
 * Keeps requests apart: evenly, unless the service's `RateLimit-*` headers say that plenty more may follow, and
 * further apart when they say that few may.
 */
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

  /** Takes in what an answer says of the limit. */
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
