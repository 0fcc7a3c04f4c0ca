import type { Entry, Owner } from '../../../ledger/entry.ts';
import type { SwapResult } from '../../../ledger/swap-result.ts';
import { seenSwap } from '../../../ledger/swap-result.ts';
import { mostUrgent } from '../../../swap/need.ts';
import { serviceTime } from '../../../swaps/lookup.ts';
import type { FollowOptions, FollowPlace, KnownSwap } from './followed.ts';
import type { LedgerAccess } from './ledger-access.ts';
import type { Place } from './place.ts';
import { isSchedulable, track, trackEntry } from './place.ts';
import { sharedBudget } from './shared-budget.ts';

/** A place at which nothing is tracked yet. Throws what keeps the profile from being asked about. */
export async function openPlace(
  { context, orders }: FollowPlace,
  owner: Owner,
  ledger: LedgerAccess,
  { budget: limit, endless, once }: FollowOptions,
): Promise<Place> {
  const service = await context.service();
  const budget = await sharedBudget(context, limit, ledger.failed);
  return {
    ...{ context, owner, service, budget, followsAll: orders === null, tracked: new Map() },
    ...{ held: null, pausedUntil: 0, nextClaimAt: 0, failures: 0, isClosed: false },
    ...{ isFirstRound: endless !== true || once === true, urgent: [] },
  };
}

/**
 * Tracks the swaps that a place begins with: the orders that are named, or for null every open one of the ledger. Returns
 * the entries that the ledger has of them.
 */
export async function trackFirst(
  place: Place,
  orders: readonly string[] | null,
  ledger: LedgerAccess,
  { known = [] }: FollowOptions,
): Promise<readonly Entry[]> {
  let entries: readonly Entry[];
  if (orders === null) {
    entries = (await ledger.read((opened) => opened.open(place.owner))) ?? [];
    for (const entry of entries) trackEntry(place, entry);
  } else entries = await trackNamed(place, orders, ledger, known);
  return entries;
}

/** What was seen longer ago is shown as not fundable until it is polled. */
const MAX_AGE_MS = 30_000;

/** The tracked swaps of a place as its ledger has them; those that need a person are polled first from now on. */
export function knownFirst(place: Place, entries: readonly Entry[]): readonly KnownSwap[] {
  const now = place.context.now();
  const known = entries.flatMap((entry) => {
    const tracked = place.tracked.get(entry.order ?? '');
    if (entry.swap === null || entry.seenAt === null || tracked?.swap !== null) return [];
    const swap = seenSwap(entry, serviceTime(place.context, place.service), now - MAX_AGE_MS);
    return [{ key: tracked.key, swap, seenAt: entry.seenAt }];
  });
  place.urgent = mostUrgent(
    known.map(({ swap }) => swap),
    now,
  ).map(({ order }) => order ?? '');
  return known;
}

async function trackNamed(
  place: Place,
  orders: readonly string[],
  ledger: LedgerAccess,
  known: readonly SwapResult[],
): Promise<readonly Entry[]> {
  const { owner } = place;
  const entries = await ledger.read((opened) =>
    Promise.all(orders.map((order) => opened.byOrder(owner, order))),
  );
  for (const [index, order] of orders.entries()) {
    const entry = entries?.[index] ?? null;
    const id = entry !== null && isSchedulable(entry) ? entry.id : null;
    const tracked = track(place, entry?.order ?? order, id);
    const isIt = (swap: SwapResult) => swap.order === tracked.order && swap.profile === owner.profile;
    tracked.swap = known.find(isIt) ?? null;
  }
  return (entries ?? []).filter((entry) => entry !== null);
}
