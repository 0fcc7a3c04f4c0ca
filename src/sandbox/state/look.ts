import type { DatabaseFacts } from '../../database/database.ts';
import { lookAtDatabase } from '../../database/open.ts';
import { SANDBOX_MIGRATIONS } from './schema.ts';

/** Looks at a sandbox's database without creating or changing it; throws StorageError for one that cannot be used. */
export function lookAtSandbox(location: string): Promise<DatabaseFacts> {
  return lookAtDatabase(location, SANDBOX_MIGRATIONS, 'sandbox');
}
