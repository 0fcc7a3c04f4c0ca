import { InterruptedError, SwapctlError } from '../../../base/errors.ts';
import { MAX_POSTPONED_MS, POLL_LEASE_MS } from '../../ledger/polls.ts';
import { DEFAULT_INTERVAL_MS } from '../../swap/polling.ts';
import { LedgerAccess } from '../ledger-access.ts';
import { isForOneOrder, isUnreachable, type LookedUp } from '../lookup.ts';
import type { Ports } from '../ports.ts';
import { Due, NEWS_MS } from './due.ts';
import { PollEngine, type PollPlan, STAGGER_MS } from './engine.ts';
import type {
  Followed,
  FollowedProfile,
  FollowOptions,
  Leased,
  ProfileToFollow,
  Seen,
  Tracked,
} from './profile.ts';
import { knownFirst, openProfile, recordPoll, refuseUnrecorded, trackFirst } from './profile.ts';

/**
 * Follows swaps to their ends, or until `--timeout` is up, within the budget of each profile's key. Swaps of the ledger
 * are polled by one process at a time, and what the others see is reported too. Lost connections, 429 and 5xx are
 * reported, and following continues. Throws what ends the program, such as an interruption.
 */
export async function* followSwaps(
  ports: Ports,
  profiles: readonly ProfileToFollow[],
  options: FollowOptions,
): AsyncGenerator<Followed, void, undefined> {
  const follower = new Follower(ports, options);
  try {
    for (const profile of profiles) await follower.add(profile);
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

class Follower implements PollPlan<FollowedProfile, Leased> {
  readonly #ports: Ports;
  readonly #options: FollowOptions;
  readonly #ledger: LedgerAccess;
  readonly #due: Due;
  readonly #engine: PollEngine<FollowedProfile, Leased>;
  readonly #news: Followed[] = [];
  readonly maxInFlight: number;
  // A poll has the time of its lease; the client knows the time limit of the run.
  readonly deadline = Number.POSITIVE_INFINITY;
  readonly outlastsLease = false;
  #readNewsAt: number;
  #isLate = false;

  constructor(ports: Ports, options: FollowOptions) {
    this.#ports = ports;
    this.#options = options;
    this.maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.#ledger = new LedgerAccess(ports);
    this.#due = new Due(ports, options, this.#ledger);
    this.#engine = new PollEngine(ports, this, {
      ledger: this.#ledger,
      signal: AbortSignal.any([ports.signal, options.signal ?? ports.signal]),
      stop: options.signal,
      onAnswer: options.onAnswer,
    });
    this.#readNewsAt = ports.monotonic() + NEWS_MS;
  }

  /** Nothing is left to follow, or the time is up. */
  get isDone(): boolean {
    if (this.#isLate) return true;
    if (this.#options.endless === true && this.#engine.profiles.some(({ isClosed }) => !isClosed))
      return false;
    return this.#engine.isIdle && this.#open().length === 0;
  }

  /** Everything learned since the last call. */
  takeNews(): Followed[] {
    return this.#news.splice(0);
  }

  /** Begins to follow the swaps of a profile; one that cannot be polled is reported. */
  async add(wanted: ProfileToFollow): Promise<void> {
    const owner = await wanted.ports.owner();
    try {
      const profile = await openProfile(wanted, owner, this.#ledger, this.#options);
      this.#engine.profiles.push(profile);
      const entries = await trackFirst(profile, wanted.orders, this.#ledger, this.#options);
      if (this.#options.fromLedger === true)
        this.#news.push({ kind: 'known', swaps: knownFirst(profile, entries) });
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
    this.#engine.throwIfFailed();
    const now = this.#ports.monotonic();
    const left = this.#ports.deadline() - now;
    this.#isLate = left <= 0;
    if (this.#isLate) return;
    if (now >= this.#readNewsAt) await this.#readNews(now);
    if (this.#news.length > 0) return;
    await this.#engine.step(Math.min(left, Math.max(0, this.#readNewsAt - now)));
  }

  next(profile: FollowedProfile, now: number): Promise<Leased | number> {
    return this.#due.next(profile, now);
  }

  delay(profile: FollowedProfile, next: Leased, until: number): Promise<void> {
    return this.#due.hold(profile, next, until);
  }

  start(profile: FollowedProfile, { tracked }: Leased): void {
    profile.held = null;
    tracked.isInFlight = true;
  }

  end(profile: FollowedProfile, { tracked }: Leased): void {
    tracked.isInFlight = false;
    profile.nextClaimAt = Math.min(profile.nextClaimAt, tracked.dueAt);
  }

  seen(profile: FollowedProfile, { tracked }: Leased, seen: LookedUp): void {
    profile.failures = 0;
    this.#saw(tracked, { ...seen, seenAt: this.#ports.now() });
  }

  async release(_profile: FollowedProfile, { tracked }: Leased): Promise<void> {
    if (tracked.id !== null) await this.#due.postpone(tracked.id, 0);
  }

  #saw(tracked: Tracked, seen: Seen): void {
    const monotonic = this.#ports.monotonic();
    const { intervalMs, once } = this.#options;
    const before = recordPoll(tracked, seen, { monotonic, intervalMs });
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

  async failed(
    profile: FollowedProfile,
    { tracked }: Leased,
    error: SwapctlError,
    begunAt: number,
  ): Promise<void> {
    const { key, order, id } = tracked;
    const isLast = this.#ports.deadline() - begunAt < POLL_LEASE_MS;
    const isCutShort = isLast && error.code === 'timeout';
    const at = this.#ports.now();
    const now = this.#ports.monotonic();
    const pause = this.#options.intervalMs ?? DEFAULT_INTERVAL_MS;
    const isOnce = this.#options.once === true;
    if (isOnce) tracked.state = 'setAside';
    if (error.retryable) {
      tracked.dueAt = now + pause;
      if (isUnreachable(error)) {
        profile.pausedUntil = now + Math.min(pause, UNREACHABLE_MS * 2 ** Math.min(profile.failures, 5));
        profile.failures += 1;
      }
      // The last poll has no time left for a response, so it does not count as missed.
      if (!isCutShort && now < this.#ports.deadline())
        this.#news.push({ kind: 'missed', key, at, order, error });
      if (id !== null) await this.#due.postpone(id, isOnce ? MAX_POSTPONED_MS : pause);
      return;
    }
    const isWholeProfile = !isForOneOrder(error);
    if (!isOnce) tracked.state = 'done';
    if (isWholeProfile) profile.isClosed = true;
    this.#news.push({ kind: 'gone', key, at, order, error, isWholeProfile });
    if (id !== null) await this.#due.postpone(id, isWholeProfile ? 0 : MAX_POSTPONED_MS);
  }

  /** Reports what other processes have seen since. */
  async #readNews(now: number): Promise<void> {
    this.#readNewsAt = now + NEWS_MS;
    for await (const [tracked, seen] of this.#due.seenElsewhere(this.#engine.profiles, now))
      this.#saw(tracked, seen);
  }

  /** Reports the end of the time for what is still open. Throws if the ledger does not have what it must have. */
  endRest(): void {
    if (this.#options.mustRecord === true)
      for (const profile of this.#engine.profiles) refuseUnrecorded(profile);
    const at = this.#ports.now();
    if (this.#isLate)
      for (const { key, order, swap } of this.#open())
        this.#news.push({ kind: 'ended', key, at, order, swap });
  }

  /** Returns leased swaps and those set aside, and waits for polls in flight, which a signal aborts. */
  async stop(): Promise<void> {
    for (const { held, tracked } of this.#engine.profiles)
      for (const each of tracked.values())
        if (each.id !== null && (each.state === 'setAside' || each === held?.tracked))
          await this.#due.postpone(each.id, 0);
    await this.#engine.settle();
  }

  #open(): Tracked[] {
    return this.#engine.profiles
      .filter(({ isClosed }) => !isClosed)
      .flatMap(({ tracked }) => [...tracked.values()].filter(({ state }) => state === 'open'));
  }

  staggerMs(): number {
    const gaps = this.#engine.profiles.map(({ budget: { limit } }) => limit.durationMs / limit.requests);
    return Math.min(STAGGER_MS, ...gaps);
  }
}

const MAX_IN_FLIGHT = 4;
/** First pause after a service could not be reached; it doubles each time. */
const UNREACHABLE_MS = 1_000;
