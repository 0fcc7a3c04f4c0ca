import { clockTime, rfc3339 } from '../../../base/time.ts';
import { noTimeLeft, type RequestTurns, takeTurn } from '../../client/turns.ts';
import type { Budget } from '../../ledger/budget/budget.ts';
import { type BudgetLimit, programMs } from '../../ledger/budget/limit.ts';
import type { RateAnswer } from '../../swap/rate-limit.ts';
import type { SwapRequest } from '../../swap/swap.ts';
import type { Ports, Service } from '../ports.ts';
import { pacedService, sharedBudget } from '../request-budget.ts';

/** Shorter waits are the usual interval between two requests. */
const SHOWN_WAIT_MS = 1000;

/** A request that waits for its turn. */
interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The requests of a batch within its budget, in turn: reads first, because rows ready to create wait for them. */
export class Pace {
  readonly budget: Budget;
  /** Called with the time at which a longer wait ends, in milliseconds since 1970, and with null when it is over. */
  onWait: (until: number | null) => void = () => undefined;
  turns = 0;
  readonly #ports: Ports;
  readonly #reads: Waiter[] = [];
  readonly #creates: Waiter[] = [];
  #isServing = false;
  #begunAt: number | null = null;

  constructor(ports: Ports, budget: Budget) {
    this.#ports = ports;
    this.budget = budget;
  }

  /** Waits for the right to send one request. */
  take(kind: 'read' | 'create'): Promise<void> {
    return new Promise((resolve, reject) => {
      (kind === 'read' ? this.#reads : this.#creates).push({ resolve, reject });
      if (!this.#isServing) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    while (this.#reads.length + this.#creates.length > 0) {
      const failure = await this.#turn().then(
        () => null,
        (error: unknown) => ({ error }),
      );
      // Chosen after the wait, because a read may have arrived during it.
      const next = this.#reads.shift() ?? this.#creates.shift();
      if (failure === null) next?.resolve();
      else next?.reject(failure.error);
    }
    this.#isServing = false;
  }

  async #turn(): Promise<void> {
    const { now, monotonic, deadline, signal, sleep } = this.#ports;
    let isShown = false;
    const onWait = (wait: number) => {
      signal.throwIfAborted();
      if (wait >= SHOWN_WAIT_MS) this.onWait(now() + wait);
      isShown ||= wait >= SHOWN_WAIT_MS;
    };
    const timeLeft = () => deadline() - monotonic();
    const isInTime = await takeTurn({ limit: this.budget, timeLeft, onWait }, sleep);
    if (isShown) this.onWait(null);
    if (!isInTime) throw noTimeLeft();
    this.turns += 1;
    this.#begunAt ??= now();
  }

  /** Milliseconds that this many more requests take, if no other process uses the budget. */
  leastMs(requests: number): number {
    const now = this.#ports.now();
    return Math.max(0, programMs(this.turns + requests, this.budget.limit) - (now - (this.#begunAt ?? now)));
  }

  /** What the wait until a time is for. */
  waitWords(until: number): string {
    const time = clockTime(rfc3339(until));
    if (this.budget.waitsFor() === 'service')
      return `Waiting for the service's rate limit; continues at ${time}`;
    return `Waiting for the request budget (${this.limitWords()}; see --budget); continues at ${time}`;
  }

  /** The budget in words, `60 per 60 s`. */
  limitWords(): string {
    const { requests, durationMs } = this.budget.limit;
    return `${requests} per ${durationMs / 1000} s`;
  }
}

/** The service of the profile, within the budget of its key. */
export interface BudgetedService {
  /** Takes a turn for each quote and order read; a create is sent immediately, and no signal cuts it short. */
  readonly service: Service;
  /** For the turn of a create, which is taken before anything is recorded. */
  readonly pace: Pace;
}

export interface BudgetOptions {
  /** Null is the default of the service. */
  readonly budget: BudgetLimit | null;
  readonly dryRun: boolean;
}

/** The service within the budget that all processes share; `lasting` is it without the signal, for creates. */
export async function budgetedService(
  ports: Ports,
  lasting: Service,
  { budget: limit, dryRun }: BudgetOptions,
): Promise<BudgetedService> {
  let isNoted = false;
  const budget = await sharedBudget(ports, limit, (error) => {
    // Without the ledger nothing can be created, and each further request would wait for it again.
    if (!dryRun) throw error;
    const text = `${error.message} The request budget applies to this command only.`;
    if (!isNoted) void ports.notify({ level: 'note', text });
    isNoted = true;
  });
  const pace = new Pace(ports, budget);
  const turns: RequestTurns = {
    limit: {
      tryTake: async () => {
        await pace.take('read');
        return 0;
      },
      observe: (answer) => budget.observe(answer),
    },
    timeLeft: () => Number.POSITIVE_INFINITY,
  };
  const create = async (request: SwapRequest) => {
    const rateAnswers: RateAnswer[] = [];
    try {
      return await lasting.client.create(request, (answer) => void rateAnswers.push(answer));
    } finally {
      // A failure to count must not lose the response.
      for (const answer of rateAnswers) await budget.observe(answer).catch(() => undefined);
    }
  };
  const service = pacedService(await ports.service(), turns);
  return { pace, service: { ...service, client: { ...service.client, create } } };
}
