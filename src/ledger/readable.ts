import type { Entry } from './entry.ts';
import { DamagedEntryError, entryFromRow } from './entry.ts';
import type { IntentRow } from './schema.ts';

/** Entries of rows; one that cannot be read is left out, and told once. */
export function eachReadable(
  onDamaged: (error: DamagedEntryError) => void,
): (rows: readonly IntentRow[]) => readonly Entry[] {
  return readableWith(onDamaged, entryFromRow);
}

/** What `read` makes of rows; a row for which it throws {@link DamagedEntryError} is left out, and told once. */
export function readableWith<Row, Item>(
  onDamaged: (error: DamagedEntryError) => void,
  read: (row: Row) => Item,
): (rows: readonly Row[]) => readonly Item[] {
  const told = new Set<string>();
  return (rows) =>
    rows.flatMap((row) => {
      try {
        return [read(row)];
      } catch (error) {
        if (!(error instanceof DamagedEntryError)) throw error;
        if (!told.has(error.id)) onDamaged(error);
        told.add(error.id);
        return [];
      }
    });
}
