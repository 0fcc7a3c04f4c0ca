import type { Context } from '../../context.ts';
import { EVERY_ENTRY, type LedgerFilter } from '../../ledger/filter.ts';
import type { Environment } from '../../swap/swap.ts';
import { onlyProfile } from './order-places.ts';

/** Bounds of the time at which swaps were asked for, in milliseconds since 1970; null where there is none. */
export interface Period {
  readonly since: number | null;
  readonly until: number | null;
}

/** The filter of the swaps that accounts are made of. */
export type AccountsFilter = LedgerFilter & { readonly environment: Environment };

/**
 * The swaps that accounts are made of: of the profile that is named, or of all. Live and sandbox are never mixed: they
 * are the live ones, or the sandbox ones where there is no live one.
 */
export async function accountsFilter(context: Context, period: Period): Promise<AccountsFilter> {
  const { books } = await context.ledger();
  const profile = onlyProfile(context);
  const isLive = await books.any(profile, true);
  // A profile that there never was is a slip of the pen, and not an empty report.
  if (!isLive && profile !== null && !(await books.any(profile))) await context.profile();
  return { ...EVERY_ENTRY, profile, ...period, environment: isLive ? 'live' : 'sandbox' };
}

/** Says of which swaps accounts are. */
export function noteAccounts({ streams }: Context, { profile, environment }: AccountsFilter): void {
  const whose = profile === null ? 'all profiles' : `profile ${profile}`;
  streams.note(
    environment === 'live'
      ? `Showing live swaps of ${whose}, without sandbox swaps.`
      : `No live swaps found; showing sandbox swaps of ${whose}.`,
  );
}
