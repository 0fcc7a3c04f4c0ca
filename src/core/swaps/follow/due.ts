import { randomUUID } from 'node:crypto';
import { CLOCKS_DIFFER_MS, type Entry } from '../../ledger/entry.ts';
import { MAX_POSTPONED_MS, POLL_LEASE_MS } from '../../ledger/polls.ts';
import type { LedgerAccess } from '../ledger-access.ts';
import { shownSwap } from '../lookup.ts';
import type { Ports } from '../ports.ts';
import type { FollowedProfile, FollowOptions, Leased, Seen, Tracked } from './profile.ts';
import { isScheduled, scheduledOrders, trackEntry } from './profile.ts';

/** Pause between two reads of what other processes have seen, in milliseconds. */
export const NEWS_MS = 2_000;

/** Milliseconds between checks for swaps that another process, with a clock that is behind, has seen end. */
const ENDED_MS = 60_000;

/** A poll is not started with less time than this. */
const MIN_POLL_MS = 15_000;

/** What is due at a profile: the ledger says when, and leases it; the rest is due by this process's own clock. */
export class Due {
  readonly #ports: Ports;
  readonly #options: FollowOptions;
  readonly #ledger: LedgerAccess;
  readonly #holder = randomUUID();
  readonly #startedAt: number;
  #readEndedAt: number;

  constructor(ports: Ports, options: FollowOptions, ledger: LedgerAccess) {
    this.#ports = ports;
    this.#options = options;
    this.#ledger = ledger;
    this.#startedAt = ports.now();
    this.#readEndedAt = ports.monotonic() + ENDED_MS;
  }

  /** The swap to poll now, or the milliseconds until the next check. */
  async next(profile: FollowedProfile, now: number): Promise<Leased | number> {
    const local = this.#nextUnscheduled(profile, now);
    const isLocalDue = local !== null && local.dueAt <= now;
    const wait = isLocalDue ? 0 : await this.#untilScheduled(profile, now);
    if (wait > 0) return Math.min(wait, local === null ? wait : local.dueAt - now);
    return profile.held ?? (isLocalDue ? leased(local, null, now) : await this.#claimed(profile, now)) ?? 0;
  }

  /** Keeps the lease of a swap until its turn, or returns it if that leaves too little time for the poll. */
  async hold(profile: FollowedProfile, next: Leased, turnAt: number): Promise<void> {
    const { id } = next.tracked;
    profile.held =
      id !== null && isScheduled(next.tracked) && turnAt <= next.until - MIN_POLL_MS
        ? { ...next, entry: null }
        : null;
    if (id !== null && profile.held === null) await this.postpone(id, 0);
  }

  /** Makes the ledger offer a swap again after this many milliseconds. */
  async postpone(id: string, milliseconds: number): Promise<void> {
    await this.#ledger.write((ledger) => ledger.polls.postpone(id, this.#ports.now() + milliseconds));
  }

  /** What other processes have seen of followed swaps since this one last saw them; each is noted before the next. */
  async *seenElsewhere(
    profiles: readonly FollowedProfile[],
    now: number,
  ): AsyncGenerator<readonly [Tracked, Seen], void> {
    const since = this.#ports.now() - NEWS_MS - CLOCKS_DIFFER_MS;
    for (const profile of profiles) {
      if (profile.isClosed || scheduledOrders(profile)?.length === 0) continue;
      const isNews = ({ order, seenAt }: Pick<Entry, 'order' | 'seenAt'>) => {
        const known = profile.tracked.get(order ?? '');
        if (known === undefined) return profile.followsAll;
        if (known.state !== 'open' || known.isInFlight) return false;
        // A time that no clock has reached yet is from before the clock was set back; no one knows how long ago that was.
        const isAhead = (seenAt ?? 0) > this.#ports.now() + CLOCKS_DIFFER_MS;
        return seenAt !== null && seenAt > Math.max(known.seenAt, this.#startedAt) && !isAhead;
      };
      const seen = await this.#ledger.read((ledger) => ledger.polls.seenSince(profile.owner, since, isNews));
      for (const entry of [...(seen ?? []), ...(await this.#endedElsewhere(profile, now))]) {
        const known = profile.followsAll
          ? trackEntry(profile, entry)
          : profile.tracked.get(entry.order ?? '');
        const { swap, seenAt, doubts } = entry;
        const isEnd = known?.state === 'open' && !known.isInFlight && swap?.final === true;
        if (known == null || swap === null || seenAt === null || !(isEnd || isNews(entry))) continue;
        const shown = shownSwap(profile.ports, profile.service, entry, { swap, doubts: doubts ?? [] });
        yield [known, { swap: shown, seenAt, unrecorded: null }];
      }
    }
    if (now >= this.#readEndedAt) this.#readEndedAt = now + ENDED_MS;
  }

  /** Followed swaps that have ended: one seen by a process whose clock is behind is no news, and never due again. */
  async #endedElsewhere(profile: FollowedProfile, now: number): Promise<readonly Entry[]> {
    // An endless follower does not wait for any swap to end, and events come from the ledger.
    if (now < this.#readEndedAt || this.#options.endless === true) return [];
    const ids = [...profile.tracked.values()].flatMap(({ id, state }) =>
      id !== null && state === 'open' ? [id] : [],
    );
    return (await this.#ledger.read((ledger) => ledger.polls.ended(ids))) ?? [];
  }

  /** Of the swaps that the ledger does not schedule, the one due first. */
  #nextUnscheduled(profile: FollowedProfile, now: number): Tracked | null {
    const isGone = this.#ledger.isGone(now);
    // Those of the whole ledger are all scheduled by it, and there may be 100,000 of them.
    if (profile.followsAll && !isGone) return null;
    let first: Tracked | null = null;
    for (const tracked of profile.tracked.values()) {
      if (tracked.state !== 'open' || tracked.isInFlight || (isScheduled(tracked) && !isGone)) continue;
      if (first === null || tracked.dueAt < first.dueAt) first = tracked;
    }
    return first;
  }

  /** Milliseconds until a swap is due that the ledger schedules. */
  async #untilScheduled(profile: FollowedProfile, now: number): Promise<number> {
    const orders = scheduledOrders(profile);
    if (orders?.length === 0 || this.#ledger.isGone(now)) return NEWS_MS;
    if (profile.nextClaimAt > now) return profile.nextClaimAt - now;
    if (profile.isFirstRound || profile.isBusy || this.#options.intervalMs !== null) return 0;
    const wall = this.#ports.now();
    const due = await this.#ledger.read((ledger) =>
      ledger.polls.nextDue({ owner: profile.owner, orders }, wall),
    );
    if (due !== null && due <= wall) return 0;
    const wait = due === null ? NEWS_MS : Math.min(NEWS_MS, due - wall);
    profile.nextClaimAt = now + wait;
    return wait;
  }

  async #claimed(profile: FollowedProfile, now: number): Promise<Leased | null> {
    const { owner } = profile;
    const { intervalMs } = this.#options;
    const wall = this.#ports.now();
    const interval = intervalMs === null ? null : wall - intervalMs + 1;
    const unseenSince = profile.isFirstRound ? Math.max(this.#startedAt, interval ?? 0) : interval;
    const first = profile.urgent.shift();
    const orders = first === undefined ? scheduledOrders(profile) : [first];
    const followed = { owner, orders, unseenSince };
    const entries = await this.#ledger.write((ledger) => ledger.polls.claimDue(followed, this.#holder, wall));
    const [entry] = entries ?? [];
    if (entry === undefined) {
      // Another process is polling it now.
      if (first !== undefined) return null;
      if (profile.isBusy) {
        profile.isBusy = false;
        return null;
      }
      // Swaps that other processes are polling just now need no wait.
      profile.isFirstRound = profile.isFirstRound && (entries === null || this.#options.once === true);
      profile.nextClaimAt = now + Math.min(NEWS_MS, intervalMs ?? NEWS_MS);
      if (entries !== null && this.#options.once === true) endIdle(profile, now);
      return null;
    }
    profile.isBusy = true;
    profile.idleSince = null;
    const tracked = trackEntry(profile, entry);
    const isTried =
      tracked?.state === 'setAside' || (tracked?.state === 'done' && this.#options.once === true);
    if (tracked === null || isTried) {
      await this.postpone(entry.id, MAX_POSTPONED_MS);
      return null;
    }
    // What the ledger has as open is open, whatever this process knows.
    tracked.state = 'open';
    return leased(tracked, entry, now);
  }
}

/** Ends a single round if no swap was free for the time of a lease: other processes have polled the rest. */
function endIdle(profile: FollowedProfile, now: number): void {
  profile.idleSince ??= now;
  if (now - profile.idleSince <= POLL_LEASE_MS) return;
  for (const tracked of profile.tracked.values()) if (!tracked.isInFlight) tracked.state = 'done';
}

function leased(tracked: Tracked, entry: Entry | null, now: number): Leased {
  return { tracked, order: tracked.order, entry, until: now + POLL_LEASE_MS };
}
