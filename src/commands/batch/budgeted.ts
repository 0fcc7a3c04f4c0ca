import type { QuoteRequest } from '../../client/client.ts';
import type { RequestTurns } from '../../client/send.ts';
import type { Context } from '../../context.ts';
import { SwapctlError } from '../../errors.ts';
import type { RateAnswer } from '../../swap/rate-limit.ts';
import type { SwapRequest } from '../../swap/swap.ts';
import type { Service } from '../../swaps/ports.ts';
import { sharedBudget } from '../../swaps/request-budget.ts';
import { storedBudget } from '../shared/stored-setting.ts';
import type { BatchOptions } from './options.ts';
import { Pace } from './pace.ts';

/** The service of the profile, within the budget of its key. */
export interface BudgetedService {
  /** Takes a turn for each quote; a create is sent immediately, and a signal does not cut off its answer. */
  readonly service: Service;
  /** For the turn of a create, which is taken before anything of it is recorded. */
  readonly pace: Pace;
}

/** Quotes that are asked for again after a 429; the budget says when. */
const MAX_QUOTE_TRIES = 5;

/** The service of the context's profile with the budget that all processes on the ledger share. */
export async function budgetedService(
  context: Context,
  { budget: limit, dryRun }: Pick<BatchOptions, 'budget' | 'dryRun'>,
): Promise<BudgetedService> {
  let isTold = false;
  const budget = await sharedBudget(context, limit ?? storedBudget(context), (error) => {
    // Without the ledger nothing can be created, and each further request would wait for it again.
    if (!dryRun) throw error;
    if (!isTold)
      context.streams.note(`${error.message} The request budget applies to this command only.`, true);
    isTold = true;
  });
  const pace = new Pace(context, budget);
  const service = await context.service();
  const lasting = await context.serviceFor(await context.profile(), { finishes: true });
  const turns: RequestTurns = {
    onAnswer: (answer) => budget.observe(answer),
    beforeRepeat: async () => {
      await pace.take();
      return true;
    },
    timeLeft: () => Number.POSITIVE_INFINITY,
  };
  const quote = async (request: QuoteRequest) => {
    for (let tries = 1; ; tries += 1) {
      await pace.take();
      try {
        return await service.client.quote(request, turns);
      } catch (error) {
        const isLimit = error instanceof SwapctlError && error.code === 'rate_limited';
        if (!isLimit || tries >= MAX_QUOTE_TRIES) throw error;
      }
    }
  };
  const create = async (request: SwapRequest) => {
    const answers: RateAnswer[] = [];
    try {
      return await lasting.client.create(request, (answer) => void answers.push(answer));
    } finally {
      // What is counted must not cost what was answered.
      for (const answer of answers) await budget.observe(answer).catch(() => undefined);
    }
  };
  return { pace, service: { ...service, client: { ...service.client, quote, create } } };
}
