import type { PlantedBug } from './planted/bugs.d.mts';

export function bundleSimulation(bug?: PlantedBug | null, hasMap?: boolean): Promise<string>;
