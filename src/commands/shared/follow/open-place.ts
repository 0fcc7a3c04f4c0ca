import type { Owner } from '../../../ledger/entry.ts';
import type { SwapResult } from '../../../ledger/swap-result.ts';
import type { FollowOptions, FollowPlace } from './followed.ts';
import type { LedgerAccess } from './ledger-access.ts';
import type { Place } from './place.ts';
import { isSchedulable, scheduledOrders, track, trackEntry } from './place.ts';
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
    isFirstRound: endless !== true || once === true,
  };
}

/** Tracks the swaps that a place begins with: the orders that are named, or for null every open one of the ledger. */
export async function trackFirst(
  place: Place,
  orders: readonly string[] | null,
  ledger: LedgerAccess,
  { known = [] }: FollowOptions,
): Promise<void> {
  if (orders === null) {
    const entries = await ledger.read((opened) => opened.open(place.owner));
    for (const entry of entries ?? []) trackEntry(place, entry);
  } else await trackNamed(place, orders, ledger, known);
  if (scheduledOrders(place)?.length !== 0)
    await ledger.write(({ polls }) => polls.mendSchedule(place.context.now()));
}

async function trackNamed(
  place: Place,
  orders: readonly string[],
  ledger: LedgerAccess,
  known: readonly SwapResult[],
): Promise<void> {
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
}
