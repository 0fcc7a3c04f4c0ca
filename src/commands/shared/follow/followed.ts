import type { SwapctlError } from '../../../errors.ts';
import type { SwapResult } from '../../../ledger/swap-result.ts';

/** Tells the swaps apart: two profiles may have an order of the same number. */
interface OfSwap {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What somebody who follows swaps learns. */
export type Followed =
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
