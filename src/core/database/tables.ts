import type { Generated } from 'kysely';

/** A table's rows: text columns hold strings, all others numbers, and those that may be empty null. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends `${string}DEFAULT ${string}`
    ? Generated<ValueOf<Columns[Name]>>
    : Columns[Name] extends `${string}NOT NULL${string}` | `${string}PRIMARY KEY`
      ? ValueOf<Columns[Name]>
      : ValueOf<Columns[Name]> | null;
};

type ValueOf<Sql> = Sql extends `text${string}` ? string : number;

/** The row type of each table for Kysely, derived from the SQL types of its columns. */
export type SchemaOf<Tables> = { readonly [Name in keyof Tables]: RowOf<Tables[Name]> };

/** Writes the statement that creates such a table. */
export function tableMaker<Tables extends Readonly<Record<string, Readonly<Record<string, string>>>>>(
  tables: Tables,
) {
  return (name: keyof Tables & string, ...constraints: readonly string[]): string => {
    const columns = Object.entries(tables[name] ?? {}).map(([column, type]) => `${column} ${type}`);
    return `CREATE TABLE ${name} (${[...columns, ...constraints].join(', ')})`;
  };
}
