import { InterruptedError, type SwapctlError } from '../base/errors.ts';
import { type ClientOptions, exchange, MAX_BACKOFF_MS, type Waiting } from '../core/client/send.ts';
import type { ApiAnswer, ApiRequest, Transport } from '../core/client/transport.ts';
import type { RequestLimit } from '../core/client/turns.ts';
import { ENDPOINTS, type EndpointName } from '../core/partner-api/endpoints.ts';
import { isJsonObject, type JsonObject, type JsonValue, tryParseJson } from '../core/partner-api/json.ts';
import type { RateAnswer } from '../core/swap/rate-limit.ts';

/** Pause after a 429 that does not say how long, in milliseconds. */
const LIMITED_PAUSE_MS = 30_000;

/** Requests in a row without an answer before the service counts as unreachable. */
const MAX_SILENT = 2;

interface ProbeOptions extends ClientOptions {
  readonly transport: Transport;
}

/** A request that got no complete answer, though others did; the message gives the reason. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * Sends requests to the service, one after the other and each only once: checks with the same request share its answer,
 * so one order serves all checks that read it.
 */
export class Probe {
  readonly #options: ProbeOptions;
  readonly #pace: Pace;
  readonly #asked = new Map<string, Promise<Reply>>();
  readonly #replies: Reply[] = [];
  #silent = 0;

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.#pace = new Pace(options);
  }

  /** Every answer so far. */
  get replies(): readonly Reply[] {
    return this.#replies;
  }

  /**
   * The answer to a request, whatever its status. Throws {@link NoAnswer} if only this request got none, and
   * SwapctlError where the service is unreachable or the time is up.
   */
  ask(request: ApiRequest): Promise<Reply> {
    const key = JSON.stringify(request, (_, value: unknown) => (value === undefined ? null : value));
    const known = this.#asked.get(key);
    if (known !== undefined)
      return known.catch((error: unknown) => {
        // A request without an answer is reported in one check only; the others are not testable.
        throw error instanceof NoAnswer ? new NotTestable(error.message) : error;
      });
    const asked = this.#send(request);
    this.#asked.set(key, asked);
    return asked;
  }

  /** Sends a read without an answer again, so that a short network failure is no difference. */
  async #send(request: ApiRequest): Promise<Reply> {
    const { transport } = this.#options;
    const isRead = ENDPOINTS[request.endpoint].method === 'GET';
    const { answer, error } = await exchange(transport, request, this.#options, {
      limit: this.#pace,
      timeLeft: () => Number.POSITIVE_INFINITY,
      repeats: ({ code, retryable }, isAnswered) =>
        isAnswered ? code === 'rate_limited' : isRead && retryable,
    });
    if (answer === null) throw this.#noAnswer(error);
    this.#silent = 0;
    if (error?.code === 'rate_limited') throw error;
    const reply = replyOf(request.endpoint, answer);
    this.#replies.push(reply);
    return reply;
  }

  #noAnswer(error: SwapctlError): Error {
    this.#silent += 1;
    const isAlone = this.#replies.length > 0 && this.#silent < MAX_SILENT;
    return isAlone && !(error instanceof InterruptedError) ? new NoAnswer(error.message) : error;
  }
}

/** The service offers nothing to test a check on; the message says what is missing. */
export class NotTestable extends Error {
  override readonly name = 'NotTestable';
}

/** Interval between requests to a service that does not state its limit, in milliseconds: 109 a minute. */
const EVEN_MS = 550;

/** Requests left for other users of the key. */
const RESERVE = 20;

/** The clocks and the pause of {@link Waiting}. */
export type PaceClock = Pick<Waiting, 'now' | 'monotonic' | 'sleep'>;

/** Spaces requests evenly, unless the service's `RateLimit-*` headers allow many more; wider when they allow few. */
class Pace implements RequestLimit {
  readonly #elapsed: () => number;
  #last: number | undefined;
  /** Requests left, until a time on the monotonic clock at which the window ends. */
  #allowance: { readonly remaining: number; readonly until: number } | undefined;
  #resumesAt = 0;

  constructor({ now, monotonic }: PaceClock) {
    this.#elapsed = monotonic ?? now;
  }

  async tryTake(): Promise<number> {
    const now = this.#elapsed();
    const gap = this.#last === undefined ? 0 : this.#last + this.#gap(now) - now;
    const wait = Math.max(0, gap, this.#resumesAt - now);
    if (wait === 0) this.#last = now;
    return wait;
  }

  async observe({ status, remaining, resetMs, retryAfterMs }: RateAnswer): Promise<void> {
    const now = this.#elapsed();
    if (status === 429) {
      const pause = retryAfterMs ?? LIMITED_PAUSE_MS;
      this.#resumesAt = pause > MAX_BACKOFF_MS ? Number.POSITIVE_INFINITY : now + pause;
    }
    if (remaining === null || resetMs === null) return;
    this.#allowance = { remaining, until: now + Math.min(resetMs, MAX_BACKOFF_MS) };
  }

  #gap(now: number): number {
    const allowance = this.#allowance;
    if (allowance === undefined) return EVEN_MS;
    if (allowance.remaining > RESERVE) return 0;
    return Math.max(0, allowance.until - now) / Math.max(1, allowance.remaining);
  }
}

/** An answer in the form that the checks read. */
export interface Reply {
  readonly endpoint: EndpointName;
  readonly status: number;
  readonly ok: boolean;
  /** The body, undefined if it is not JSON. */
  readonly json: JsonValue | undefined;
  /** The body where it is an object, else an empty one. */
  readonly body: JsonObject;
  /** Status and message in one line. */
  readonly words: string;
  readonly answer: ApiAnswer;
}

/** Reads an answer without assuming anything about it. */
function replyOf(endpoint: EndpointName, answer: ApiAnswer): Reply {
  const json = tryParseJson(answer.text);
  const body = isJsonObject(json) ? json : {};
  const ok = answer.status >= 200 && answer.status < 300;
  return { endpoint, status: answer.status, ok, json, body, words: wordsOf(answer, json, body), answer };
}

function wordsOf({ status }: ApiAnswer, json: JsonValue | undefined, { message }: JsonObject): string {
  if (json === undefined) return `${status}, not JSON`;
  if (typeof message === 'string') return `${status} ${message}`;
  return Array.isArray(message) ? `${status} [${message.map(String).join('; ')}]` : String(status);
}
