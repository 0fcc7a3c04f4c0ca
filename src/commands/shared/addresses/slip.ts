import { nearestWords } from '../../../suggest.ts';
import { NETWORKS } from '../../../swap/networks/networks.ts';

/** Up to three names of networks that resemble an unknown one; `listed` are networks that a service has besides. */
export function nearestNetworks(typed: string, listed: readonly string[] = []): readonly string[] {
  return nearestWords([...NETWORKS.flatMap(({ code, aliases }) => [code, ...aliases]), ...listed], typed);
}
