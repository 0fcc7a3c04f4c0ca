import type { RequestRate } from '../shared/arguments.ts';

/** Options of `swapctl listen`. */
export interface ListenOptions {
  /** A URL that receives webhooks; null for none. */
  readonly forwardTo: string | null;
  /** A command for `sh -c`; null for none. */
  readonly exec: string | null;
  /** Empty for every open swap of the profile. */
  readonly orders: readonly string[];
  /** Globs of the types that are printed and delivered; null for all. */
  readonly types: readonly string[] | null;
  readonly once: boolean;
  /** Null for no metrics. */
  readonly metricsPort: number | null;
  readonly printSecret: boolean;
  /** Null where none is given. */
  readonly intervalMs: number | null;
  readonly budget: RequestRate | null;
}
