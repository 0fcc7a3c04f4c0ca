import type { RateAnswer } from '../swap/rate-limit.ts';
import type { ApiAnswer } from './transport.ts';

/** Number of repeats of a repeatable request after its first try. */
export const MAX_REPEATS = 2;

/** Maximum pause that a server can ask for in a run of many requests, in milliseconds. */
export const MAX_WAIT_MS = 60_000;

/** Maximum pause of a single command, in milliseconds; for a longer one the command fails instead. */
export const MAX_PAUSE_MS = 10_000;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** Clock, sleep and random source, injected so that tests need none of the real ones. */
export interface Waiting {
  readonly now: () => number;
  /** Monotonic clock in milliseconds, for time limits; default `now`. */
  readonly monotonic?: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
}

/**
 * Pause before repeat number `repeat` (0 for the first), in milliseconds: that of `Retry-After`, or else full jitter with
 * a doubling bound. Null if `Retry-After` is longer than a single command waits.
 */
export function retryDelay(repeat: number, retryAfter: string | null, waiting: Waiting): number | null {
  const asked = retryAfterMs(retryAfter, waiting.now());
  if (asked !== null) return asked > MAX_PAUSE_MS ? null : asked;
  const bound = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** repeat);
  return Math.floor(waiting.random() * bound);
}

/** `Retry-After` in milliseconds from now, given as seconds or as an HTTP date; null if it is missing or unreadable. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^[0-9]+$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Za-z]{3},? /.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** A larger reset is a time in seconds since 1970, as some services send it. */
const MAX_RESET_SECONDS = 366 * 86_400;

/**
 * The rate limit in an answer's headers: `RateLimit-Limit`, `-Remaining` and `-Reset`, the same with the prefix `X-`, or a
 * single `RateLimit` as in drafts 7 (`limit=10, remaining=4, reset=30`) and 8 (`"name";r=4;t=30`).
 */
export function rateAnswerOf({ status, headers, retryAfter }: ApiAnswer, now: number): RateAnswer {
  const text = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  const together = text('ratelimit') ?? '';
  const part = (name: string) =>
    new RegExp(`(?:^|[\\s,;])${name}=([0-9]{1,15})(?![0-9.])`).exec(together)?.[1] ?? null;
  const figure = (name: string, ...parts: string[]) =>
    wholeNumber(
      text(`ratelimit-${name}`) ??
        text(`x-ratelimit-${name}`) ??
        parts.map(part).find((each) => each !== null),
    );
  const reset = figure('reset', 'reset', 't');
  const seconds = reset === null || reset <= MAX_RESET_SECONDS ? reset : Math.max(0, reset - now / 1000);
  return {
    status,
    limit: figure('limit', 'limit'),
    remaining: figure('remaining', 'remaining', 'r'),
    resetMs: seconds === null ? null : Math.ceil(seconds * 1000),
    retryAfterMs: retryAfterMs(retryAfter, now),
  };
}

/** The whole number at the start of a header, as in `120` or `120, 120;w=60`; null if there is none. */
function wholeNumber(text: string | null | undefined): number | null {
  const digits = /^\s*([0-9]{1,15})(?:\s*[,;]|\s*$)/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 10);
}
