import { SwapctlError, UsageError } from '../../../errors.ts';
import { columnName, type Part, type RowFormat } from './columns.ts';
import type { RawRow, RowProblem } from './raw-row.ts';

/** Reads the parts of one row, and collects everything that is wrong with them. */
export class PartReader {
  readonly #raw: RawRow;
  readonly #format: RowFormat;
  readonly #problems: RowProblem[];

  constructor(raw: RawRow, format: RowFormat) {
    this.#raw = raw;
    this.#format = format;
    this.#problems = [...raw.problems];
  }

  /** What is wrong so far, the problems that the row came with first. */
  get problems(): readonly RowProblem[] {
    return this.#problems;
  }

  /** A part that may be left out; null where it is, or was refused. */
  async optional<T>(part: Part, read: (text: string) => T | Promise<T>): Promise<T | null> {
    const text = this.#raw.parts.get(part);
    return text === undefined ? null : this.#noted(columnName(part, this.#format), () => read(text), part);
  }

  /** A part without which there is no swap; null where it is missing, or was refused. */
  async needed<T>(part: Part, read: (text: string) => T | Promise<T>): Promise<T | null> {
    const column = columnName(part, this.#format);
    const isKnownProblem = this.#raw.problems.some((problem) => problem.column === column);
    if (!this.#raw.parts.has(part) && !isKnownProblem)
      this.#refuse(column, new UsageError(`The row has no value for ${column}.`));
    return this.optional(part, read);
  }

  /** The labels; null where one was refused. */
  async labels<T>(read: (labels: RawRow['labels']) => Promise<T>): Promise<T | null> {
    return this.#noted(this.#format === 'csv' ? 'label' : 'labels', () => read(this.#raw.labels));
  }

  async #noted<T>(column: string, read: () => T | Promise<T>, part?: Part): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SwapctlError)) throw error;
      this.#refuse(column, error, part);
      return null;
    }
  }

  #refuse(column: string, error: SwapctlError, part?: Part): void {
    const { row, line } = this.#raw;
    this.#problems.push({ row, line, column, error, ...amountText(this.#raw, part) });
  }
}

/** The amount of a problem with one: that of another row has the same cause. */
export function amountText({ parts }: RawRow, part: Part | null | undefined): Pick<RowProblem, 'text'> {
  const text = part === 'amount' || part === 'minReceive' ? parts.get(part) : undefined;
  return text === undefined ? {} : { text };
}
