import { SwapctlError } from '../base/errors.ts';
import { describeTransportError, errorFromAnswer, errorFromTransport } from '../core/client/error-mapping.ts';
import { MAX_WAIT_MS, rateAnswerOf, retryAfterMs, type Waiting } from '../core/client/send.ts';
import type { ApiAnswer, ApiRequest, Transport } from '../core/client/transport.ts';
import { TransportError } from '../core/client/transport-error.ts';
import { ENDPOINTS, type EndpointName } from '../core/partner-api/endpoints.ts';
import { isJsonObject, type JsonObject, type JsonValue, tryParseJson } from '../core/partner-api/json.ts';
import type { RateAnswer } from '../core/swap/rate-limit.ts';

/** Pause after a 429 that does not say how long, in milliseconds. */
const LIMITED_PAUSE_MS = 30_000;

/** Number of 429s that one run waits out. */
const MAX_LIMITED = 3;

/** Requests in a row without an answer before the service counts as unreachable. */
const MAX_SILENT = 2;

interface ProbeOptions extends PaceClock {
  readonly transport: Transport;
  readonly host: string;
  readonly signal: AbortSignal;
  /** Time on the monotonic clock after which no request is sent. */
  readonly deadline: number;
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
  #limited = 0;

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
    if (known !== undefined) return known.catch(notAgain);
    const asked = this.#send(request);
    this.#asked.set(key, asked);
    return asked;
  }

  async #send(request: ApiRequest): Promise<Reply> {
    for (;;) {
      const answer = await this.#answerTo(request);
      this.#pace.observe(rateAnswerOf(answer, this.#options.now()));
      if (answer.status !== 429) {
        const reply = replyOf(request.endpoint, answer);
        this.#replies.push(reply);
        return reply;
      }
      await this.#waitOut(answer);
    }
  }

  /** Sends a read without an answer once more, so that a short network failure is no difference. */
  async #answerTo(request: ApiRequest): Promise<ApiAnswer> {
    const maxTries = ENDPOINTS[request.endpoint].method === 'GET' ? 2 : 1;
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#attempt(request);
      if (!(answer instanceof TransportError)) {
        this.#silent = 0;
        return answer;
      }
      if (answer.kind === 'interrupted' || tries >= maxTries) throw this.#noAnswer(answer);
    }
  }

  async #attempt(request: ApiRequest): Promise<ApiAnswer | TransportError> {
    await this.#pace.next();
    if ((this.#options.monotonic ?? this.#options.now)() >= this.#options.deadline) throw tooLate();
    try {
      return await this.#options.transport(request);
    } catch (error) {
      if (error instanceof TransportError) return error;
      throw error;
    }
  }

  #noAnswer(failure: TransportError): Error {
    const { host, signal } = this.#options;
    this.#silent += 1;
    const isAlone = this.#replies.length > 0 && this.#silent < MAX_SILENT && failure.kind !== 'interrupted';
    return isAlone
      ? new NoAnswer(describeTransportError(failure, host))
      : errorFromTransport(failure, host, signal);
  }

  async #waitOut(answer: ApiAnswer): Promise<void> {
    const pause = retryAfterMs(answer.retryAfter, this.#options.now()) ?? LIMITED_PAUSE_MS;
    this.#limited += 1;
    if (this.#limited > MAX_LIMITED || pause > MAX_WAIT_MS) throw errorFromAnswer(answer);
    await this.#options.sleep(pause);
  }
}

/** Reports a request without an answer in one check only; the others are not testable. */
function notAgain(error: unknown): never {
  throw error instanceof NoAnswer ? new NotTestable(error.message) : error;
}

function tooLate(): SwapctlError {
  return new SwapctlError('timeout', '--timeout was reached before all checks had run.', {
    retryable: true,
    hint: 'Try again with a longer --timeout: all checks take about a minute.',
  });
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

interface Allowance {
  readonly remaining: number;
  /** Time on the monotonic clock at which the window ends. */
  readonly until: number;
}

/** Spaces requests evenly, unless the service's `RateLimit-*` headers allow many more; wider when they allow few. */
class Pace {
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

  /** Reads an answer's rate limit. */
  observe({ remaining, resetMs }: RateAnswer): void {
    if (remaining === null || resetMs === null) return;
    this.#allowance = { remaining, until: this.#elapsed() + Math.min(resetMs, MAX_WAIT_MS) };
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
