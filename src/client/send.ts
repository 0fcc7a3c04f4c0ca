import { InterruptedError, restated, SwapctlError } from '../errors.ts';
import { type JsonValue, parseJson } from '../partner-api/json.ts';
import type { RateAnswer } from '../swap/rate-limit.ts';
import { badResponse } from './decode.ts';
import { errorFromAnswer, errorFromTransport } from './error-mapping.ts';
import type { SentRequest } from './request-log.ts';
import { MAX_REPEATS, rateAnswerOf, retryDelay, type Waiting } from './retry.ts';
import type { ApiAnswer, ApiRequest, Transport, TransportOptions } from './transport.ts';
import { TransportError } from './transport-error.ts';

/** Options of a client: connection, clock, sleep, random source and callbacks. */
export interface ClientOptions extends TransportOptions, Waiting {
  /** Time on the clock {@link Waiting.monotonic} after which nothing is tried again. */
  readonly deadline?: number;
  /** Called before a repeat, for the progress line or the debug log. */
  readonly onRepeat?: (error: SwapctlError, delayMs: number) => void;
  /** Called after each request, for the debug log. */
  readonly onRequest?: (sent: SentRequest) => void;
  readonly transport?: Transport;
}

/** The share of one request, with its repeats, in the request limit of a key. */
export interface RequestTurns {
  /** Waits until a repeat may be sent; false if there is not enough time. */
  beforeRepeat(): Promise<boolean>;
  /** Receives the rate limit of each answer. */
  onAnswer(answer: RateAnswer): Promise<void>;
  /** Milliseconds until nothing is tried again. */
  timeLeft(): number;
}

/** Whether an answer reports success. */
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

/** A decoded answer with its HTTP status. */
export interface Received<T> {
  readonly value: T;
  readonly httpStatus: number;
}

/** Decodes the answer of a successful request. The error for an invalid answer carries its status. */
export function decodeAnswer<T>(answer: ApiAnswer, decode: (answer: ApiAnswer) => T): Received<T> {
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

/** Sends a repeatable request, a read or an idempotent change, at most three times. */
export async function sendRepeatable(
  transport: Transport,
  request: ApiRequest,
  options: ClientOptions,
  turns?: RequestTurns,
): Promise<ApiAnswer> {
  const left = () => Math.min(timeLeft(options), turns?.timeLeft() ?? Number.POSITIVE_INFINITY);
  for (let repeat = 0; ; repeat += 1) {
    const { answer, error } = await attempt(transport, { ...request, attempt: repeat + 1 }, options, left());
    if (answer !== null) await turns?.onAnswer(rateAnswerOf(answer, options.now()));
    if (error === null) return answer;
    if (error instanceof InterruptedError) throw error;
    // A caller that shares the limit gets a 429 immediately: the others have to wait too.
    const isShared = turns !== undefined && error.code === 'rate_limited';
    const delay =
      error.retryable && repeat < MAX_REPEATS && !isShared
        ? retryDelay(repeat, answer?.retryAfter ?? null, options)
        : null;
    if (delay === null || delay >= left()) throw error;
    options.onRepeat?.(error, delay);
    await options.sleep(delay);
    if ((await turns?.beforeRepeat()) === false) throw error;
  }
}

type Attempt = { answer: ApiAnswer; error: null } | { answer: ApiAnswer | null; error: SwapctlError };

async function attempt(
  transport: Transport,
  request: ApiRequest,
  options: ClientOptions,
  left: number,
): Promise<Attempt> {
  try {
    const answer = await transport(within(left, request, options));
    return isSuccess(answer) ? { answer, error: null } : { answer, error: errorFromAnswer(answer, options) };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { answer: null, error: errorFromTransport(error, new URL(options.baseUrl).host, options.signal) };
  }
}

function within(left: number, request: ApiRequest, { timeoutMs }: ClientOptions): ApiRequest {
  if (left === Number.POSITIVE_INFINITY) return request;
  return { ...request, timeoutMs: Math.max(1, Math.min(timeoutMs, left)) };
}
