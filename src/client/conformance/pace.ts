import type { IncomingHttpHeaders } from 'node:http';
import type { Waiting } from '../retry.ts';
import { LONGEST_WAIT_MS } from '../retry.ts';

/** Time between two requests to a service that does not tell its limit: 109 in a minute, in milliseconds. */
export const EVEN_MS = 550;

/** Requests that are left to whoever else uses the key. */
const RESERVE = 20;

/** The clock and the pause of {@link Waiting}. */
export type PaceClock = Pick<Waiting, 'now' | 'sleep'>;

interface Allowance {
  readonly remaining: number;
  /** Moment in milliseconds at which the window ends. */
  readonly until: number;
}

/**
 * Keeps requests apart: evenly, unless the service's `RateLimit-*` headers say that plenty more may follow, and
 * further apart when they say that few may.
 */
export class Pace {
  readonly #clock: PaceClock;
  #last: number | undefined;
  #allowance: Allowance | undefined;

  constructor(clock: PaceClock) {
    this.#clock = clock;
  }

  /** Waits until the next request may go out. */
  async next(): Promise<void> {
    const now = this.#clock.now();
    const pause = this.#last === undefined ? 0 : this.#last + this.#gap(now) - now;
    if (pause > 0) await this.#clock.sleep(pause);
    this.#last = this.#clock.now();
  }

  /** Takes in what an answer says of the limit. */
  heed(headers: IncomingHttpHeaders): void {
    const remaining = wholeNumber(headers['ratelimit-remaining']);
    const reset = wholeNumber(headers['ratelimit-reset']);
    if (remaining === undefined || reset === undefined) return;
    this.#allowance = { remaining, until: this.#clock.now() + Math.min(reset * 1000, LONGEST_WAIT_MS) };
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
