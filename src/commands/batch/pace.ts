import type { Context } from '../../context.ts';
import type { Budget } from '../../ledger/budget/budget.ts';
import { clockTime, rfc3339 } from '../../time.ts';

/** Another process may have given tokens back, or learned of more. */
const MAX_SLEEP_MS = 30_000;
/** Shorter waits are the usual distance between two requests. */
const SHOWN_WAIT_MS = 1000;

/** The requests of a batch under its budget: one after the other in the order in which they were asked for. */
export class Pace {
  readonly budget: Budget;
  /** Called with the time at which a longer wait ends, in milliseconds since 1970, and with null when it is over. */
  onWait: (until: number | null) => void = () => undefined;
  /** Turns taken so far. */
  turns = 0;
  readonly #context: Context;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: Context, budget: Budget) {
    this.#context = context;
    this.budget = budget;
  }

  /** Waits for the right to send one request. In a queue, or the row that is to be shown next could wait longest. */
  take(): Promise<void> {
    const turn = this.#last.then(() => this.#turn());
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #turn(): Promise<void> {
    const { now, signal, sleep } = this.#context;
    let isShown = false;
    for (let wait = await this.budget.tryTake(); wait > 0; wait = await this.budget.tryTake()) {
      signal.throwIfAborted();
      if (wait >= SHOWN_WAIT_MS) this.onWait(now() + wait);
      isShown ||= wait >= SHOWN_WAIT_MS;
      await sleep(Math.min(wait, MAX_SLEEP_MS));
    }
    this.turns += 1;
    if (isShown) this.onWait(null);
  }

  /** Milliseconds that this many requests take at the least, half of the budget being sent at once. */
  leastMs(requests: number): number {
    const { requests: budget, durationMs } = this.budget.limit;
    return (Math.max(0, requests - Math.max(0, budget / 2 - this.turns)) * durationMs) / budget;
  }

  /** What the wait until a time is for. */
  waitWords(until: number): string {
    const time = clockTime(rfc3339(until));
    if (this.budget.waitsFor() === 'service')
      return `Waiting for the service's own rate limit; continues at ${time}`;
    return `Waiting for the request budget, ${this.limitWords()}; continues at ${time}; --budget raises it`;
  }

  /** The budget in words, `60 per 60 s`. */
  limitWords(): string {
    const { requests, durationMs } = this.budget.limit;
    return `${requests} per ${durationMs / 1000} s`;
  }
}
