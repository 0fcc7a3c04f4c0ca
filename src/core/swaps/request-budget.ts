import { StorageError } from '../../base/errors.ts';
import type { RequestTurns } from '../client/send.ts';
import { type Budget, bucketsInMemory, type ChangeBucket, createBudget } from '../ledger/budget/budget.ts';
import { BUILT_IN_BUDGET, type BudgetLimit, DEFAULT_BUDGET, type Taker } from '../ledger/budget/limit.ts';
import { BUILT_IN_ACCOUNT } from '../ledger/entry.ts';
import type { Ports } from './ports.ts';

/**
 * The request budget of an account for one kind of taker, in the ledger; in memory for as long as the ledger cannot be
 * read or written, which is reported to `onLedgerError`. A `limit` of null is the default of the account's service.
 */
export async function sharedBudget(
  ports: Ports,
  limit: BudgetLimit | null,
  onLedgerError: (error: StorageError) => void,
  taker: Taker = 'program',
): Promise<Budget> {
  const inMemory = bucketsInMemory();
  const change: ChangeBucket = async (key, now, work) => {
    try {
      return await (await ports.ledger()).buckets(key, now, work);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      onLedgerError(error);
      return inMemory(key, now, work);
    }
  };
  const { account } = await ports.owner();
  const usual = account === BUILT_IN_ACCOUNT ? BUILT_IN_BUDGET : DEFAULT_BUDGET;
  return createBudget(account, limit ?? usual, change, ports, taker);
}

/** Turns of one request and its repeats from a budget, within `timeLeft`. */
export function budgetTurns(
  { sleep }: Pick<Ports, 'sleep'>,
  budget: Budget,
  timeLeft: () => number,
  signal?: AbortSignal,
): RequestTurns {
  return {
    ...{ timeLeft, signal },
    onAnswer: (answer) => budget.observe(answer),
    beforeRepeat: async (onWait) => {
      for (;;) {
        const wait = await budget.tryTake();
        if (wait === 0) return true;
        if (wait > timeLeft()) return false;
        onWait?.(wait);
        await sleep(wait, signal);
      }
    },
  };
}
