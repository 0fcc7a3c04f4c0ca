import { UsageError } from '../../errors.ts';
import { nearestWords } from '../../suggest.ts';
import { echoed, someOf } from '../../text.ts';
import type { Field } from './fields.ts';
import { FIELDS, ORDER, ORDER_HEADERS } from './fields.ts';

/** Where a statement has what is compared: the index of each column. */
export interface Columns {
  readonly order: number;
  readonly compared: readonly { readonly field: Field; readonly column: number }[];
}

/** Names of fields, each with the header of its column. */
export type ColumnMap = ReadonlyMap<string, string>;

/** Reads `--map` as collected, `field=Column,field=Column` each. Throws a usage error that suggests. */
export function mapArgument(texts: readonly string[]): ColumnMap {
  const map = new Map<string, string>();
  for (const part of texts.flatMap((text) => text.split(','))) {
    const equals = part.indexOf('=');
    const [name, header] = [part.slice(0, Math.max(0, equals)).trim(), part.slice(equals + 1).trim()];
    if (equals < 0 || header === '')
      throw new UsageError(`${quoted(part)} is not field=Column.`, 'Write --map order=Id,amount=Amount.');
    if (name !== ORDER && FIELDS.every((field) => field.name !== name)) throw unknownField(name);
    if (map.has(name)) throw new UsageError(`The field ${name} is mapped twice.`);
    map.set(name, header);
  }
  return map;
}

function unknownField(name: string): UsageError {
  const names = [ORDER, ...FIELDS.map((field) => field.name)];
  const near = nearestWords(names, name.slice(0, 40));
  return new UsageError(
    `There is no field ${quoted(name)} to compare.`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Fields are ${names.join(', ')}.`,
  );
}

/**
 * The columns of a statement: those that are mapped, and where nothing is mapped, those whose header says what they are.
 * The order's column is found by its header where it is not mapped.
 */
export function columnsOf(header: readonly string[], map: ColumnMap): Columns {
  const mapped = map.get(ORDER);
  const order = mapped === undefined ? guessed(header, ORDER_HEADERS) : columnNamed(header, mapped);
  if (order === null)
    throw new UsageError(
      'No column of the statement looks like the order number.',
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
  const plain = header.map((text) => text.toLowerCase().replace(/[^a-z0-9]/g, ''));
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

/** A column by its header: letter for letter, else in any case where that is one column. */
function columnNamed(header: readonly string[], wanted: string): number {
  const names = header.map((text) => text.trim());
  const exact = names.indexOf(wanted);
  if (exact >= 0) return exact;
  const loose = names.flatMap((name, index) => (name.toLowerCase() === wanted.toLowerCase() ? [index] : []));
  const [only, another] = loose;
  if (only !== undefined && another === undefined) return only;
  const near = nearestWords(names, wanted.slice(0, 40)).map(quoted);
  throw new UsageError(
    `The statement has no column ${quoted(wanted)}.`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Its columns are ${listed(header)}.`,
  );
}

function listed(header: readonly string[]): string {
  return someOf(header.map(quoted));
}

function quoted(text: string): string {
  return `"${echoed(text)}"`;
}
