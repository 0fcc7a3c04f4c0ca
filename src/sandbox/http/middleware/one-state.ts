import type { ErrorHandler } from 'hono';
import type { EndpointName } from '../../../core/partner-api/endpoints.ts';
import type { SharedState } from '../../state/shared-state.ts';
import { changeState, requireSameState, StateReplaced } from '../../state/state-row.ts';
import type { Core } from '../core.ts';
import type { AppContext, AppEnv, Step } from '../request-state.ts';

/** Maximum number of restarts of a request; more would need the state to be replaced without a pause. */
const MAX_TRIES = 50;

/** Placeholder for the answer until the request begins again. */
const NOT_ANSWERED = new Response(null, { status: 503 });

/**
 * Records the endpoint and a reading of the shared state, and runs the steps that answer the request on it. If that
 * state is replaced during this time, nothing of the request has taken effect, and it starts again: each request sees
 * all of the old state or all of the new one.
 */
export function inOneState(
  endpoint: EndpointName,
  shared: SharedState,
  steps: readonly Step[],
  onError: ErrorHandler<AppEnv>,
): Step {
  const answer = stepsInTurn(steps, (error, context) => {
    if (!(error instanceof StateReplaced)) return onError(error, context);
    context.get('progress').isReplaced = true;
    return NOT_ANSWERED;
  });
  return async function answerInOneState(context) {
    for (let tries = 1; ; tries += 1) {
      const { rateHeaders } = context.get('progress') ?? {};
      const reading = await shared.read();
      const progress = rateHeaders === undefined ? { endpoint, reading } : { endpoint, reading, rateHeaders };
      context.set('progress', progress);
      await answer(context);
      if (context.get('progress').isReplaced !== true) return;
      context.res = undefined;
      context.finalized = false;
      if (tries === MAX_TRIES) throw new StateReplaced();
    }
  };
}

/** One step around the next, as Hono takes them; Hono itself would take them only once for a request. */
function stepsInTurn(
  steps: readonly Step[],
  onError: ErrorHandler<AppEnv>,
): (context: AppContext) => Promise<void> {
  const take = async (context: AppContext, index: number): Promise<void> => {
    try {
      const response = await steps[index]?.(context, () => take(context, index + 1));
      if (response !== undefined && !context.finalized) context.res = response;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      context.res = await onError(error, context);
    }
  };
  return (context) => take(context, 0);
}

/**
 * Moves a stopped clock by the database's tick for each request. Time then depends on the calls alone: the same calls
 * give the same answers, and a client that polls still sees its swap progress. Throws StateReplaced.
 */
export function tickClock({ database }: Pick<Core, 'database'>): Step {
  return function tickStoppedClock(context, next) {
    const { reading } = context.get('progress');
    const { clockTick } = reading;
    if (clockTick === 0) return next();
    return database
      .transaction(async (tx) =>
        requireSameState(await changeState(tx, { clock_offset: clockTick }), reading),
      )
      .then(next);
  };
}
