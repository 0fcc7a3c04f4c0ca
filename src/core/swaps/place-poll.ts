import { randomUUID } from 'node:crypto';
import { InterruptedError, restated, SwapctlError } from '../../base/errors.ts';
import { rfc3339 } from '../../base/time.ts';
import type { Budget } from '../ledger/budget/budget.ts';
import type { BudgetLimit } from '../ledger/budget/limit.ts';
import { BUILT_IN_ACCOUNT, type Entry, type Owner } from '../ledger/entry.ts';
import { POLL_LEASE_MS } from '../ledger/polls.ts';
import { type SeenSwap, seenSwap } from '../ledger/swap-result.ts';
import { isSchedulable } from './follow/place.ts';
import { LedgerAccess } from './ledger-access.ts';
import { isForOneOrder, lookUpSwap, serviceTime } from './lookup.ts';
import { pollTurns } from './poll-turns.ts';
import type { Ports, Service } from './ports.ts';
import { sharedBudget } from './request-budget.ts';

/** An order to poll, with the ports of its own profile. */
export interface OrderToPoll {
  readonly order: string;
  readonly place: Ports;
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
  /** The service's time at which it was judged, in milliseconds since 1970. */
  readonly now: number;
  /** Seen neither in this run nor within the maximum age: no time was left for it, or it could not be read. */
  readonly isOld: boolean;
}

/** Result of one order: shown, failed, both, or neither if its service no longer knows it. */
interface PollEnd {
  readonly shown: PolledSwap | null;
  readonly error: SwapctlError | null;
}

/** Options of the polls at one place, and what they share with those at the others. */
export interface PlacePollOptions extends PollOptions {
  readonly startedAt: number;
  /** Monotonic milliseconds. */
  readonly deadline: number;
  onPoll(): void;
  onWait(): void;
}

interface PollTools {
  readonly service: Service;
  readonly owner: Owner;
  readonly budget: Budget;
}

/** Number of polls in flight if the orders were not named. */
const MAX_IN_FLIGHT = 4;
/** Maximum wait for the polls of other processes. */
const OTHERS_MS = 2_000;
const OTHERS_STEP_MS = 250;

/** The polls of one run at one service with one key; see {@link pollSwaps}. */
export class PlacePoll {
  readonly #ports: Ports;
  readonly #wanted: readonly OrderToPoll[];
  readonly #options: PlacePollOptions;
  readonly #ledger: LedgerAccess;
  readonly #holder = randomUUID();
  readonly #ends = new Map<OrderToPoll, PollEnd>();
  /** Swaps that other processes are polling now. */
  readonly #elsewhere: OrderToPoll[] = [];
  readonly #alreadyPrinted = new Set<string>();
  /** Entries of the ledger as they were at the beginning. */
  readonly #entries = new Map<OrderToPoll, Entry | null>();
  /** Swaps seen since then are recent, in milliseconds since 1970. */
  #since: number;
  #isStopped = false;

  constructor(ports: Ports, wanted: readonly OrderToPoll[], options: PlacePollOptions) {
    this.#ports = ports;
    this.#wanted = wanted;
    this.#options = options;
    this.#ledger = new LedgerAccess(ports);
    this.#since = options.startedAt;
  }

  /** Polls swaps that are not recent; returns the result of each order, except those of an unusable profile. */
  async run(): Promise<ReadonlyMap<OrderToPoll, PollEnd>> {
    const [first] = this.#wanted;
    try {
      const service = await this.#ports.service();
      const owner = await this.#ports.owner();
      const { maxAgeMs, usualMaxAgeMs, startedAt } = this.#options;
      this.#since = startedAt + 1 - (maxAgeMs ?? (owner.account === BUILT_IN_ACCOUNT ? 0 : usualMaxAgeMs));
      for (const placed of this.#wanted)
        this.#entries.set(
          placed,
          placed.entry ?? (await this.#ledger.read((ledger) => ledger.byOrder(owner, placed.order))),
        );
      await this.#pollOld(service, owner);
      await this.#showRest(service, owner);
    } catch (error) {
      if (!isReportable(error) || first === undefined || this.#ends.size > 0) throw error;
      this.#ends.set(first, { shown: null, error });
    }
    return this.#ends;
  }

  #entryOf(placed: OrderToPoll): Entry | null {
    return this.#entries.get(placed) ?? null;
  }

  async #pollOld(service: Service, owner: Owner): Promise<void> {
    const { named, isFew, budget: limit, startedAt } = this.#options;
    const seenAt = (placed: OrderToPoll) => this.#entryOf(placed)?.seenAt ?? 0;
    const queue = this.#wanted
      .filter((placed) => seenAt(placed) < this.#since || seenAt(placed) > startedAt)
      .sort((a, b) => seenAt(a) - seenAt(b));
    if (queue.length === 0) return;
    const budget = await sharedBudget(this.#ports, limit, this.#ledger.failed, isFew ? 'person' : 'list');
    const tools = { service, owner, budget };
    const worker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if (this.#isStopped) return;
        await this.#poll(next, tools);
      }
    };
    // Named orders are few, and the first one that shows that the key is refused ends the run.
    await Promise.all(Array.from({ length: named ? 1 : MAX_IN_FLIGHT }, worker));
  }

  async #poll(placed: OrderToPoll, tools: PollTools): Promise<void> {
    const timeLeft = () => this.#options.deadline - this.#ports.monotonic();
    while (!this.#isStopped) {
      if (!(await this.#isClaimed(placed, tools.owner))) return void this.#elsewhere.push(placed);
      const wait = timeLeft() <= 0 ? 1 : await tools.budget.tryTake();
      if (wait > 0) {
        await this.#release(placed);
        if (wait >= timeLeft()) this.#isStopped = true;
        else {
          this.#options.onWait();
          await this.#ports.sleep(wait);
        }
        continue;
      }
      try {
        return await this.#read(placed, tools);
      } catch (error) {
        await this.#release(placed);
        if (!isReportable(error)) throw error;
        return this.#failed(placed, error, timeLeft() <= 0);
      }
    }
  }

  async #read(placed: OrderToPoll, { service, budget }: PollTools): Promise<void> {
    const ports = this.#ports;
    const lease = this.#isLeasable(placed) ? POLL_LEASE_MS : Number.POSITIVE_INFINITY;
    const until = ports.monotonic() + lease;
    const { swap } = await lookUpSwap(ports, service, placed.order, {
      alreadyPrinted: this.#alreadyPrinted,
      turns: pollTurns(ports, budget, { until, deadline: this.#options.deadline, outlastsLease: true }),
      onLedgerError: this.#ledger.failed,
    });
    const [id, seenAt] = [this.#entryOf(placed)?.id ?? null, rfc3339(ports.now())];
    const now = serviceTime(ports, service);
    this.#ends.set(placed, { shown: { swap: { ...swap, seenAt }, id, now, isOld: false }, error: null });
    this.#options.onPoll();
  }

  async #failed(placed: OrderToPoll, error: SwapctlError, isLate: boolean): Promise<void> {
    const { named } = this.#options;
    const isFirst = !this.#isStopped;
    if (!isForOneOrder(error)) this.#isStopped = true;
    if (named) return void this.#ends.set(placed, { shown: null, error: isLate ? moreTime(error) : error });
    if (error.code === 'not_found') {
      this.#ends.set(placed, { shown: null, error: null });
      await this.#ports.notify({
        level: 'warning',
        text: `the service no longer knows order ${placed.order} of the ledger: ${error.message}`,
      });
      return;
    }
    const hasAnswered = [...this.#ends.values()].some(({ shown }) => shown !== null);
    // Too little time is not a failure, unless the service answered nothing in it. Polls in flight beside the first failed
    // one failed for the same reason.
    if (error.code === 'rate_limited' || (isLate && error.code === 'timeout' && hasAnswered)) return;
    if (isForOneOrder(error) || isFirst) this.#ends.set(placed, { shown: null, error });
  }

  /** Whether other processes may poll it too: named orders are polled whatever others do. */
  #isLeasable(placed: OrderToPoll): boolean {
    const entry = this.#entryOf(placed);
    return !this.#options.named && entry !== null && isSchedulable(entry);
  }

  /** Leases a swap; false if another process is polling it or has just done so. */
  async #isClaimed(placed: OrderToPoll, owner: Owner): Promise<boolean> {
    if (!this.#isLeasable(placed)) return true;
    const followed = { owner, orders: [placed.order], unseenSince: this.#since };
    const claimed = await this.#ledger.write((ledger) =>
      ledger.polls.claimDue(followed, this.#holder, this.#ports.now(), 1),
    );
    return claimed === null || claimed.length > 0;
  }

  async #release(placed: OrderToPoll): Promise<void> {
    const id = this.#entryOf(placed)?.id;
    if (id !== undefined && this.#isLeasable(placed))
      await this.#ledger.write((ledger) => ledger.polls.postpone(id, 0));
  }

  /** Swaps that were not polled here are shown as the ledger has them by now. */
  async #showRest(service: Service, owner: Owner): Promise<void> {
    const rest = this.#wanted.filter((placed) => {
      const end = this.#ends.get(placed);
      return end === undefined || (end.error !== null && !this.#options.named);
    });
    const latest = rest.length === 0 ? new Map<string, Entry>() : await this.#seenElsewhere(owner);
    const now = serviceTime(this.#ports, service);
    for (const placed of rest) {
      const entry = latest.get(placed.order) ?? this.#entryOf(placed);
      const shown = entry?.swap == null ? null : this.#fromLedger(entry, now);
      const error = this.#ends.get(placed)?.error ?? (shown === null ? notPolled(placed.order) : null);
      this.#ends.set(placed, { shown, error });
    }
  }

  #fromLedger(entry: Entry, now: number): PolledSwap {
    const isOld = entry.seenAt === null || entry.seenAt < this.#since || entry.seenAt > this.#ports.now();
    return {
      swap: seenSwap(entry, now, isOld ? Number.POSITIVE_INFINITY : this.#since),
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
function notPolled(order: string): SwapctlError {
  const message = `Order ${order} was not polled: the request budget left no time for it.`;
  const hint = 'Other processes use the same key pair. Use a longer --timeout or a larger --budget.';
  return new SwapctlError('timeout', message, { retryable: true, hint });
}
