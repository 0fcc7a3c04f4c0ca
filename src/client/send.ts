import { InterruptedError, restated, SwapctlError } from '../errors.ts';
import type { JsonValue } from '../partner-api/json.ts';
import { parseJson } from '../partner-api/json.ts';
import type { RateAnswer } from '../swap/rate-limit.ts';
import { badResponse } from './decode.ts';
import { errorFromAnswer, errorFromTransport } from './error-mapping.ts';
import type { SentRequest } from './request-log.ts';
import type { Waiting } from './retry.ts';
import { MAX_REPEATS, rateAnswerOf, retryDelay } from './retry.ts';
import type { ApiAnswer, ApiRequest, Transport, TransportOptions } from './transport.ts';
import { TransportError } from './transport-error.ts';

/** Needs of a client beside its transport: clock, sleep, random source and a retry callback. */
export interface ClientOptions extends TransportOptions, Waiting {
  /** Moment of {@link Waiting.monotonic} after which nothing more is tried. */
  readonly deadline?: number;
  /** Called before a repeat, for a line of progress or the debug log. */
  readonly onRepeat?: (error: SwapctlError, delayMs: number) => void;
  /** Called for each request once it is over, for the debug log. */
  readonly onRequest?: (sent: SentRequest) => void;
  readonly transport?: Transport;
}

/** Counter of the requests of a key, and the time that one of them may take with all its repeats. */
export interface RequestTurns {
  /** Waits until a repeat may be sent; false where there is no time for that. */
  beforeRepeat(): Promise<boolean>;
  /** Told what each answer says of the service's limit. */
  onAnswer(answer: RateAnswer): Promise<void>;
  /** Milliseconds until nothing more is tried. */
  timeLeft(): number;
}

/** Whether the service did what it was asked to. */
export function isSuccess(answer: ApiAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** The answer's JSON with every digit; throws `bad_response` where it is none. */
export function parseAnswer(answer: ApiAnswer): JsonValue {
  try {
    return parseJson(answer.text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badResponse('it is not JSON');
    throw error;
  }
}

/** A decoded answer with its HTTP status, for a caller that may find that it cannot be used. */
export interface Received<T> {
  readonly value: T;
  readonly httpStatus: number;
}

/** Decodes the answer of a request that succeeded. The error for one that cannot be used carries its status. */
export function decodeAnswer<T>(answer: ApiAnswer, decode: (answer: ApiAnswer) => T): Received<T> {
  try {
    return { value: decode(answer), httpStatus: answer.status };
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    throw restated(error, error.message, { httpStatus: answer.status });
  }
}

/** Milliseconds until nothing more is tried, infinity without a deadline. */
export function timeLeft({ deadline, monotonic, now }: ClientOptions): number {
  return (deadline ?? Number.POSITIVE_INFINITY) - (monotonic ?? now)();
}

/** Sends what may be repeated, a read or a change that has the same effect twice: three times at most. */
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
    // Whoever takes turns with others is told at once of a 429: the others are to wait too.
    const isForOthersToo = turns !== undefined && error.code === 'rate_limited';
    const delay =
      error.retryable && repeat < MAX_REPEATS && !isForOthersToo
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
