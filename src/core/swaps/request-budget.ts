import { StorageError } from '../../base/errors.ts';
import type { RequestTurns } from '../client/turns.ts';
import { type Budget, bucketsInMemory, type ChangeBucket, createBudget } from '../ledger/budget/budget.ts';
import { BUILT_IN_BUDGET, type BudgetLimit, DEFAULT_BUDGET, type Taker } from '../ledger/budget/limit.ts';
import { BUILT_IN_ACCOUNT } from '../ledger/entry.ts';
import type { Ports, Service } from './ports.ts';

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
  return createBudget(account, limit ?? usual, change, { now: () => ports.now(), taker });
}

/** A service whose quotes and orders are read with a turn in a limit each. */
export function pacedService(service: Service, turns: RequestTurns): Service {
  const { client } = service;
  return {
    ...service,
    client: {
      ...client,
      quote: (request) => client.quote(request, turns),
      transaction: (order) => client.transaction(order, turns),
    },
  };
}
