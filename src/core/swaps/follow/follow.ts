import { InterruptedError, SwapctlError } from '../../../base/errors.ts';
import { MAX_POSTPONED_MS, POLL_LEASE_MS } from '../../ledger/polls.ts';
import { DEFAULT_INTERVAL_MS } from '../../swap/polling.ts';
import { LedgerAccess } from '../ledger-access.ts';
import { isForOneOrder, isUnreachable, lookUpSwap } from '../lookup.ts';
import { pollTurns } from '../poll-turns.ts';
import type { Ports } from '../ports.ts';
import { Due, NEWS_MS } from './due.ts';
import type { Followed, FollowOptions, FollowPlace, Leased, Place, Seen, Tracked } from './place.ts';
import { knownFirst, noteSeen, openPlace, refuseUnrecorded, trackFirst } from './place.ts';

/**
 * Follows swaps to their ends, or until `--timeout` is up, within the budget of each profile's key. Swaps of the ledger
 * are polled by one process at a time, and what the others see is reported too. Lost connections, 429 and 5xx are
 * reported, and following continues. Throws what ends the program, such as an interruption.
 */
export async function* followSwaps(
  ports: Ports,
  places: readonly FollowPlace[],
  options: FollowOptions,
): AsyncGenerator<Followed, void, undefined> {
  const follower = new Follower(ports, options);
  try {
    for (const place of places) await follower.add(place);
    while (!follower.isDone) {
      await follower.step();
      yield* follower.takeNews();
    }
    follower.endRest();
    yield* follower.takeNews();
  } finally {
    await follower.stop();
  }
}

/** Polls swaps whenever they are due and the budget allows it; see {@link followSwaps}. */
class Follower {
  readonly #ports: Ports;
  readonly #options: FollowOptions;
  readonly #ledger: LedgerAccess;
  readonly #due: Due;
  readonly #places: Place[] = [];
  readonly #news: Followed[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  readonly #alreadyPrinted = new Set<string>();
  readonly #stopped: AbortSignal;
  readonly #maxInFlight: number;
  #lastStart = 0;
  #readNewsAt: number;
  #isLate = false;
  #failure: { readonly error: unknown } | null = null;

  constructor(ports: Ports, options: FollowOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.#stopped = AbortSignal.any([ports.signal, options.signal ?? ports.signal]);
    this.#ledger = new LedgerAccess(ports);
    this.#due = new Due(ports, options, this.#ledger);
    this.#readNewsAt = ports.monotonic() + NEWS_MS;
  }

  /** Nothing is left to follow, or the time is up. */
  get isDone(): boolean {
    if (this.#isLate) return true;
    if (this.#options.endless === true && this.#places.some(({ isClosed }) => !isClosed)) return false;
    return this.#inFlight.size === 0 && this.#open().length === 0;
  }

  /** Everything learned since the last call. */
  takeNews(): Followed[] {
    return this.#news.splice(0);
  }

  /** Begins to follow the swaps of a profile; one that cannot be polled is reported. */
  async add(wanted: FollowPlace): Promise<void> {
    const owner = await wanted.ports.owner();
    try {
      const place = await openPlace(wanted, owner, this.#ledger, this.#options);
      this.#places.push(place);
      const entries = await trackFirst(place, wanted.orders, this.#ledger, this.#options);
      if (this.#options.fromLedger === true)
        this.#news.push({ kind: 'known', swaps: knownFirst(place, entries) });
    } catch (error) {
      if (!(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
      const [order = ''] = wanted.orders ?? [];
      const of = { key: owner.account, at: this.#ports.now(), order };
      this.#news.push({ kind: 'gone', ...of, error, isWholeProfile: true });
    }
  }

  /** Begins a poll, or waits for one to end or to be due. */
  async step(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    if (this.#failure !== null) throw this.#failure.error;
    const now = this.#ports.monotonic();
    const left = this.#ports.deadline() - now;
    this.#isLate = left <= 0;
    if (this.#isLate) return;
    if (now >= this.#readNewsAt) await this.#readNews(now);
    if (this.#news.length > 0) return;
    let wait = Math.min(left, Math.max(0, this.#readNewsAt - now));
    const stagger = this.#lastStart + this.#staggerMs() - now;
    if (this.#inFlight.size > 0 && (this.#inFlight.size >= this.#maxInFlight || stagger > 0)) {
      wait = this.#inFlight.size >= this.#maxInFlight ? wait : Math.min(wait, stagger);
    } else {
      for (const place of [...this.#places]) {
        const next = await this.#begun(place, now);
        if (next === null) return;
        wait = Math.min(wait, next);
      }
    }
    await this.#pause(wait);
  }

  /** A pause, or a poll that ends before: then nothing is left behind that would keep the process. */
  async #pause(wait: number): Promise<void> {
    const { signal } = this.#options;
    if (this.#inFlight.size === 0) return this.#ports.sleep(wait, signal);
    if (this.#maxInFlight === 1) return Promise.race(this.#inFlight);
    await Promise.race([...this.#inFlight, this.#ports.sleep(Math.min(wait, this.#staggerMs()), signal)]);
  }

  /** Starts a poll of what is due at a place: null, or the milliseconds until the next check. */
  async #begun(place: Place, now: number): Promise<number | null> {
    if (place.isClosed) return NEWS_MS;
    if (place.pausedUntil > now) return place.pausedUntil - now;
    const next = await this.#due.next(place, now);
    if (typeof next === 'number') return next;
    const turn = await place.budget.tryTake();
    if (turn > 0) {
      place.pausedUntil = now + turn;
      await this.#due.hold(place, next, now + turn);
      return turn;
    }
    place.held = null;
    this.#lastStart = now;
    this.#start(place, next);
    // The next place has its turn first.
    this.#places.push(...this.#places.splice(0, this.#places.indexOf(place) + 1));
    return null;
  }

  #start(place: Place, next: Leased): void {
    const { tracked } = next;
    tracked.isInFlight = true;
    const poll = this.#poll(place, next)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        tracked.isInFlight = false;
        place.nextClaimAt = Math.min(place.nextClaimAt, tracked.dueAt);
        this.#inFlight.delete(poll);
      });
    this.#inFlight.add(poll);
  }

  async #poll(place: Place, { tracked, until, entry }: Leased): Promise<void> {
    const { ports, service } = place;
    const isLast = this.#ports.deadline() - this.#ports.monotonic() < POLL_LEASE_MS;
    try {
      const times = { until, deadline: Number.POSITIVE_INFINITY, outlastsLease: false };
      const seen = await lookUpSwap(ports, service, tracked.order, {
        known: entry,
        alreadyPrinted: this.#alreadyPrinted,
        turns: pollTurns(this.#ports, place.budget, times, this.#stopped),
        onLedgerError: this.#ledger.failed,
      });
      place.failures = 0;
      this.#saw(tracked, { ...seen, seenAt: this.#ports.now() });
    } catch (error) {
      if (error instanceof SwapctlError && !(error instanceof InterruptedError))
        return this.#missed(place, tracked, error, isLast && error.code === 'timeout');
      if (tracked.id !== null) await this.#due.postpone(tracked.id, 0);
      throw error;
    }
  }

  #saw(tracked: Tracked, seen: Seen): void {
    const monotonic = this.#ports.monotonic();
    const { intervalMs, once } = this.#options;
    const before = noteSeen(tracked, seen, { monotonic, intervalMs });
    const { key, order } = tracked;
    const { swap, seenAt: at } = seen;
    this.#news.push({ kind: 'seen', key, at, swap, before });
    if (!(swap.final || once === true) || this.#mustRepeat(tracked, monotonic)) return;
    tracked.state = 'done';
    if (swap.final) this.#news.push({ kind: 'ended', key, at, order, swap });
  }

  /** Whether what was seen has to be polled and written again, because the ledger failed and may soon be back. */
  #mustRepeat({ unrecorded }: Tracked, now: number): boolean {
    if (unrecorded === null) return false;
    const { mustRecord, once } = this.#options;
    if (mustRecord === true && once !== true) return true;
    return !this.#ledger.isGone(now) && now - unrecorded.since <= POLL_LEASE_MS;
  }

  async #missed(place: Place, tracked: Tracked, error: SwapctlError, isCutShort: boolean): Promise<void> {
    const { key, order, id } = tracked;
    const at = this.#ports.now();
    const now = this.#ports.monotonic();
    const pause = this.#options.intervalMs ?? DEFAULT_INTERVAL_MS;
    const isOnce = this.#options.once === true;
    if (isOnce) tracked.state = 'setAside';
    if (error.retryable) {
      tracked.dueAt = now + pause;
      if (isUnreachable(error)) {
        place.pausedUntil = now + Math.min(pause, UNREACHABLE_MS * 2 ** Math.min(place.failures, 5));
        place.failures += 1;
      }
      // The last poll has no time left for a response, so it does not count as missed.
      if (!isCutShort && now < this.#ports.deadline())
        this.#news.push({ kind: 'missed', key, at, order, error });
      if (id !== null) await this.#due.postpone(id, isOnce ? MAX_POSTPONED_MS : pause);
      return;
    }
    const isWholeProfile = !isForOneOrder(error);
    if (!isOnce) tracked.state = 'done';
    if (isWholeProfile) place.isClosed = true;
    this.#news.push({ kind: 'gone', key, at, order, error, isWholeProfile });
    if (id !== null) await this.#due.postpone(id, isWholeProfile ? 0 : MAX_POSTPONED_MS);
  }

  /** Reports what other processes have seen since. */
  async #readNews(now: number): Promise<void> {
    this.#readNewsAt = now + NEWS_MS;
    for await (const [tracked, seen] of this.#due.seenElsewhere(this.#places, now)) this.#saw(tracked, seen);
  }

  /** Reports the end of the time for what is still open. Throws if the ledger does not have what it must have. */
  endRest(): void {
    if (this.#options.mustRecord === true) for (const place of this.#places) refuseUnrecorded(place);
    const at = this.#ports.now();
    if (this.#isLate)
      for (const { key, order, swap } of this.#open())
        this.#news.push({ kind: 'ended', key, at, order, swap });
  }

  /** Returns leased swaps and those set aside, and waits for polls in flight, which a signal aborts. */
  async stop(): Promise<void> {
    for (const { held, tracked } of this.#places)
      for (const each of tracked.values())
        if (each.id !== null && (each.state === 'setAside' || each === held?.tracked))
          await this.#due.postpone(each.id, 0);
    await Promise.allSettled(this.#inFlight);
  }

  #open(): Tracked[] {
    return this.#places
      .filter(({ isClosed }) => !isClosed)
      .flatMap(({ tracked }) => [...tracked.values()].filter(({ state }) => state === 'open'));
  }

  /** A slow response delays the others for no longer than this. */
  #staggerMs(): number {
    const gaps = this.#places.map(({ budget: { limit } }) => limit.durationMs / limit.requests);
    return Math.min(STAGGER_MS, ...gaps);
  }
}

const STAGGER_MS = 300;
const MAX_IN_FLIGHT = 4;
/** First pause after a service could not be reached; it doubles each time. */
const UNREACHABLE_MS = 1_000;
