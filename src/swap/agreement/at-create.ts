import type { Swap } from '../swap.ts';
import type { Finding } from './agreed.ts';
import { isUntouched, unpayable } from './fundable.ts';

/**
 * Why the answer to a create is not the swap that was asked for, as a clause, or null where it may be shown. Nobody
 * has been told an address yet, so whatever contradicts, or is left open, is reason enough; a deposit address that is
 * odd by our own rules alone is a doubt.
 */
export function createProblem(findings: readonly Finding[], swap: Swap): string | null {
  const contradiction = findings.find(({ code }) => code !== 'deposit_address_odd');
  return begun(swap) ?? unpayable(swap) ?? contradiction?.words ?? null;
}

/** An order just made waits for its deposit; a status that nobody knows may mean that too. */
function begun(swap: Swap): string | null {
  const { status, final } = swap;
  if (final) return `it has ended already, as ${status}`;
  if (status === 'pause' || status === 'frozen') return `it is in ${status} already`;
  const waits = isUntouched({ ...swap, status: status === 'unknown' ? 'new' : status });
  return waits ? null : 'it has begun already, before anybody could pay';
}
