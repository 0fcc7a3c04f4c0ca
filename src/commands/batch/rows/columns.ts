import { UsageError } from '../../../errors.ts';
import { nearestWords } from '../../../suggest.ts';
import { checkLabel } from '../../../swap/labels.ts';
import { echoed, someOf } from '../../../text.ts';

/** How the rows are written. */
export type RowFormat = 'csv' | 'jsonl';

/** The parts of a row, labels aside, with the names of their columns and keys. */
const NAMES = {
  from: { csv: 'from', jsonl: 'from' },
  to: { csv: 'to', jsonl: 'to' },
  amount: { csv: 'amount', jsonl: 'amount' },
  address: { csv: 'address', jsonl: 'address' },
  memo: { csv: 'memo', jsonl: 'memo' },
  receive: { csv: 'receive', jsonl: 'receive' },
  type: { csv: 'type', jsonl: 'type' },
  minReceive: { csv: 'min_receive', jsonl: 'minReceive' },
  refundAddress: { csv: 'refund_address', jsonl: 'refundAddress' },
  key: { csv: 'key', jsonl: 'key' },
} as const;

/** A part of a row that has a column of its own. */
export type Part = keyof typeof NAMES;

/** Parts without which there is no swap. */
const NEEDED = ['from', 'to', 'amount', 'address'] as const satisfies readonly Part[];

const PARTS = Object.keys(NAMES) as Part[];

/** The name of a part's column or key. */
export function columnName(part: Part, format: RowFormat): string {
  return NAMES[part][format];
}

/** The part that a column or key names; null for any other. */
export function partNamed(name: string, format: RowFormat): Part | null {
  return PARTS.find((part) => NAMES[part][format] === name) ?? null;
}

/** One column of a CSV file: a part of the row, or a label. */
export type Column = { readonly part: Part } | { readonly label: string };

/** Something that is wrong with a column. */
export interface ColumnProblem {
  readonly column: string;
  readonly error: UsageError;
}

/** The columns of a header, or everything that is wrong with it. */
export function columnsOf(
  header: readonly string[],
): { readonly columns: readonly Column[] } | { readonly problems: readonly ColumnProblem[] } {
  const problems: ColumnProblem[] = [];
  const names = header.map((name) => name.trim());
  const columns = names.flatMap((name, index): Column[] => {
    const column = columnOf(name);
    if (names.indexOf(name) !== index)
      problems.push(problem(name, new UsageError(`The column ${echoed(name)} stands there twice.`)));
    else if (column instanceof UsageError) problems.push(problem(name, column));
    else return [column];
    return [];
  });
  for (const part of NEEDED)
    if (!names.includes(NAMES[part].csv))
      problems.push(problem(part, new UsageError(`The column ${part} is missing.`, HEADER_HINT)));
  return problems.length > 0 ? { problems } : { columns };
}

const HEADER_HINT = 'The first line names the columns, with commas between: from,to,amount,address';

function problem(name: string, error: UsageError): ColumnProblem {
  return { column: echoed(name), error };
}

function columnOf(name: string): Column | UsageError {
  const part = partNamed(name, 'csv');
  if (part !== null) return { part };
  const label = name.startsWith('label.') ? name.slice('label.'.length) : null;
  if (label === null) return unknownName(name, 'csv');
  const verdict = checkLabel(`${label}=`);
  return verdict.ok ? { label } : new UsageError(`A label's column is refused: ${verdict.reason}.`);
}

/** The error for a column or key that there is none of, with those that it may have been meant for. */
export function unknownName(name: string, format: RowFormat): UsageError {
  const known = [...PARTS.map((part) => NAMES[part][format]), format === 'csv' ? 'label.<key>' : 'labels'];
  const near = nearestWords(known, name);
  const kind = format === 'csv' ? 'column' : 'key';
  const hint =
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : `The ${kind}s are ${someOf(known, ', ')}.`;
  const separated = format === 'csv' && /[;\t|]/.test(name) ? ' The separator has to be a comma.' : '';
  return new UsageError(`There is no ${kind} ${echoed(name)}.`, `${hint}${separated}`);
}
