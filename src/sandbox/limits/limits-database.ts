import { checkDatabaseFile, isPostgresUrl, openDatabase } from '../../database/open.ts';
import type { LimitSchema } from '../state/schema.ts';
import { LIMIT_MIGRATIONS } from '../state/schema.ts';

/** Counts are not worth a long wait. */
const MAX_WAIT_MS = 250;

/** Opens the counts of a database: on SQLite in a file of their own, for they are not worth waiting for the disk. */
export async function openLimits(database: string) {
  return openDatabase<LimitSchema>(locationOf(database), LIMIT_MIGRATIONS, {
    name: 'sandbox_limits',
    durability: 'memory',
    connections: 2,
    busyTimeout: MAX_WAIT_MS,
    // Counts that a power cut took are no loss.
    allowEmptyFile: true,
  });
}

/** Throws StorageError for a file of counts that must not be used, long before the first request opens it. */
export async function checkLimits(database: string): Promise<void> {
  await checkDatabaseFile(locationOf(database));
}

function locationOf(database: string): string {
  return isPostgresUrl(database) ? database : `${database}-limits`;
}
