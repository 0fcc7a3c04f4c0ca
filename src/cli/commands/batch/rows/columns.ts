import { UsageError } from '../../../../base/errors.ts';
import { nearestWords } from '../../../../base/suggest.ts';
import { echoed, someOf } from '../../../../base/text.ts';
import { LABEL_KEY, WRONG_LABEL_KEY } from '../../../../core/swap/labels.ts';
import { csvName, ROW_PARTS, type RowPart } from '../../shared/row.ts';
import { columnNamed, type HeadingMap, mapArgument, plainHeading } from '../../shared/sheet.ts';

/** How the rows are written. */
export type RowFormat = 'csv' | 'jsonl';

/** Required parts. */
export const NEEDED = ['from', 'to', 'amount', 'address'] as const satisfies readonly RowPart[];

/** All columns, and an example row with addresses of test networks, which a live profile refuses. */
export const TEMPLATE = {
  headings: [...ROW_PARTS.map(csvName), 'label.team'].join(','),
  row: 'BTC,XRP,0.1,TVE26TYGhfLC7tQDno7G8dGtxSkYQn49b3qD26PK7FcGSKE,12345,no,float,1,tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx,invoice-1001,ops',
};

/** The name of a part's column or key. */
export function columnName(part: RowPart, format: RowFormat): string {
  return format === 'csv' ? csvName(part) : part;
}

/** One column of a CSV file: a part of the row, a label, one that is not used, or one without a heading. */
export type Column = { readonly part: RowPart } | { readonly label: string } | 'unused' | 'nameless';

/** Reads `--map` of `batch`, whose fields are columns and labels. */
export function readMap(texts: readonly string[]): HeadingMap {
  return mapArgument(texts, (typed) => fieldName(columnOf(typed)), columnNames());
}

function fieldName(column: Column): string | null {
  if (typeof column === 'string') return null;
  return 'part' in column ? csvName(column.part) : `label.${column.label}`;
}

function columnNames(): readonly string[] {
  return [...ROW_PARTS.map(csvName), 'label.<key>'];
}

/** The column that a heading names, ignoring case and punctuation. Throws for a label with an invalid key. */
function columnOf(heading: string): Column {
  const name = plainHeading(heading);
  const part = ROW_PARTS.find((each) => plainHeading(csvName(each)) === name);
  if (part !== undefined) return { part };
  const label = /^label\.(.*)$/is.exec(heading.trim())?.[1]?.trim();
  if (label === undefined) return name === '' ? 'nameless' : 'unused';
  if (!LABEL_KEY.test(label)) throw new UsageError(`Invalid label column: ${WRONG_LABEL_KEY}.`);
  return { label };
}

/** Something that is wrong with the headings. */
export interface HeadingProblem {
  readonly column: string | null;
  readonly error: UsageError;
}

/** The columns of a CSV file, or all problems with its headings. */
export interface Headings {
  readonly columns: readonly Column[];
  readonly problems: readonly HeadingProblem[];
  /** Headings of columns that are not used, because the map names others. */
  readonly unused: readonly string[];
}

/** Reads the headings of a CSV file. Unknown columns are refused, unless a map names the columns to use. */
export function readHeadings(headings: readonly string[], map: HeadingMap): Headings {
  const mapped = new Map([...map].map(([field, heading]) => [columnNamed(headings, heading), field]));
  const problems: HeadingProblem[] = [];
  const unused: string[] = [];
  const unknown: string[] = [];
  const used = new Set<string>(map.keys());
  const columns = headings.map((heading, index): Column => {
    try {
      const column = columnOf(mapped.get(index) ?? heading);
      const field = fieldName(column);
      if (field === null) {
        if (column === 'unused') unknown.push(heading.trim());
        return column;
      }
      if (used.has(field) && !mapped.has(index)) {
        if (map.has(field)) unused.push(heading.trim());
        else problems.push({ column: field, error: new UsageError(`Duplicate column ${field}.`) });
        return 'unused';
      }
      used.add(field);
      return column;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push({ column: echoed(heading.trim()), error });
      return 'unused';
    }
  });
  const missing = NEEDED.filter((part) => !used.has(part));
  return { columns, ...unknownColumns({ unknown, missing, used, map }, problems, unused) };
}

interface HeadingScan {
  readonly unknown: readonly string[];
  readonly missing: readonly RowPart[];
  readonly used: ReadonlySet<string>;
  readonly map: HeadingMap;
}

/** Problems with headings that name no column, each cause once: a misspelled one is not also reported as missing. */
function unknownColumns(
  { unknown, missing, used, map }: HeadingScan,
  before: readonly HeadingProblem[],
  mappedElsewhere: readonly string[],
): Omit<Headings, 'columns'> {
  const problems = [...before];
  const unused = [...mappedElsewhere];
  // The file may be something else, such as a secret, so none of it is repeated.
  if (used.size === 0)
    return { unused, problems: [{ column: null, error: new UsageError(NO_HEADINGS, HEADINGS_HINT) }] };
  const explained = new Set<string>();
  for (const name of unknown) {
    const near = nearestWords(columnNames(), name).filter((each) => !used.has(each));
    for (const each of near) explained.add(each);
    if (map.size > 0 && near.length === 0) unused.push(name);
    else problems.push({ column: echoed(name), error: unknownName(name, near) });
  }
  for (const part of missing) {
    const hint = `If it has another heading, pass --map ${part}=<heading>.`;
    const error = new UsageError(`Missing column ${part}.`, hint);
    if (!explained.has(csvName(part))) problems.push({ column: part, error });
  }
  return { problems, unused };
}

const NO_HEADINGS = 'The first line has no known column names.';
const HEADINGS_HINT =
  'It must have from,to,amount,address, and may have the other columns of `swapctl batch --template`. Map other headings with --map.';

function unknownName(name: string, near: readonly string[]): UsageError {
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(', ')}?`
      : `The columns are ${someOf(columnNames())}. To store it as a label, pass --map label.<key>=<heading>.`;
  return new UsageError(`Unknown column ${echoed(name)}.`, hint);
}
