import type { RequestTurns } from '../../../client/send.ts';
import type { Context } from '../../../context.ts';
import { StorageError } from '../../../errors.ts';
import type { Taker } from '../../../ledger/budget/bucket.ts';
import type { Budget, ChangeBucket } from '../../../ledger/budget/budget.ts';
import { bucketsInMemory, createBudget } from '../../../ledger/budget/budget.ts';
import type { BudgetLimit } from '../../../ledger/budget/limit.ts';
import { usualBudget } from '../stored-setting.ts';

/**
 * The budget of a context's account for one kind of taker, in the ledger; in memory for as long as the ledger cannot be
 * read or written, of which `onLedgerError` learns. A `limit` of null is the stored one, else the default.
 */
export async function sharedBudget(
  context: Context,
  limit: BudgetLimit | null,
  onLedgerError: (error: StorageError) => void,
  taker: Taker = 'program',
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
  const usual = usualBudget(context, await context.profile());
  return createBudget((await context.owner()).account, limit ?? usual, change, context, taker);
}

/** Turns of one request and its repeats from a budget, for as long as `timeLeft` gives it. */
export function budgetTurns(
  { sleep }: Pick<Context, 'sleep'>,
  budget: Budget,
  timeLeft: () => number,
  signal?: AbortSignal,
): RequestTurns {
  return {
    timeLeft,
    onAnswer: (answer) => budget.observe(answer),
    beforeRepeat: async () => {
      for (;;) {
        const wait = await budget.tryTake();
        if (wait === 0) return true;
        if (wait > timeLeft()) return false;
        await sleep(wait, signal);
      }
    },
  };
}
