import type { Context } from '../../../context.ts';
import { StorageError } from '../../../errors.ts';
import type { Budget, ChangeBucket } from '../../../ledger/budget/budget.ts';
import { bucketsInMemory, createBudget } from '../../../ledger/budget/budget.ts';
import type { BudgetLimit } from '../../../ledger/budget/limit.ts';
import { profileOwner } from '../lookup.ts';

/**
 * The budget of a context's account, in the ledger; in memory for as long as the ledger cannot be read or written, which
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
  return createBudget((await profileOwner(context)).account, limit, change, context);
}
