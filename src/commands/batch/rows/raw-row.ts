import type { SwapctlError } from '../../../errors.ts';
import type { Part } from './columns.ts';

/** Something that is wrong with a row, or with the header. */
export interface RowProblem {
  /** Number of the row, the first below the header being 1; null for the header. */
  readonly row: number | null;
  readonly line: number;
  /** The column, or the key; null where it is about the whole row. */
  readonly column: string | null;
  /** What the row has there: the same problem of other rows differs in it alone. */
  readonly text?: string;
  readonly error: SwapctlError;
}

/** One row of a file. */
export interface RawRow {
  /** Counted from 1, the header aside. */
  readonly row: number;
  readonly line: number;
  /** Texts of the parts that are not empty, without blanks at their ends. */
  readonly parts: ReadonlyMap<Part, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly problems: readonly RowProblem[];
}
