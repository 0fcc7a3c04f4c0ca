import { EVERY_ENTRY, type LedgerFilter } from '../../../core/ledger/filter.ts';
import type { Environment } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';

/** Bounds of the time at which swaps were requested, in milliseconds since 1970; null for none. */
export interface Period {
  readonly since: number | null;
  readonly until: number | null;
}

/** The filter for the swaps of reports and exports. */
export type ReportFilter = LedgerFilter & { readonly environment: Environment };

/**
 * The swaps of reports and exports: of the named profile, or of all. Live and sandbox swaps are never mixed: the live
 * ones are used, or the sandbox ones if there are no live ones.
 */
export async function reportFilter(context: Context, period: Period): Promise<ReportFilter> {
  const { books } = await context.ledger();
  const profile = context.onlyProfile;
  const isLive = await books.any(profile, true);
  // A profile that does not exist is a typo, not an empty report.
  if (!isLive && profile !== null && !(await books.any(profile))) await context.profile();
  return { ...EVERY_ENTRY, profile, ...period, environment: isLive ? 'live' : 'sandbox' };
}

/** Notes on standard error which swaps are included: of which profile, and whether live or sandbox ones. */
export function noteIncludedSwaps({ streams }: Context, { profile, environment }: ReportFilter): void {
  const whose = profile === null ? 'all profiles' : `profile ${profile}`;
  const none =
    profile === null
      ? 'No live swaps found; showing sandbox swaps of all profiles.'
      : `Profile ${profile} has no live swaps; showing its sandbox swaps.`;
  streams.note(environment === 'live' ? `Showing live swaps of ${whose}, without sandbox swaps.` : none);
}
