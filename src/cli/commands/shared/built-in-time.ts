import type { HistoryResult } from '../../../core/ledger/swap-result.ts';
import type { Context } from '../../context.ts';
import { isOfBuiltIn } from '../../views/history.ts';

/** The time of the built-in service's clock, for the ages of its swaps on a screen; null where none of them has one. */
export async function builtInTime(context: Context, entries: readonly Pick<HistoryResult, 'profile'>[]) {
  if (context.streams.format !== 'screen' || !entries.some(isOfBuiltIn)) return null;
  return (await (await context.operator()).clock.read()).now;
}
