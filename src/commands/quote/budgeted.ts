import type { Context } from '../../context.ts';
import { SwapctlError } from '../../errors.ts';
import { sharedBudget } from '../shared/follow/shared-budget.ts';

/** Says nothing of its window: the error that a refusal has become holds none of its headers. */
const REFUSED = { status: 429, limit: null, remaining: null, resetMs: null, retryAfterMs: null };

/**
 * Asks again and again within the budget of the profile's key, which `status --watch` and `listen` share; in this process
 * alone where the ledger cannot be used, which is said once.
 */
export async function budgeted<T>(context: Context, ask: () => Promise<T>): Promise<() => Promise<T>> {
  let isTold = false;
  const budget = await sharedBudget(context, null, ({ message }) => {
    if (!isTold) context.streams.note(`${message} The budget of requests is this command's own.`, true);
    isTold = true;
  });
  return async () => {
    await budget.take();
    try {
      return await ask();
    } catch (error) {
      if (error instanceof SwapctlError && error.code === 'rate_limited') await budget.observe(REFUSED);
      throw error;
    }
  };
}
