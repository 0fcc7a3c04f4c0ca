import type { Context, Service } from '../../context.ts';
import { StorageError, SwapctlError } from '../../errors.ts';
import type { Entry } from '../../ledger/entry.ts';
import { ENV_PROFILE, SANDBOX_PROFILE } from '../../settings/profile.ts';
import { profileOwner } from './lookup.ts';

/** An order, with a context whose service is that of the order's own profile. */
export interface PlacedOrder {
  readonly order: string;
  readonly place: Context;
}

/** The only profile that is meant, by a flag or by a key pair in the environment; null where all are. */
export function onlyProfile({ flags, settings }: Context): string | null {
  if (flags.sandbox === true) return SANDBOX_PROFILE;
  if (flags.profile !== undefined) return flags.profile;
  return settings.deciding.some((name) => name !== 'SWAPCTL_PROFILE') ? ENV_PROFILE : null;
}

/** Every open order of the ledger: of the profile that flags or environment name, else of all profiles. */
export async function openOrders(context: Context): Promise<readonly PlacedOrder[]> {
  const ledger = await context.ledger();
  const everybodys = onlyProfile(context) === null;
  return placedEntries(context, await ledger.open(everybodys ? null : await profileOwner(context)));
}

/** The orders of entries; all are of the profile in use where that alone is meant. */
export async function placedEntries(
  context: Context,
  entries: readonly Entry[],
): Promise<readonly PlacedOrder[]> {
  const placeOf = onlyProfile(context) === null ? await places(context) : () => context;
  return entries.flatMap((entry) =>
    entry.order === null ? [] : [{ order: entry.order, place: placeOf(entry) }],
  );
}

/** Orders by their numbers, each with its ledger entry's profile; with the profile in use where there is no entry. */
export async function placedOrders(
  context: Context,
  orders: readonly string[],
): Promise<readonly PlacedOrder[]> {
  if (onlyProfile(context) !== null) return orders.map((order) => ({ order, place: context }));
  const placeOf = await places(context);
  const placed: PlacedOrder[] = [];
  for (const order of orders) {
    const found = [...new Set((await entriesOf(context, order)).map(placeOf))];
    const [first = context] = found.filter((place) => place === context).concat(found);
    placed.push({ order, place: first });
  }
  return placed;
}

/** Ledger entries of an order; none where the ledger cannot be read, which the command reports later. */
async function entriesOf(context: Context, order: string): Promise<readonly Entry[]> {
  try {
    return (await (await context.ledger()).withOrder(order)).filter(({ outcome }) => outcome !== 'refused');
  } catch (error) {
    if (error instanceof StorageError) return [];
    throw error;
  }
}

/** Gives the context of an entry's own profile: the same for all entries of one place. */
async function places(context: Context): Promise<(entry: Entry) => Context> {
  const own = await ownPlace(context);
  const known = new Map<string, Context>(own === null ? [] : [[own, context]]);
  return (entry) => {
    const key = keyOf(entry);
    const place = known.get(key) ?? known.get(keyOf({ ...entry, path: '' })) ?? contextOf(context, entry);
    known.set(key, place);
    return place;
  };
}

async function ownPlace(context: Context): Promise<string | null> {
  try {
    return keyOf(await profileOwner(context));
  } catch (error) {
    if (error instanceof SwapctlError) return null;
    throw error;
  }
}

function keyOf({ profile, host, path }: Pick<Entry, 'profile' | 'host' | 'path'>): string {
  return [profile, host, path ?? ''].join('\n');
}

/** A copy of the context that uses the profile of an entry. */
function contextOf(context: Context, entry: Entry): Context {
  let service: Promise<Service> | undefined;
  const place: Context = {
    ...context,
    profile: () => context.settings.named(entry.profile),
    service: () => {
      service ??= checkedService(place, entry);
      return service;
    },
  };
  return place;
}

async function checkedService(place: Context, entry: Entry): Promise<Service> {
  const profile = await place.profile();
  const { host } = await profileOwner(place);
  if (host === entry.host) return place.serviceFor(profile);
  throw new SwapctlError(
    'no_credentials',
    `Profile ${entry.profile} leads to ${host} now, and order ${entry.order} was made at ${entry.host}.`,
    { hint: `Store the key pair of ${entry.host} again, under a name of its own, and ask with -p.` },
  );
}
