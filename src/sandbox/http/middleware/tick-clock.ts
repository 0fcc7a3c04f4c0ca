import { changeState, requireSameState } from '../../state/state-row.ts';
import type { Core } from '../core.ts';
import type { Step } from '../request-state.ts';

/**
 * Moves a stopped clock by the database's tick for each request. Time then depends on the calls alone: the same calls
 * give the same answers, and a client that polls still sees its swap progress. Throws StateReplaced.
 */
export function tickClock({ database }: Pick<Core, 'database'>): Step {
  return function tickStoppedClock(context, next) {
    const { snapshot } = context.get('progress');
    const { clockTick } = snapshot;
    if (clockTick === 0) return next();
    return database
      .transaction(async (tx) =>
        requireSameState(await changeState(tx, { clock_offset: clockTick }), snapshot),
      )
      .then(next);
  };
}
