import type { Database } from '../../database/database.ts';
import { StorageError } from '../../errors.ts';
import type { LedgerSchema } from '../schema.ts';
import type { BucketState } from './bucket.ts';
import { newBucket } from './bucket.ts';
import type { ChangeBucket } from './budget.ts';

/** Others were faster each time: with a few processes this does not happen. */
const MAX_TRIES = 100;

/** Buckets in the ledger. A change is made again where another process was faster: rows have a version. */
export function storedBuckets({ kysely }: Pick<Database<LedgerSchema>, 'kysely'>): ChangeBucket {
  return async (account, now, change) => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const row = await kysely
        .selectFrom('budgets')
        .selectAll()
        .where('account', '=', account)
        .executeTakeFirst();
      const before = row === undefined ? newBucket(now) : readBucket(row.state, now);
      const { state, value } = change(before);
      const written = { state: JSON.stringify(state), updated_at: now };
      if (written.state === row?.state) return value;
      if (row === undefined) {
        const added = await kysely
          .insertInto('budgets')
          .values({ account, version: 1, ...written })
          .onConflict((conflict) => conflict.column('account').doNothing())
          .executeTakeFirst();
        if (added.numInsertedOrUpdatedRows === 1n) return value;
        continue;
      }
      const { version } = row;
      const changed = await kysely
        .updateTable('budgets')
        .set({ ...written, version: version + 1 })
        .where('account', '=', account)
        .where('version', '=', version)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 1n) return value;
    }
    throw new StorageError(
      'The request budget in the ledger could not be changed: too many concurrent updates.',
    );
  };
}

/** The bucket of a row; a new one where the text is not what swapctl writes there, for counts are no reason to stop. */
function readBucket(text: string, now: number): BucketState {
  try {
    const value: unknown = JSON.parse(text);
    return isBucket(value) ? value : newBucket(now);
  } catch (error) {
    if (error instanceof SyntaxError) return newBucket(now);
    throw error;
  }
}

function isBucket(value: unknown): value is BucketState {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const numbers = ['keepMs', 'pace', 'pacedAt', 'blockedUntil', 'at'];
  return (
    numbers.every((name) => Number.isFinite(fields[name])) &&
    isRecord(fields['service'], ['limit', 'left', 'until']) &&
    isRecord(fields['ceiling'], ['pace', 'until']) &&
    Array.isArray(fields['taken']) &&
    fields['taken'].every((each) => Array.isArray(each) && each.length === 4 && each.every(Number.isFinite))
  );
}

/** Whether a value is null, or an object whose fields of these names are numbers. */
function isRecord(value: unknown, names: readonly string[]): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return names.every((name) => Number.isFinite(fields[name]));
}
