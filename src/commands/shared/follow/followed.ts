import type { Context } from '../../../context.ts';
import type { SwapctlError } from '../../../errors.ts';
import type { BudgetLimit } from '../../../ledger/budget/limit.ts';
import type { SwapResult } from '../../../ledger/swap-result.ts';

/** Swaps of one profile: orders by their numbers, or null for every open one of the ledger, later ones too. */
export interface FollowPlace {
  /** The context in which the profile's service is asked. */
  readonly context: Context;
  readonly orders: readonly string[] | null;
}

/** Options of following. */
export interface FollowOptions {
  /** Pause between two looks at any swap, in milliseconds; null for each swap's own pause. */
  readonly intervalMs: number | null;
  /** Null is the usual one of each profile. */
  readonly budget: BudgetLimit | null;
  /** Goes on where no swap is open: another process may create one. Default false. */
  readonly endless?: boolean;
  /** Ends after one look at each swap, whoever takes it. Default false. */
  readonly once?: boolean;
  /** Swaps that have been seen before, just now. */
  readonly known?: readonly SwapResult[];
  /** Begins with what the ledger knows, as one event for each place, and polls what needs a person first. Default false. */
  readonly fromLedger?: boolean;
  /** Ends every pause: nobody listens any more. */
  readonly signal?: AbortSignal;
  /** Most looks under way at a time. Default 4. */
  readonly maxInFlight?: number;
}

/** Tells the swaps apart: two profiles may have an order of the same number. */
interface OfSwap {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A swap as the ledger has it. */
export interface KnownSwap {
  readonly key: string;
  readonly swap: SwapResult;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

/** One thing learned while following swaps. */
export type Followed =
  /** What the ledger knew of the swaps of a place before the first poll. */
  | { readonly kind: 'known'; readonly swaps: readonly KnownSwap[] }
  /** A look at a swap, by this process or by another one on the ledger, whether anything changed or not. */
  | (OfSwap & { readonly kind: 'seen'; readonly swap: SwapResult; readonly before: SwapResult | null })
  /** A look that failed for a reason that passes. */
  | (OfSwap & { readonly kind: 'missed'; readonly order: string; readonly error: SwapctlError })
  /** A swap that is followed no more, for a reason that stays; with it all others of its profile where that cannot be asked. */
  | (OfSwap & {
      readonly kind: 'gone';
      readonly order: string;
      readonly error: SwapctlError;
      readonly isWholeProfile: boolean;
    })
  /** The end of a swap, or of the time: then it may still be open, or was never seen. */
  | (OfSwap & { readonly kind: 'ended'; readonly order: string; readonly swap: SwapResult | null });
