import type { Labels } from '../../swap/labels.ts';
import type { UnpricedSwap } from '../../swaps/check.ts';
import type { ReviewPrice } from './prices/review-prices.ts';

/** A row that passed every check. */
export interface CheckedRow {
  readonly row: number;
  readonly key: string;
  readonly labels: Labels;
  /** Null where its key has an order, or may have one: then nothing is sent. */
  readonly fresh: FreshRow | null;
}

/** What is to be sent for a row, and its price at the review. */
export interface FreshRow {
  readonly swap: UnpricedSwap;
  readonly reviewed: ReviewPrice;
}
