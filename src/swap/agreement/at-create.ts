import type { Swap } from '../swap.ts';
import type { Finding } from './agreed.ts';
import { isUntouched, unpayable } from './fundable.ts';
import { unreadableFindings } from './unreadable.ts';

/**
 * Why the answer to a create is not the requested swap, as a clause; null where it may be shown. No address has been
 * shown to anybody yet, so every contradiction or gap is reason enough; a deposit address that is odd only by our own
 * rules is a doubt.
 */
export function createProblem(findings: readonly Finding[], swap: Swap): string | null {
  const contradiction = findings.find(({ code }) => code !== 'deposit_address_odd');
  const [unreadable] = unreadableFindings(swap);
  return begun(swap) ?? unreadable?.words ?? unpayable(swap) ?? contradiction?.words ?? null;
}

/** Why a new order is not waiting for its deposit, or null; an unknown status may mean waiting too. */
function begun(swap: Swap): string | null {
  const { status, final } = swap;
  if (final) return `it has already ended as ${status}`;
  if (status === 'pause' || status === 'frozen') return `its status is already ${status}`;
  const waits = isUntouched({ ...swap, status: status === 'unknown' ? 'new' : status });
  return waits ? null : 'it started before anyone could pay';
}
