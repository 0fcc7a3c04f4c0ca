import type { BudgetLimit } from '../../ledger/budget/limit.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { Labels } from '../../swap/labels.ts';
import type { HeadingMap } from '../shared/sheet.ts';

/** Parsed arguments of `swapctl batch`. */
export interface BatchOptions {
  /** Path of the rows; `-` is standard input. */
  readonly file: string;
  /** Empty where the headings are those of the columns. */
  readonly map: HeadingMap;
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** Take the orders that rows already have, whatever became of them. */
  readonly resume: boolean;
  /** Make new orders for rows whose order has ended, has expired or is older than a day. */
  readonly repeat: boolean;
  /** Where the result is written; null for standard output alone. */
  readonly output: string | null;
  /** Null is the stored one, else the default. */
  readonly budget: BudgetLimit | null;
  /** Percent by which a price may have got worse since the review; null is the default of the rate type. */
  readonly tolerance: Decimal | null;
  /** For every row; a row's own label of the same key comes first. */
  readonly labels: Labels;
}
