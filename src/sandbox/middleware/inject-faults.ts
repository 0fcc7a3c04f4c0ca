import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Step } from '../app-env.ts';
import { partnerOf } from '../app-env.ts';
import type { Core } from '../core.ts';
import type { FaultInjector } from '../fault-injector.ts';

/** Spoils the authenticated requests that the operators' fault rules say; without rules it costs nothing. */
export function injectFaults(
  { database }: Pick<Core, 'database'>,
  sleep: (milliseconds: number) => Promise<void>,
): Step {
  let injector: FaultInjector | undefined;
  const spoil: Step = async (context, next) => {
    const progress = context.get('progress');
    const { endpoint, snapshot } = progress;
    injector ??= new (await import('../fault-injector.ts')).FaultInjector(database);
    const fault = await injector.choose(endpoint, partnerOf(progress).name, snapshot);
    if (fault === undefined) return next();
    progress.fault = fault.id;
    const { deliverFault } = await import('../fault-delivery.ts');
    const spoilt = await deliverFault(fault.rule, context, { endpoint, sleep, handle: next });
    // Setting it once more would mix its headers with those of the answer that it replaces.
    context.res = undefined;
    context.res = spoilt ?? RESPONSE_ALREADY_SENT;
  };
  return (context, next) => (context.get('progress').snapshot.hasFaults ? spoil(context, next) : next());
}
