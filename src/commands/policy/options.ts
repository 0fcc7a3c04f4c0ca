import type { Side } from '../../swap/swap.ts';

/** Options of `swapctl policy set`. */
export interface PolicySetOptions {
  readonly file: string;
  readonly ownerKey: string | null;
  readonly yes: boolean;
}

/** Options of `swapctl policy simulate`. */
export interface SimulateOptions {
  readonly file: string;
  /** Milliseconds; null for everything. */
  readonly since: number | null;
}

/** Options of `swapctl policy suspend` and `unsuspend`. */
export interface SuspendOptions {
  readonly what: string;
  readonly side: Side | null;
  /** Milliseconds since 1970; null for until it is lifted. */
  readonly until: number | null;
  readonly reason: string | null;
  readonly ownerKey: string | null;
}
