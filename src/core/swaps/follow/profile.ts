import { StorageError, type SwapctlError } from '../../../base/errors.ts';
import type { BudgetLimit } from '../../ledger/budget/limit.ts';
import { CLOCKS_DIFFER_MS, type Entry, type Owner } from '../../ledger/entry.ts';
import { lastObservedSwap, type SwapResult } from '../../ledger/swap-result.ts';
import { mostUrgent } from '../../swap/attention.ts';
import { pollDelay, pollStateOf } from '../../swap/polling.ts';
import type { LedgerAccess } from '../ledger-access.ts';
import { serviceTime } from '../lookup.ts';
import type { Ports } from '../ports.ts';
import { sharedBudget } from '../request-budget.ts';
import type { Poll, PolledProfile } from './engine.ts';

/** Swaps of one profile: orders by their numbers, or null for every open one of the ledger, later ones too. */
export interface ProfileToFollow {
  /** The ports for requests to the profile's service. */
  readonly ports: Ports;
  readonly orders: readonly string[] | null;
}

export interface FollowOptions {
  /** Pause between two polls of a swap, in milliseconds; null for each swap's own pause. */
  readonly intervalMs: number | null;
  /** Null is the default of each profile. */
  readonly budget: BudgetLimit | null;
  /** Continues even if no swap is open, because another process may create one. Default false. */
  readonly endless?: boolean;
  /** Ends after one poll of each swap, by any process. Default false. */
  readonly once?: boolean;
  /**
   * A swap has ended only once its end is in the ledger, however long that takes, and the time must not be up before.
   * Default false: what the ledger could not take for the time of a lease is only reported.
   */
  readonly mustRecord?: boolean;
  /** Swaps that have been seen before, just now. */
  readonly known?: readonly SwapResult[];
  /** Starts with what the ledger knows, one event a profile, and polls what needs a person first. Default false. */
  readonly fromLedger?: boolean;
  /** Ends every pause and request: the results are no longer needed. */
  readonly signal?: AbortSignal;
  /** Maximum number of polls in flight. Default 4. */
  readonly maxInFlight?: number;
  /** Receives the HTTP status of each answer, and null for a poll without one. */
  readonly onAnswer?: ((status: number | null) => void) | undefined;
}

/** Identifies the swap: two profiles may have an order of the same number. */
interface OfSwap {
  readonly key: string;
  readonly at: number;
}

export interface LastSeenSwap {
  readonly key: string;
  readonly swap: SwapResult;
  readonly seenAt: number;
}

/** One thing learned while following swaps. */
export type Followed =
  /** What the ledger knew of the swaps of a profile before the first poll. */
  | { readonly kind: 'known'; readonly swaps: readonly LastSeenSwap[] }
  /** A poll of a swap, by this process or by another one on the ledger, whether anything changed or not. */
  | (OfSwap & { readonly kind: 'seen'; readonly swap: SwapResult; readonly before: SwapResult | null })
  /** A poll that failed for a temporary reason. */
  | (OfSwap & { readonly kind: 'missed'; readonly order: string; readonly error: SwapctlError })
  /** A swap that is followed no longer, for a permanent reason, with all others if its profile cannot be polled. */
  | (OfSwap & {
      readonly kind: 'gone';
      readonly order: string;
      readonly error: SwapctlError;
      readonly isWholeProfile: boolean;
    })
  /** The end of a swap, or of the time, when it may still be open or was never seen. */
  | (OfSwap & { readonly kind: 'ended'; readonly order: string; readonly swap: SwapResult | null });

export interface Tracked {
  readonly key: string;
  readonly order: string;
  /** Id of its ledger entry, which says when it is due; null if it has none, or none that is open. */
  id: string | null;
  swap: SwapResult | null;
  /** When it was last seen, and when its status last changed, in milliseconds since 1970. */
  seenAt: number;
  changedAt: number;
  /** When to poll again, in monotonic milliseconds: for what the ledger does not schedule. */
  dueAt: number;
  isInFlight: boolean;
  /** Why the ledger does not have what was last seen, and since when, in monotonic milliseconds; null if it has. */
  unrecorded: { readonly error: StorageError; readonly since: number } | null;
  /** This process must not try one that is set aside again; another one may. */
  state: 'open' | 'done' | 'setAside';
}

/** A swap that is to be polled, and until when no other process does. */
export interface Leased extends Poll {
  readonly tracked: Tracked;
}

/** One profile whose swaps are followed. Times are monotonic milliseconds unless they say otherwise. */
export interface FollowedProfile extends PolledProfile {
  readonly owner: Owner;
  readonly followsAll: boolean;
  readonly tracked: Map<string, Tracked>;
  /** A swap that is leased and waits for the budget, and until when it is leased. */
  held: Leased | null;
  /** The ledger is not checked for due swaps before this time. */
  nextClaimAt: number;
  /** The last claim found a swap, so the next one is tried without first checking whether one is due. */
  isBusy: boolean;
  /** Since when no swap was free; null while there are some. */
  idleSince: number | null;
  /** Every swap is polled once at the beginning, whenever it is due. */
  isFirstRound: boolean;
  /** Orders that are polled before all others in the first round. */
  urgent: string[];
  /** Failures to reach the service, one after the other. */
  failures: number;
}

/** Adds a swap to those that are followed, or returns the existing one. */
function track(profile: FollowedProfile, order: string, id: string | null): Tracked {
  const known = profile.tracked.get(order);
  if (known !== undefined) return known;
  const key = `${profile.owner.account}\n${order}`;
  const never = { swap: null, seenAt: 0, changedAt: 0, dueAt: 0, unrecorded: null } as const;
  const tracked: Tracked = { key, order, id, ...never, isInFlight: false, state: 'open' };
  profile.tracked.set(order, tracked);
  return tracked;
}

/** Adds the swap of an entry if it is open or already followed; null if there is none to follow. */
export function trackEntry(profile: FollowedProfile, entry: Entry): Tracked | null {
  if (entry.order === null) return null;
  if (!isSchedulable(entry) && !profile.tracked.has(entry.order)) return null;
  return track(profile, entry.order, entry.id);
}

/** What was seen of a swap, and why that could not be recorded; null if it was. */
export interface Seen {
  readonly swap: SwapResult;
  readonly seenAt: number;
  readonly unrecorded: StorageError | null;
}

/** Notes what was seen and when to poll again; returns the previous state of the swap. */
export function recordPoll(
  tracked: Tracked,
  { swap, seenAt, unrecorded }: Seen,
  { monotonic, intervalMs }: { monotonic: number; intervalMs: number | null },
): SwapResult | null {
  const before = tracked.swap;
  if (before?.statusCode !== swap.statusCode) tracked.changedAt = seenAt;
  tracked.swap = swap;
  // A write may have succeeded although its confirmation was lost, and is then read as news.
  if (unrecorded === null) tracked.seenAt = seenAt;
  const since = tracked.unrecorded?.since ?? monotonic;
  tracked.unrecorded = unrecorded === null ? null : { error: unrecorded, since };
  tracked.dueAt = monotonic + (intervalMs ?? pollDelay(pollStateOf(swap, tracked.changedAt), seenAt));
  return before;
}

/** Throws for a swap whose end, or for a single round its state, was seen but is not in the ledger. */
export function refuseUnrecorded({ tracked }: FollowedProfile): void {
  for (const { order, swap, state, unrecorded } of tracked.values())
    if (unrecorded !== null && (state === 'done' || swap?.final === true))
      throw new StorageError(
        `Swap ${order} is ${swap?.status}, which could not be written to the ledger. ${unrecorded.error.message}`,
        'Run the same command again once the ledger can be written: for the ledger, the swap is still open.',
        'done',
      );
}

/** The open orders of a profile that the ledger schedules; null for all of it. */
export function scheduledOrders(profile: FollowedProfile): readonly string[] | null {
  if (profile.followsAll) return null;
  return [...profile.tracked.values()].filter(isScheduled).map(({ order }) => order);
}

/** Whether the ledger says when a swap is due. */
export function isScheduled({ id, state }: Tracked): boolean {
  return id !== null && state === 'open';
}

/** Whether the ledger offers an entry for polling: it is created, and its swap is not known to have ended. */
export function isSchedulable(entry: Entry): boolean {
  return entry.outcome === 'created' && entry.swap?.final !== true;
}

/** A profile of which nothing is tracked yet. Throws if the profile cannot be polled. */
export async function openProfile(
  { ports, orders }: ProfileToFollow,
  owner: Owner,
  ledger: LedgerAccess,
  { budget: limit, endless, once }: FollowOptions,
): Promise<FollowedProfile> {
  const service = await ports.service();
  const budget = await sharedBudget(ports, limit, ledger.failed);
  return {
    ports,
    owner,
    service,
    budget,
    followsAll: orders === null,
    tracked: new Map(),
    held: null,
    pausedUntil: 0,
    nextClaimAt: 0,
    idleSince: null,
    failures: 0,
    isClosed: false,
    isBusy: false,
    isFirstRound: endless !== true || once === true,
    urgent: [],
  };
}

/** Tracks the first swaps of a profile, the named ones or (null) all open ones; returns the ledger's entries. */
export async function trackFirst(
  profile: FollowedProfile,
  orders: readonly string[] | null,
  ledger: LedgerAccess,
  { known = [] }: FollowOptions,
): Promise<readonly Entry[]> {
  if (orders !== null) return trackNamed(profile, orders, ledger, known);
  const entries = (await ledger.read((opened) => opened.open(profile.owner))) ?? [];
  for (const entry of entries) trackEntry(profile, entry);
  return entries;
}

/** A swap last polled longer ago than this, in milliseconds, is shown as not fundable: it may have been paid since. */
export const MAX_AGE_MS = 30_000;

/** The tracked swaps of a profile as its ledger has them; those that need attention are polled first from now on. */
export function knownFirst(profile: FollowedProfile, entries: readonly Entry[]): readonly LastSeenSwap[] {
  const now = profile.ports.now();
  const known = entries.flatMap((entry) => {
    const tracked = profile.tracked.get(entry.order ?? '');
    if (entry.swap === null || entry.seenAt === null || tracked?.swap !== null) return [];
    const [since, latest] = [now - MAX_AGE_MS, now + CLOCKS_DIFFER_MS];
    const swap = lastObservedSwap(entry, serviceTime(profile.ports, profile.service), since, latest);
    return [{ key: tracked.key, swap, seenAt: entry.seenAt }];
  });
  const swaps = known.map(({ swap }) => swap);
  profile.urgent = mostUrgent(swaps, now).map(({ order }) => order ?? '');
  return known;
}

async function trackNamed(
  profile: FollowedProfile,
  orders: readonly string[],
  ledger: LedgerAccess,
  known: readonly SwapResult[],
): Promise<readonly Entry[]> {
  const { owner } = profile;
  const entries = await ledger.read((opened) =>
    Promise.all(orders.map((order) => opened.byOrder(owner, order))),
  );
  for (const [index, order] of orders.entries()) {
    const entry = entries?.[index] ?? null;
    const id = entry !== null && isSchedulable(entry) ? entry.id : null;
    const tracked = track(profile, entry?.order ?? order, id);
    const isIt = (swap: SwapResult) => swap.order === tracked.order && swap.profile === owner.profile;
    tracked.swap = known.find(isIt) ?? null;
  }
  return (entries ?? []).filter((entry) => entry !== null);
}
