import { SwapctlError } from '../../errors.ts';
import { Failure } from '../failure.ts';
import { LONGEST_WAIT_MS, retryAfterMs } from '../retry.ts';
import { describeFailure, errorFromAnswer, errorFromFailure } from '../translate.ts';
import type { ApiAnswer, ApiRequest, Transport } from '../transport.ts';
import type { PaceClock } from './pace.ts';
import { Pace } from './pace.ts';
import type { Reply } from './reply.ts';
import { replyOf } from './reply.ts';

/** Pause after a 429 that does not say how long, in milliseconds. */
const LIMITED_PAUSE_MS = 30_000;

/** How often a 429 is waited out in one run. */
const MOST_LIMITED = 3;

/** Requests in a row without an answer before the service counts as unreachable. */
const MOST_SILENT = 2;

/** What a probe works with. */
export interface ProbeOptions extends PaceClock {
  readonly transport: Transport;
  readonly host: string;
  readonly signal: AbortSignal;
  /** Moment in milliseconds after which nothing more is asked. */
  readonly deadline: number;
}

/** One request had no whole answer, though others have; the message says why. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * Asks the service, one request after the other and none twice: checks that ask the same share its answer, so that
 * an order is made once however many checks look at it.
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
   * The answer to a request, whatever its status. Throws {@link NoAnswer} where just this one had none, and
   * SwapctlError where the service cannot be reached at all or the time is up.
   */
  ask(request: ApiRequest): Promise<Reply> {
    const key = JSON.stringify(request, (_, value: unknown) => (value === undefined ? null : value));
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const asked = this.#send(request);
    this.#asked.set(key, asked);
    return asked;
  }

  async #send(request: ApiRequest): Promise<Reply> {
    for (;;) {
      await this.#pace.next();
      const answer = await this.#attempt(request);
      this.#pace.heed(answer.headers);
      if (answer.status !== 429) {
        const reply = replyOf(request.endpoint, answer);
        this.#replies.push(reply);
        return reply;
      }
      await this.#waitOut(answer);
    }
  }

  async #attempt(request: ApiRequest): Promise<ApiAnswer> {
    const { transport, host, signal, deadline, now } = this.#options;
    if (now() >= deadline)
      throw new SwapctlError('timeout', 'The time of --timeout was up before all checks.');
    try {
      const answer = await transport(request);
      this.#silent = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#silent += 1;
      const alone = this.#replies.length > 0 && this.#silent < MOST_SILENT;
      if (!alone || error.kind === 'interrupted') throw errorFromFailure(error, host, signal);
      throw new NoAnswer(describeFailure(error, host));
    }
  }

  async #waitOut(answer: ApiAnswer): Promise<void> {
    const pause = retryAfterMs(answer.retryAfter, this.#options.now()) ?? LIMITED_PAUSE_MS;
    this.#limited += 1;
    if (this.#limited > MOST_LIMITED || pause > LONGEST_WAIT_MS) throw errorFromAnswer(answer);
    await this.#options.sleep(pause);
  }
}
