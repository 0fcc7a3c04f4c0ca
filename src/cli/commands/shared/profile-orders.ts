import { attempt, SwapctlError } from '../../../base/errors.ts';
import { type Entry, ownerOf } from '../../../core/ledger/entry.ts';
import { namedOrder, ownerInUse } from '../../../core/swaps/named-swap.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import type { Context } from '../../context.ts';
import type { Profile } from '../../settings/profile.ts';

/** An order, with a context whose service is that of the order's own profile. */
export interface ProfileOrder {
  readonly order: string;
  readonly ports: Context;
  /** Its entry in the ledger, if already read. */
  readonly entry: Entry | null;
}

/** Every open order of the ledger: of the profile that flags or environment name, else of all profiles. */
export async function openOrders(context: Context): Promise<readonly ProfileOrder[]> {
  const ledger = await context.ledger();
  const everybodys = context.onlyProfile === null;
  return ordersOfEntries(context, await ledger.open(everybodys ? null : await context.owner()));
}

/** Swaps that texts identify, each once, with the profile of its entry, or the profile in use if there is no entry. */
export async function profileOrders(context: Context, texts: readonly string[]) {
  const contextFor = await profileContexts(context);
  const found = new Map<string, ProfileOrder>();
  for (const text of texts) {
    const { order, entry } = await namedOrder(context, text, { whose: 'named' });
    found.set(entry?.id ?? order, { order, ports: entry === null ? context : contextFor(entry), entry });
  }
  return [...found.values()];
}

/** The orders of entries, which all belong to the profile in use if only that one was named. */
export async function ordersOfEntries(context: Context, entries: readonly Entry[]) {
  const contextFor = await profileContexts(context);
  return entries.flatMap((entry) =>
    entry.order === null ? [] : [{ order: entry.order, ports: contextFor(entry), entry }],
  );
}

/**
 * Returns the context of an entry's own profile, shared by all entries of one profile. If only one profile is to be used, it
 * is asked for the orders of its host, also those of an earlier key pair.
 */
async function profileContexts(context: Context): Promise<(entry: Entry) => Context> {
  const own = await ownerInUse(context);
  const isOnly = context.onlyProfile !== null;
  const known = new Map<string, Context>(own === null ? [] : [[own.account, context]]);
  return (entry) => {
    const isAsked = isOnly && (own === null || own.host === entry.host);
    const ports = known.get(entry.account) ?? (isAsked ? context : contextOf(context, entry));
    known.set(entry.account, ports);
    return ports;
  };
}

/** A copy of the context that uses the account of an entry, whatever name it is stored under now. */
function contextOf(context: Context, entry: Entry): Context {
  let profile: Promise<Profile> | undefined;
  let service: Promise<Service> | undefined;
  const ports: Context = {
    ...context,
    profile: () => {
      profile ??= profileOf(context, entry);
      return profile;
    },
    owner: async () => ownerOf(await ports.profile()),
    service: () => {
      service ??= ports.profile().then((found) => ports.serviceFor(found));
      return service;
    },
  };
  return ports;
}

/** The profile of an account: the one that created it, or another name of its key pair at its host. */
async function profileOf({ settings }: Context, entry: Entry): Promise<Profile> {
  const isIts = (profile: Profile) => ownerOf(profile).account === entry.account;
  const made = await attempt(() => settings.named(entry.profile));
  if (!(made instanceof SwapctlError) && isIts(made)) return made;
  for (const name of await settings.names()) {
    const other = await settings.named(name).catch(() => null);
    if (other !== null && isIts(other)) return other;
  }
  if (made instanceof SwapctlError) throw made;
  const { host } = ownerOf(made);
  throw new SwapctlError(
    'no_credentials',
    host === entry.host
      ? `Order ${entry.order} was created at ${host} with another key pair than profile ${entry.profile} has now.`
      : `Profile ${entry.profile} now uses ${host}, but order ${entry.order} was created at ${entry.host}.`,
    {
      hint: `Store the key pair of order ${entry.order} under another profile name, then run the command again.`,
    },
  );
}
