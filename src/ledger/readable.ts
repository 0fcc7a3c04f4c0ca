import type { Entry } from './entry.ts';
import { DamagedEntryError, entryFromRow } from './entry.ts';
import type { IntentRow } from './schema.ts';

/** Entries of rows; one that cannot be read is left out, and told once. */
export function eachReadable(
  onDamaged: (error: DamagedEntryError) => void,
): (rows: readonly IntentRow[]) => readonly Entry[] {
  const told = new Set<string>();
  return (rows) =>
    rows.flatMap((row) => {
      try {
        return [entryFromRow(row)];
      } catch (error) {
        if (!(error instanceof DamagedEntryError)) throw error;
        if (!told.has(error.id)) onDamaged(error);
        told.add(error.id);
        return [];
      }
    });
}
