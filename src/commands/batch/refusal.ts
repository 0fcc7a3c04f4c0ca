import type { Context } from '../../context.ts';
import { fullSentence, UsageError } from '../../errors.ts';
import type { RowProblem } from './rows/raw-row.ts';

/** Problems that are told one by one; a file with more of them is wrong as a whole. */
const MAX_TOLD = 1000;

/** Everything that is refused of a file, to be told at once. */
export class Refusal {
  readonly #context: Context;
  readonly #problems: RowProblem[] = [];
  readonly #rows = new Set<number | null>();
  #count = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add(problems: readonly RowProblem[]): void {
    this.#count += problems.length;
    for (const problem of problems) {
      if (this.#problems.length < MAX_TOLD) this.#problems.push(problem);
      this.#rows.add(problem.row);
    }
  }

  /** Throws one usage error for all problems, after a line for each where a person reads. */
  throwIfAny(rows: number): void {
    if (this.isEmpty) return;
    const { streams } = this.#context;
    const more = this.#count - this.#problems.length;
    if (streams.format !== 'json') {
      for (const problem of this.#problems) streams.note(problemWords(problem), true);
      if (more > 0) streams.note(`… and ${more} more.`, true);
    }
    const refused = this.#rows.size - (this.#rows.has(null) ? 1 : 0);
    const where =
      refused === 0 ? 'the file is' : `${refused} of ${rows} rows ${refused === 1 ? 'is' : 'are'}`;
    throw new UsageError(
      `Nothing was sent: ${where} refused, with ${this.#count} problem${this.#count === 1 ? '' : 's'} in all.`,
      'Mend what is named above and run the file again.',
      'usage',
      { rows, refused, problems: this.#count, errors: this.#problems.map(problemJson) },
    );
  }
}

function problemWords({ row, line, column, error }: RowProblem): string {
  const place = [
    row === null ? '' : `row ${row}`,
    line === 0 ? '' : row === null ? `line ${line}` : `(line ${line})`,
  ].filter((part) => part !== '');
  const where = column === null ? place.join(' ') : `${place.join(' ')}, ${column}`;
  const hint = error.hint === null ? '' : ` ${fullSentence(error.hint)}`;
  return `${where === '' ? '' : `${where}: `}${fullSentence(error.message)}${hint}`;
}

function problemJson({ row, line, column, error }: RowProblem) {
  const { code, message, hint } = error;
  return { row, line: line === 0 ? null : line, column, code, message, hint };
}
