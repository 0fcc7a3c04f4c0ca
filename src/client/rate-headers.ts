import type { RateAnswer } from '../swap/rate-limit.ts';
import { retryAfterMs } from './retry.ts';
import type { ApiAnswer } from './transport.ts';

/** A reset that is larger than this is a time in seconds since 1970, as some services give it. */
const MAX_RESET_SECONDS = 366 * 86_400;

/**
 * Rate limit of the service as an answer tells it: `RateLimit-Limit`, `-Remaining` and `-Reset`, the same with `X-` before,
 * or a single `RateLimit` as in the drafts 7 (`limit=10, remaining=4, reset=30`) and 8 (`"name";r=4;t=30`).
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

/** A whole number that begins a header, as in `120` or `120, 120;w=60`; null where there is none. */
function wholeNumber(text: string | null | undefined): number | null {
  const digits = /^\s*([0-9]{1,15})(?:\s*[,;]|\s*$)/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 10);
}
