import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { FaultInjector } from '../../faults/injector.ts';
import { StateReplaced } from '../../state/state-row.ts';
import type { Core } from '../core.ts';
import type { Step } from '../request-state.ts';
import { partnerOf } from '../request-state.ts';

/** Injects the operators' faults into authenticated requests; costs nothing while there are no rules. */
export function injectFaults(
  { database }: Pick<Core, 'database'>,
  sleep: (milliseconds: number) => Promise<void>,
): Step {
  let injector: FaultInjector | undefined;
  const inject: Step = async (context, next) => {
    const progress = context.get('progress');
    const { endpoint, snapshot } = progress;
    injector ??= new (await import('../../faults/injector.ts')).FaultInjector(database);
    const fault = await injector.choose(endpoint, partnerOf(progress).name, snapshot);
    if (fault === undefined) return next();
    progress.fault = fault.id;
    const { deliverFault } = await import('../fault-delivery.ts');
    const handleInOneState = async () => {
      await next();
      // Nothing was done yet, so there is no answer to spoil.
      if (progress.isReplaced === true) throw new StateReplaced();
    };
    const faulted = await deliverFault(fault.rule, context, { endpoint, sleep, handle: handleInOneState });
    // Hono (4.13) merges the headers of the old response into a new one, unless it was cleared before.
    context.res = undefined;
    context.res = faulted ?? RESPONSE_ALREADY_SENT;
  };
  return function injectFault(context, next) {
    return context.get('progress').snapshot.hasFaults ? inject(context, next) : next();
  };
}
