import { attempt, SwapctlError } from '../../../base/errors.ts';
import { type Entry, type Owner, ownerOf } from '../../../core/ledger/entry.ts';
import { ENV_PROFILE } from '../../../core/partner-api/key-pair.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import type { Context } from '../../context.ts';
import { type Profile, SANDBOX_PROFILE } from '../../settings/profile.ts';

/** An order, with a context whose service is that of the order's own profile. */
export interface ProfileOrder {
  readonly order: string;
  readonly ports: Context;
  /** Its entry in the ledger, if already read. */
  readonly entry: Entry | null;
}

/** The only profile to use, from a flag or a key pair in the environment; null for all. */
export function onlyProfile({ flags, settings }: Context): string | null {
  if (flags.sandbox === true) return SANDBOX_PROFILE;
  if (flags.profile !== undefined) return flags.profile;
  return settings.deciding.some((name) => name !== 'SWAPCTL_PROFILE') ? ENV_PROFILE : null;
}

/** Every open order of the ledger: of the profile that flags or environment name, else of all profiles. */
export async function openOrders(context: Context): Promise<readonly ProfileOrder[]> {
  const ledger = await context.ledger();
  const everybodys = onlyProfile(context) === null;
  return ordersOfEntries(context, await ledger.open(everybodys ? null : await context.owner()));
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
export async function profileContexts(context: Context): Promise<(entry: Entry) => Context> {
  const own = await ownerInUse(context);
  const isOnly = onlyProfile(context) !== null;
  const known = new Map<string, Context>(own === null ? [] : [[own.account, context]]);
  return (entry) => {
    const isAsked = isOnly && (own === null || own.host === entry.host);
    const ports = known.get(entry.account) ?? (isAsked ? context : contextOf(context, entry));
    known.set(entry.account, ports);
    return ports;
  };
}

/** The owner of the profile in use; null if that profile cannot be used. */
export async function ownerInUse(context: Context): Promise<Owner | null> {
  const owner = await attempt(() => context.owner());
  return owner instanceof SwapctlError ? null : owner;
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
