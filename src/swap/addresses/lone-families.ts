import type { LoneFamily } from '../networks/network.ts';
import type { ReadAddress } from './reading.ts';

/** Loads the one function of a family that has a form of its own, as `families.ts` does for the others. */
export const LONE_LOADERS: Readonly<Record<LoneFamily, () => Promise<ReadAddress>>> = {};
