import type { Decimal } from '../amount.ts';
import type { Environment, Swap, SwapRequest } from '../swap.ts';

/** In what a swap may be doubted, as it stands in `doubts`: docs/command-line.md#doubts. */
export type DoubtCode =
  | 'deposit_changed'
  | 'amount_changed'
  | 'payout_changed'
  | 'type_changed'
  | 'deposit_address_odd'
  | 'went_backwards';

/** One thing that is not as it was agreed, or that the service no longer confirms. */
export interface Finding {
  readonly code: DoubtCode;
  /** A clause about the swap, with what was agreed beside what is said now. */
  readonly words: string;
}

/** What a swap was asked to be. The last three are missing in what an older version recorded. */
export interface AgreedTerms extends Omit<SwapRequest, 'lastSource'> {
  /** What the last quote said that it pays. */
  readonly quoted?: Decimal;
  readonly minReceive?: Decimal | null;
  /** The service's coin list says that a deposit on this network needs a memo. */
  readonly depositMemoNeeded?: boolean;
}

/** All that was agreed about one swap, as far as it is known. */
export interface Agreement {
  /** Null for an order that was made elsewhere. */
  readonly terms: AgreedTerms | null;
  /** The swap as the service first described it; null while that description is being judged. */
  readonly first: Swap | null;
  /** The status farthest on the way that was ever seen. */
  readonly furthest: string | null;
  readonly environment: Environment;
}
