import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { StorageError } from '../../../errors.ts';
import type { Budget, ChangeBucket } from '../../../ledger/budget/budget.ts';
import { bucketsInMemory, createBudget } from '../../../ledger/budget/budget.ts';
import type { BudgetLimit } from '../../../ledger/budget/limit.ts';
import type { Profile } from '../../../settings/profile.ts';

/** Name of the budget of a key pair at a base URL; it says nothing of either. */
function budgetKey(profile: Profile): string {
  if (profile.kind === 'built-in') return 'built-in';
  const place = profile.baseUrl.replace(/\/+$/, '');
  return createHash('sha256').update(`${place}\n${profile.publicKey}`).digest('hex');
}

/**
 * The budget of a context's profile, in the ledger; in memory for as long as the ledger cannot be read or written, which
 * `onLedgerError` is told of.
 */
export async function sharedBudget(
  context: Context,
  limit: BudgetLimit,
  onLedgerError: (error: StorageError) => void,
): Promise<Budget> {
  const inMemory = bucketsInMemory();
  const change: ChangeBucket = async (key, now, work) => {
    try {
      return await (await context.ledger()).buckets(key, now, work);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      onLedgerError(error);
      return inMemory(key, now, work);
    }
  };
  return createBudget(budgetKey(await context.profile()), limit, change, context);
}
