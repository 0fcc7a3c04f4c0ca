import type { Kysely } from 'kysely';
import { StorageError, UsageError } from '../../base/errors.ts';
import type { DatabaseLocation } from '../../core/database/database.ts';
import { openDatabase } from '../../core/database/open.ts';
import { SANDBOX_MIGRATIONS, type SandboxSchema } from '../state/schema.ts';
import { builtInCatalogue, type Catalogue, parseCatalogue } from './catalogue.ts';

const CATALOGUE_ID = 1;

/**
 * Stores a server's catalogue in its database, for the operators and for the built-in service of a single command. The
 * server that was started last wins. Throws StorageError.
 */
export async function storeCatalogue(location: DatabaseLocation, { source }: Catalogue): Promise<void> {
  const database = await openDatabase<SandboxSchema>(location, SANDBOX_MIGRATIONS, { name: 'sandbox' });
  try {
    if ((await storedSource(database.kysely)) === source) return;
    await database.kysely
      .insertInto('sandbox_catalogues')
      .values({ id: CATALOGUE_ID, source })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ source }))
      .execute();
  } finally {
    await database.close();
  }
}

/** The catalogue that the last started server stored. Throws StorageError. */
export async function storedCatalogue(db: Kysely<SandboxSchema>): Promise<Catalogue> {
  const source = await storedSource(db);
  if (source === null) return builtInCatalogue();
  try {
    return parseCatalogue(source);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new StorageError(
      `The catalog in the database of the sandbox cannot be read. ${error.message}`,
      'Restart the sandbox with --catalog, or without it to use the built-in catalog.',
    );
  }
}

async function storedSource(db: Kysely<SandboxSchema>): Promise<string | null> {
  const row = await db.selectFrom('sandbox_catalogues').select('source').executeTakeFirst();
  return row?.source ?? null;
}
