import { InterruptedError, restated, SwapctlError } from '../../base/errors.ts';
import { type JsonValue, parseJson } from '../partner-api/json.ts';
import type { RateAnswer } from '../swap/rate-limit.ts';
import { badResponse } from './decode.ts';
import { errorFromAnswer, errorFromTransport } from './error-mapping.ts';
import type { SentRequest } from './request-log.ts';
import type { ApiAnswer, ApiRequest, Transport, TransportOptions } from './transport.ts';
import { TransportError } from './transport-error.ts';
import { noTimeLeft, type RequestTurns, takeTurn } from './turns.ts';

/** Options of a client: connection, clock, sleep, random source and callbacks. */
export interface ClientOptions extends TransportOptions, Waiting {
  /** Time on the clock {@link Waiting.monotonic} after which nothing is tried again. */
  readonly deadline?: number;
  /** Called before the wait for a repeat, for the progress line or the debug log. */
  readonly onRepeat?: (error: SwapctlError, delayMs: number) => void;
  /** Called after each request, for the debug log. */
  readonly onRequest?: (sent: SentRequest) => void;
  readonly transport?: Transport;
}

export function isSuccess(answer: ApiAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** The answer's JSON with every digit; throws `bad_response` if it is not JSON. */
export function parseAnswer(answer: ApiAnswer): JsonValue {
  try {
    return parseJson(answer.text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badResponse('it is not JSON');
    throw error;
  }
}

export interface Decoded<T> {
  readonly value: T;
  readonly httpStatus: number;
}

/** Decodes the answer of a successful request. The error for an invalid answer carries its status. */
export function decodeAnswer<T>(answer: ApiAnswer, decode: (answer: ApiAnswer) => T): Decoded<T> {
  try {
    return { value: decode(answer), httpStatus: answer.status };
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    throw restated(error, error.message, { httpStatus: answer.status });
  }
}

/** Milliseconds until nothing is tried again, infinity without a deadline. */
export function timeLeft({ deadline, monotonic, now }: ClientOptions): number {
  return (deadline ?? Number.POSITIVE_INFINITY) - (monotonic ?? now)();
}

/** Sends a repeatable request, a read or an idempotent change, and returns a successful answer; see {@link exchange}. */
export async function sendRepeatable(
  transport: Transport,
  request: ApiRequest,
  options: ClientOptions,
  turns?: RequestTurns,
): Promise<ApiAnswer> {
  const { answer, error } = await exchange(transport, request, options, turns);
  if (error !== null) throw error;
  return answer;
}

/** The last answer to a request, or none, and its error; null for a success. */
export type Exchanged =
  | { readonly answer: ApiAnswer; readonly error: null }
  | { readonly answer: ApiAnswer; readonly error: SwapctlError }
  | { readonly answer: null; readonly error: SwapctlError };

/**
 * Sends a request at most three times, each with a turn; the last failure is returned. A repeat waits as `Retry-After`
 * says, and is left out over {@link MAX_COMMAND_PAUSE_MS}; a 429 with `turns` waits for one. `timeout`: no turn in time.
 */
export async function exchange(
  transport: Transport,
  request: ApiRequest,
  options: ClientOptions,
  turns?: RequestTurns,
): Promise<Exchanged> {
  const left = () => Math.min(timeLeft(options), turns?.timeLeft() ?? Number.POSITIVE_INFINITY);
  const clock = options.monotonic ?? options.now;
  let last: Exchanged | null = null;
  let spent = 0;
  for (let repeat = 0; ; repeat += 1) {
    const noted = reportingWaits(options, last, turns);
    if (noted !== undefined && !(await takeTurn({ ...noted, timeLeft: left }, options.sleep))) {
      if (last === null) throw noTimeLeft();
      return last;
    }
    const started = clock();
    const sent = { ...request, signal: turns?.signal, attempt: repeat + 1 };
    last = await attempt(transport, sent, options, left());
    spent += clock() - started;
    const { answer, error } = last;
    if (answer !== null) await turns?.limit.observe(rateAnswerOf(answer, options.now()));
    if (error === null || error instanceof InterruptedError) return last;
    if (!(turns?.repeats?.(error, answer !== null) ?? error.retryable)) return last;
    if (repeat >= MAX_REPEATS || spent >= MAX_SPENT_MS) return last;
    // A program that shares the limit waits for a turn instead, because the others have to wait too.
    if (turns !== undefined && error.code === 'rate_limited') continue;
    const delay = retryDelay(repeat, answer?.retryAfter ?? null, options);
    if (delay === null || delay >= left()) return last;
    options.onRepeat?.(error, delay);
    await options.sleep(delay);
  }
}

/** Turns whose waits are reported as those of a repeat too. */
function reportingWaits(
  { onRepeat }: ClientOptions,
  last: Exchanged | null,
  turns: RequestTurns | undefined,
) {
  const error = last?.error ?? null;
  if (turns === undefined || error === null) return turns;
  const onWait = (milliseconds: number) => {
    turns.onWait?.(milliseconds);
    onRepeat?.(error, milliseconds);
  };
  return { ...turns, onWait };
}

async function attempt(transport: Transport, request: ApiRequest, options: ClientOptions, left: number) {
  try {
    const timeoutMs = Math.max(1, Math.min(request.timeoutMs ?? options.timeoutMs, left));
    const answer = await transport({ ...request, timeoutMs });
    return isSuccess(answer) ? { answer, error: null } : { answer, error: errorFromAnswer(answer, options) };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { answer: null, error: errorFromTransport(error, new URL(options.baseUrl).host, options.signal) };
  }
}

/** Number of repeats of a repeatable request after its first try. */
export const MAX_REPEATS = 2;

/** Time that tries may take, in milliseconds, to be repeated: after one that reached the usual time limit there is no other. */
const MAX_SPENT_MS = 25_000;

/** Maximum of a pause that swapctl doubles with each retry, and of one that conformance waits, in milliseconds. */
export const MAX_BACKOFF_MS = 60_000;

/** Maximum pause of a single command, in milliseconds; for a longer one the command fails instead. */
export const MAX_COMMAND_PAUSE_MS = 10_000;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/** Clock, sleep and random source, injected so that tests need none of the real ones. */
export interface Waiting {
  readonly now: () => number;
  /** Monotonic clock in milliseconds, for time limits; default `now`. */
  readonly monotonic?: () => number;
  /** Ends early, with an error, if `stopped` is given and aborted. */
  readonly sleep: (milliseconds: number, stopped?: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

/** Pause before repeat `repeat` (from 0) in ms: `Retry-After`, null if too long, or full jitter with doubling bound. */
export function retryDelay(repeat: number, retryAfter: string | null, waiting: Waiting): number | null {
  const asked = retryAfterMs(retryAfter, waiting.now());
  if (asked !== null) return asked > MAX_COMMAND_PAUSE_MS ? null : asked;
  const bound = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** repeat);
  return Math.floor(waiting.random() * bound);
}

/** `Retry-After` in milliseconds from now, given as seconds or as an HTTP date; null if it is missing or unreadable. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^[0-9]+$/.test(text)) return Number.parseInt(text, 10) * 1000;
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
