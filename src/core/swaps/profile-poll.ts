import { randomUUID } from 'node:crypto';
import { InterruptedError, restated, SwapctlError } from '../../base/errors.ts';
import { rfc3339 } from '../../base/time.ts';
import { MORE_TIME } from '../client/turns.ts';
import type { BudgetLimit } from '../ledger/budget/limit.ts';
import { BUILT_IN_ACCOUNT, type Entry, type Owner } from '../ledger/entry.ts';
import { POLL_LEASE_MS } from '../ledger/polls.ts';
import { lastObservedSwap, type SeenSwap } from '../ledger/swap-result.ts';
import { type Poll, PollEngine, type PolledProfile, type PollPlan } from './follow/engine.ts';
import { isSchedulable } from './follow/profile.ts';
import { LedgerAccess } from './ledger-access.ts';
import { isForOneOrder, type LookedUp, serviceTime } from './lookup.ts';
import type { Ports, Service } from './ports.ts';
import { sharedBudget } from './request-budget.ts';

/** An order to poll, with the ports of its own profile. */
export interface OrderToPoll {
  readonly order: string;
  readonly ports: Ports;
  /** Its entry in the ledger, if already read. */
  readonly entry: Entry | null;
}

/** How orders are polled. */
export interface PollOptions {
  /** They were named individually: a failed poll is an error, however old the entry in the ledger is. */
  readonly named: boolean;
  /** They are few enough that the person who named them need not wait for lists. */
  readonly isFew: boolean;
  /** Swaps polled within this time are not polled again, in milliseconds; null for {@link usualMaxAgeMs}. */
  readonly maxAgeMs: number | null;
  /** Always 0 for the built-in service, whose clock and deposits the user controls. */
  readonly usualMaxAgeMs: number;
  readonly budget: BudgetLimit | null;
}

export interface PolledSwap {
  readonly swap: SeenSwap;
  /** Id of its entry in the ledger; null for an order that is not there. */
  readonly id: string | null;
  /** The service's time at which it was compared, in milliseconds since 1970. */
  readonly now: number;
  /** Seen neither in this run nor within the maximum age: no time was left for it, or it could not be read. */
  readonly isOld: boolean;
}

/** Result of one order: shown, failed, both, or neither if its service no longer knows it. */
interface PollEnd {
  readonly shown: PolledSwap | null;
  readonly error: SwapctlError | null;
}

/** Options of the polls of one profile, and what they share with those of the others. */
export interface ProfilePollOptions extends PollOptions {
  readonly startedAt: number;
  /** Monotonic milliseconds. */
  readonly deadline: number;
  onPoll(): void;
  onWait(): void;
}

/** Number of polls in flight if the orders were not named. */
const MAX_IN_FLIGHT = 4;
const OTHERS_MS = 2_000;
const OTHERS_STEP_MS = 250;

interface Wanted extends Poll {
  readonly target: OrderToPoll;
}

/** The polls of one run at one service with one key; see {@link pollOrders}. */
export class ProfilePoll implements PollPlan<PolledProfile, Wanted> {
  readonly #ports: Ports;
  readonly #wanted: readonly [OrderToPoll, ...OrderToPoll[]];
  readonly #options: ProfilePollOptions;
  readonly #ledger: LedgerAccess;
  readonly #holder = randomUUID();
  readonly #ends = new Map<OrderToPoll, PollEnd>();
  readonly #queue: OrderToPoll[] = [];
  /** Swaps that other processes are polling now. */
  readonly #elsewhere: OrderToPoll[] = [];
  /** Entries of the ledger as they were at the beginning. */
  readonly #entries = new Map<OrderToPoll, Entry | null>();
  // Named orders are few, and the first one that shows that the key is refused ends the run.
  readonly maxInFlight: number;
  readonly deadline: number;
  readonly outlastsLease = true;
  /** Swaps seen since then are recent, in milliseconds since 1970. */
  #since: number;

  constructor(ports: Ports, wanted: readonly [OrderToPoll, ...OrderToPoll[]], options: ProfilePollOptions) {
    this.#ports = ports;
    this.#wanted = wanted;
    this.#options = options;
    this.#ledger = new LedgerAccess(ports);
    this.#since = options.startedAt;
    this.maxInFlight = options.named ? 1 : MAX_IN_FLIGHT;
    this.deadline = options.deadline;
  }

  /** Polls swaps that are not recent; returns the result of each order, except those of an unusable profile. */
  async run(): Promise<ReadonlyMap<OrderToPoll, PollEnd>> {
    const [first] = this.#wanted;
    try {
      const service = await this.#ports.service();
      const owner = await this.#ports.owner();
      const { maxAgeMs, usualMaxAgeMs, startedAt } = this.#options;
      this.#since = startedAt + 1 - (maxAgeMs ?? (owner.account === BUILT_IN_ACCOUNT ? 0 : usualMaxAgeMs));
      for (const target of this.#wanted)
        this.#entries.set(
          target,
          target.entry ?? (await this.#ledger.read((ledger) => ledger.byOrder(owner, target.order))),
        );
      await this.#pollOld(service);
      await this.#showRest(service, owner);
    } catch (error) {
      if (!isReportable(error) || this.#ends.size > 0) throw error;
      this.#ends.set(first, { shown: null, error });
    }
    return this.#ends;
  }

  #entryOf(target: OrderToPoll): Entry | null {
    return this.#entries.get(target) ?? null;
  }

  async #pollOld(service: Service): Promise<void> {
    const { isFew, budget: limit, startedAt } = this.#options;
    const seenAt = (target: OrderToPoll) => this.#entryOf(target)?.seenAt ?? 0;
    const old = this.#wanted.filter((target) => seenAt(target) < this.#since || seenAt(target) > startedAt);
    this.#queue.push(...old.sort((a, b) => seenAt(a) - seenAt(b)));
    const budget = await sharedBudget(this.#ports, limit, this.#ledger.failed, isFew ? 'person' : 'list');
    const profile: PolledProfile = { ports: this.#ports, service, budget, pausedUntil: 0, isClosed: false };
    const engine = new PollEngine(this.#ports, this, { ledger: this.#ledger });
    engine.profiles.push(profile);
    try {
      while (!engine.isIdle || (this.#queue.length > 0 && !profile.isClosed))
        await engine.step(Number.POSITIVE_INFINITY);
      engine.throwIfFailed();
    } finally {
      await engine.settle();
    }
  }

  staggerMs(): number {
    return 0;
  }

  async next(profile: PolledProfile): Promise<Wanted | number> {
    for (let target = this.#queue.shift(); target !== undefined; target = this.#queue.shift()) {
      profile.isClosed ||= this.#timeLeft() <= 0;
      if (profile.isClosed) break;
      const wanted = await this.#claimed(target);
      if (wanted !== null) return wanted;
      this.#elsewhere.push(target);
    }
    return Number.POSITIVE_INFINITY;
  }

  async delay(profile: PolledProfile, wanted: Wanted, until: number): Promise<void> {
    await this.release(profile, wanted);
    this.#queue.unshift(wanted.target);
    if (until >= this.deadline) profile.isClosed = true;
    else this.#options.onWait();
  }

  seen({ service }: PolledProfile, { target }: Wanted, { swap }: LookedUp): void {
    const [id, seenAt] = [this.#entryOf(target)?.id ?? null, rfc3339(this.#ports.now())];
    const now = serviceTime(this.#ports, service);
    this.#ends.set(target, { shown: { swap: { ...swap, seenAt }, id, now, isOld: false }, error: null });
    this.#options.onPoll();
  }

  async failed(profile: PolledProfile, wanted: Wanted, error: SwapctlError): Promise<void> {
    await this.release(profile, wanted);
    const [{ target }, { named }] = [wanted, this.#options];
    const [isLate, isFirst] = [this.#timeLeft() <= 0, !profile.isClosed];
    if (!isForOneOrder(error)) profile.isClosed = true;
    if (named) return void this.#ends.set(target, { shown: null, error: isLate ? moreTime(error) : error });
    if (error.code === 'not_found') {
      this.#ends.set(target, { shown: null, error: null });
      await this.#ports.notify({
        level: 'warning',
        text: `the service no longer knows order ${target.order} of the ledger: ${error.message}`,
      });
      return;
    }
    const hasAnswered = [...this.#ends.values()].some(({ shown }) => shown !== null);
    // Too little time is not a failure, unless the service answered nothing in it. Polls in flight beside the first failed
    // one failed for the same reason.
    if (error.code === 'rate_limited' || (isLate && error.code === 'timeout' && hasAnswered)) return;
    if (isForOneOrder(error) || isFirst) this.#ends.set(target, { shown: null, error });
  }

  #timeLeft(): number {
    return this.deadline - this.#ports.monotonic();
  }

  /** Whether other processes may poll it too: named orders are polled whatever others do. */
  #isLeasable(target: OrderToPoll): boolean {
    const entry = this.#entryOf(target);
    return !this.#options.named && entry !== null && isSchedulable(entry);
  }

  /** Leases a swap; null if another process is polling it or has just done so. */
  async #claimed(target: OrderToPoll): Promise<Wanted | null> {
    const { order } = target;
    if (!this.#isLeasable(target)) return { target, order, entry: null, until: Number.POSITIVE_INFINITY };
    const followed = { owner: await this.#ports.owner(), orders: [order], unseenSince: this.#since };
    const claimed = await this.#ledger.write((ledger) =>
      ledger.polls.claimDue(followed, this.#holder, this.#ports.now()),
    );
    // While the ledger cannot be used, swaps are polled without a lease.
    if (claimed?.length === 0) return null;
    const [entry = null] = claimed ?? [];
    return { target, order, entry, until: this.#ports.monotonic() + POLL_LEASE_MS };
  }

  async release(_profile: PolledProfile, { target }: Wanted): Promise<void> {
    const id = this.#entryOf(target)?.id;
    if (id !== undefined && this.#isLeasable(target))
      await this.#ledger.write((ledger) => ledger.polls.postpone(id, 0));
  }

  /** Swaps that were not polled here are shown as the ledger has them by now. */
  async #showRest(service: Service, owner: Owner): Promise<void> {
    const rest = this.#wanted.filter((target) => {
      const end = this.#ends.get(target);
      return end === undefined || (end.error !== null && !this.#options.named);
    });
    const latest = rest.length === 0 ? new Map<string, Entry>() : await this.#seenElsewhere(owner);
    const now = serviceTime(this.#ports, service);
    for (const target of rest) {
      const entry = latest.get(target.order) ?? this.#entryOf(target);
      const shown = entry?.swap == null ? null : this.#fromLedger(entry, now);
      const error = this.#ends.get(target)?.error ?? (shown === null ? notPolledError(target.order) : null);
      this.#ends.set(target, { shown, error });
    }
  }

  #fromLedger(entry: Entry, now: number): PolledSwap {
    const isOld = entry.seenAt === null || entry.seenAt < this.#since || entry.seenAt > this.#ports.now();
    return {
      swap: lastObservedSwap(
        entry,
        now,
        isOld ? Number.POSITIVE_INFINITY : this.#since,
        Number.POSITIVE_INFINITY,
      ),
      id: entry.id,
      now,
      isOld,
    };
  }

  /** What this run and other processes have seen since it started, once the polls of the others are finished. */
  async #seenElsewhere(owner: Owner): Promise<ReadonlyMap<string, Entry>> {
    const waitUntil = Math.min(this.#options.deadline, this.#ports.monotonic() + OTHERS_MS);
    for (let waited = 0; ; waited += OTHERS_STEP_MS) {
      const entries = await this.#ledger.read((ledger) =>
        ledger.polls.seenSince(owner, this.#options.startedAt - 1),
      );
      const seen = new Map((entries ?? []).map((entry) => [entry.order ?? '', entry]));
      const isDone = this.#elsewhere.every(({ order }) => seen.has(order));
      if (isDone || waited >= OTHERS_MS || this.#ports.monotonic() >= waitUntil) return seen;
      await this.#ports.sleep(OTHERS_STEP_MS);
    }
  }
}

function isReportable(error: unknown): error is SwapctlError {
  return error instanceof SwapctlError && !(error instanceof InterruptedError);
}

function moreTime(error: SwapctlError): SwapctlError {
  const hint = 'Nothing changed. Use a longer --timeout.';
  return error.code === 'timeout' ? restated(error, error.message, { hint }) : error;
}

/** An order for which there was no time, and of which nothing is known. */
function notPolledError(order: string): SwapctlError {
  const message = `Order ${order} was not polled: the request budget left no time for it.`;
  return new SwapctlError('timeout', message, { retryable: true, hint: MORE_TIME });
}
