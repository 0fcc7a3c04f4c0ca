import { nearestWords } from '../../../suggest.ts';
import { findNetwork, NETWORKS } from '../../../swap/networks/networks.ts';

/**
 * Warning for a network code that resembles a known one. It may be a slip, or a network that this version does not know,
 * so its addresses are not refused; they are shown as unverified in any case.
 */
export function slipWarnings(network: string): readonly string[] {
  if (findNetwork(network) !== undefined) return [];
  const near = nearestWords(
    NETWORKS.flatMap(({ code, aliases }) => [code, ...aliases]),
    network,
  );
  return near.length === 0 ? [] : [`swapctl knows no network ${network}; did you mean ${near.join(', ')}?`];
}
