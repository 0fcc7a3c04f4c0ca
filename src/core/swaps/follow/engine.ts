import { InterruptedError, SwapctlError } from '../../../base/errors.ts';
import type { RequestTurns } from '../../client/turns.ts';
import type { Budget } from '../../ledger/budget/budget.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { LedgerAccess } from '../ledger-access.ts';
import { type LookedUp, lookUpSwap } from '../lookup.ts';
import type { Ports, Service } from '../ports.ts';

/** A swap to poll. Times are monotonic milliseconds. */
export interface Poll {
  readonly order: string;
  /** When its lease ends; infinity without one. */
  readonly until: number;
  /** Its entry as just read; null if it must be read again. */
  readonly entry: Entry | null;
}

/** A service with one key pair, at which swaps are polled. */
export interface PolledProfile {
  readonly ports: Ports;
  readonly service: Service;
  readonly budget: Budget;
  /** No request before this monotonic time, because of the budget or an unreachable service. */
  pausedUntil: number;
  /** Nothing more is polled there. */
  isClosed: boolean;
}

/** The caller's part in {@link PollEngine}: it chooses the swaps to poll, and is called with each result. */
export interface PollPlan<P extends PolledProfile, L extends Poll> {
  readonly maxInFlight: number;
  /** Nothing is sent after this monotonic time. */
  readonly deadline: number;
  /** Whether a poll waits for the service's limit for longer than its lease; another process may then poll it too. */
  readonly outlastsLease: boolean;
  /** Minimum time from one poll to the next while one is in flight, in milliseconds. */
  staggerMs(): number;
  /** A swap that is leased and due, or the milliseconds until the next check; infinity for none. */
  next(profile: P, now: number): Promise<L | number>;
  /** Keeps a swap, or returns it to other processes, because the budget has no turn for it until a time. */
  delay(profile: P, poll: L, until: number): Promise<void>;
  start?(profile: P, poll: L): void;
  /** A swap was seen, and recorded unless it says why not. */
  seen(profile: P, poll: L, seen: LookedUp): void;
  /** A poll that began at a time failed. */
  failed(profile: P, poll: L, error: SwapctlError, begunAt: number): Promise<void>;
  /** Returns a swap whose poll was given up. */
  release(profile: P, poll: L): Promise<void>;
  /** Called when a poll has ended, however it did. */
  end?(profile: P, poll: L): void;
}

/** What all polls of a run share. */
interface PollTools {
  readonly ledger: LedgerAccess;
  /** Gives requests up, in place of the client's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** Ends pauses, beside the signal of the ports. */
  readonly stop?: AbortSignal | undefined;
  /** Receives the HTTP status of each answer, and null for a poll without one. */
  readonly onAnswer?: ((status: number | null) => void) | undefined;
}

/** Polls swaps, each leased and with a turn in the budget of its profile; `lookUpSwap` records every sighting. */
export class PollEngine<P extends PolledProfile, L extends Poll> {
  readonly profiles: P[] = [];
  readonly #ports: Ports;
  readonly #plan: PollPlan<P, L>;
  readonly #tools: PollTools;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #alreadyPrinted = new Set<string>();
  #lastStart = 0;
  #failure: { readonly error: unknown } | null = null;

  constructor(ports: Ports, plan: PollPlan<P, L>, tools: PollTools) {
    this.#ports = ports;
    this.#plan = plan;
    this.#tools = tools;
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0;
  }

  /** Throws what ended a poll and must end the run. */
  throwIfFailed(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Starts the next poll, or waits for one to end or to be due, at most for a time in milliseconds. */
  async step(atMost: number): Promise<void> {
    this.throwIfFailed();
    const now = this.#ports.monotonic();
    const { maxInFlight } = this.#plan;
    const isFull = this.#inFlight.size >= maxInFlight;
    const stagger = this.#lastStart + this.#plan.staggerMs() - now;
    let wait = atMost;
    if (this.#inFlight.size > 0 && (isFull || stagger > 0)) {
      wait = isFull ? wait : Math.min(wait, stagger);
    } else {
      for (const profile of [...this.profiles]) {
        const next = await this.#begun(profile, now);
        if (next === null) return;
        wait = Math.min(wait, next);
      }
    }
    await this.#pause(wait);
  }

  /** Waits for the polls in flight. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  /** A pause, or a poll that ends before: then nothing is left behind that would keep the process. */
  async #pause(wait: number): Promise<void> {
    const sleep = (milliseconds: number) => this.#ports.sleep(milliseconds, this.#tools.stop);
    const { size } = this.#inFlight;
    if (size > 0 && (this.#plan.maxInFlight === 1 || wait === Number.POSITIVE_INFINITY))
      return Promise.race(this.#inFlight);
    if (size > 0)
      await Promise.race([...this.#inFlight, sleep(Math.min(wait, this.#plan.staggerMs() || STAGGER_MS))]);
    else if (wait < Number.POSITIVE_INFINITY) await sleep(wait);
  }

  /** Starts a poll of what is due at a profile: null, or the milliseconds until the next check. */
  async #begun(profile: P, now: number): Promise<number | null> {
    if (profile.isClosed) return Number.POSITIVE_INFINITY;
    if (profile.pausedUntil > now) return profile.pausedUntil - now;
    const next = await this.#plan.next(profile, now);
    if (typeof next === 'number') return next;
    const turn = await profile.budget.tryTake();
    if (turn > 0) {
      profile.pausedUntil = now + turn;
      await this.#plan.delay(profile, next, now + turn);
      return profile.isClosed ? Number.POSITIVE_INFINITY : turn;
    }
    this.#lastStart = now;
    this.#start(profile, next);
    // The next profile has its turn first.
    this.profiles.push(...this.profiles.splice(0, this.profiles.indexOf(profile) + 1));
    return null;
  }

  #start(profile: P, next: L): void {
    this.#plan.start?.(profile, next);
    const poll = this.#poll(profile, next)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#plan.end?.(profile, next);
        this.#inFlight.delete(poll);
      });
    this.#inFlight.add(poll);
  }

  async #poll(profile: P, poll: L): Promise<void> {
    const { ports, service } = profile;
    const begunAt = this.#ports.monotonic();
    let answers = 0;
    const onAnswer = (status: number | null) => {
      answers += 1;
      this.#tools.onAnswer?.(status);
    };
    try {
      const seen = await lookUpSwap(ports, service, poll.order, {
        known: poll.entry,
        alreadyPrinted: this.#alreadyPrinted,
        turns: this.#turns(profile.budget, poll.until, onAnswer),
        onLedgerError: this.#tools.ledger.failed,
      });
      this.#plan.seen(profile, poll, seen);
    } catch (error) {
      if (error instanceof SwapctlError && !(error instanceof InterruptedError))
        return this.#plan.failed(profile, poll, error, begunAt);
      await this.#plan.release(profile, poll);
      throw error;
    } finally {
      if (answers === 0) onAnswer(null);
    }
  }

  /** Turns of a poll in a budget; the first one was taken with the lease. */
  #turns(budget: Budget, until: number, onAnswer: (status: number) => void): RequestTurns {
    const { deadline, outlastsLease } = this.#plan;
    const { monotonic } = this.#ports;
    const lease = until - monotonic();
    let end = until - LEASE_MARGIN_MS;
    let [isFirst, isWaiting] = [true, false];
    const timeLeft = () => Math.min(deadline, isWaiting && outlastsLease ? deadline : end) - monotonic();
    const tryTake = async () => {
      if (isFirst) {
        isFirst = false;
        return 0;
      }
      const wait = await budget.tryTake();
      if (isWaiting && wait === 0 && outlastsLease) end = monotonic() + lease - LEASE_MARGIN_MS;
      isWaiting = wait > 0;
      return wait;
    };
    const observe: RequestTurns['limit']['observe'] = (answer) => {
      onAnswer(answer.status);
      return budget.observe(answer);
    };
    return { timeLeft, limit: { tryTake, observe }, signal: this.#tools.signal };
  }
}

/** Longest time for which a slow response delays other polls. */
export const STAGGER_MS = 300;
/** A poll is recorded this long before its lease ends. */
const LEASE_MARGIN_MS = 2_000;
