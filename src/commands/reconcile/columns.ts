import { UsageError } from '../../errors.ts';
import { FIELDS, type Field, ORDER, ORDER_HEADERS } from '../../swaps/reconcile.ts';
import { columnNamed, type HeadingMap, listed, mapArgument, plainHeading } from '../shared/sheet.ts';

/** Where a statement has what is compared: the index of each column. */
export interface Columns {
  readonly order: number;
  readonly compared: readonly { readonly field: Field; readonly column: number }[];
}

const NAMES = [ORDER, ...FIELDS.map(({ name }) => name)];

/** Reads `--map` of `reconcile`. */
export function readMap(texts: readonly string[]): HeadingMap {
  return mapArgument(texts, (typed) => NAMES.find((name) => name === typed) ?? null, NAMES);
}

/**
 * The columns of a statement: those that are mapped, and where nothing is mapped, those whose header says what they are.
 * The order's column is found by its header where it is not mapped.
 */
export function columnsOf(header: readonly string[], map: HeadingMap): Columns {
  const mapped = map.get(ORDER);
  const order = mapped === undefined ? guessed(header, ORDER_HEADERS) : columnNamed(header, mapped);
  if (order === null)
    throw new UsageError(
      'The statement has no column with order numbers.',
      `Name it: --map order=<column>. The columns are ${listed(header)}.`,
    );
  if (map.size === 0) return { order, compared: guessedColumns(header, order) };
  const compared = [...map].flatMap(([name, text]) =>
    FIELDS.filter((field) => field.name === name).map((field) => ({
      field,
      column: columnNamed(header, text),
    })),
  );
  return { order, compared };
}

type Compared = Columns['compared'][number];

/**
 * The columns whose header says what they are. One that a path names, such as `receive.amount`, is that, and not also what
 * the short name stands for.
 */
function guessedColumns(header: readonly string[], order: number): Compared[] {
  const compared = FIELDS.flatMap((field) => {
    const column = guessed(header, [field.name], field.headers);
    return column === null ? [] : [{ field, column }];
  });
  const last = new Map(compared.map(({ field, column }) => [column, field]));
  return compared.filter(({ field, column }) => column !== order && last.get(column) === field);
}

/** The first column with one of the exact names, else with one of the loose ones, in letters and digits alone. */
function guessed(
  header: readonly string[],
  exact: readonly string[],
  loose: readonly string[] = exact,
): number | null {
  const plain = header.map(plainHeading);
  const at = (index: number) => (index < 0 ? null : index);
  for (const name of exact) {
    const index = at(header.findIndex((text) => text.trim() === name));
    if (index !== null) return index;
  }
  for (const name of loose) {
    const index = at(plain.indexOf(name));
    if (index !== null) return index;
  }
  return null;
}
