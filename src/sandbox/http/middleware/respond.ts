import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { EndpointName } from '../../../core/partner-api/endpoints.ts';
import { writeJson } from '../../../core/partner-api/json.ts';
import { faultInjector } from '../../faults/injector.ts';
import { StateReplaced } from '../../state/state-row.ts';
import type { Answer } from '../api-error.ts';
import type { Call, Core } from '../core.ts';
import { getAllCoins, getCoinNetwork } from '../endpoints/coins.ts';
import { createTransaction, exchangeCoin, getTransaction, updateRefundAddress } from '../endpoints/swaps.ts';
import { deliverFault } from '../fault-delivery.ts';
import { readValues } from '../read-values.ts';
import { partnerOf, type Step } from '../request-state.ts';
import { jsonResponse } from '../responses.ts';

/** Handlers of the endpoints, for requests that passed all checks. They throw ApiError or ValidationError to refuse one. */
const HANDLERS: Readonly<Record<EndpointName, (core: Core, call: Call) => Answer | Promise<Answer>>> = {
  'get-all-coins': getAllCoins,
  'get-coin-network': getCoinNetwork,
  'exchange-coin': exchangeCoin,
  'get-transaction': getTransaction,
  'create-transaction': createTransaction,
  'update-refund-address': updateRefundAddress,
};

/** Checks the parameters of a request and lets its endpoint's handler answer it. */
export function handle(endpoint: EndpointName, core: Core): Step {
  const handler = HANDLERS[endpoint];
  return async function handleRequest(context) {
    const values = readValues(endpoint, context, core.decisions);
    const progress = context.get('progress');
    const { snapshot, limitHeaders } = progress;
    const { status, body } = await handler(core, { partner: partnerOf(progress), snapshot, values });
    const text = writeJson(body);
    context.set('answer', text);
    return jsonResponse(status, text, limitHeaders);
  };
}

/** Injects the operators' faults into authenticated requests; costs nothing while there are no rules. */
export function injectFaults(
  { database }: Pick<Core, 'database'>,
  sleep: (milliseconds: number) => Promise<void>,
): Step {
  const chooseFault = faultInjector(database);
  const inject: Step = async (context, next) => {
    const progress = context.get('progress');
    const { endpoint, snapshot } = progress;
    const fault = await chooseFault(endpoint, partnerOf(progress).name, snapshot);
    if (fault === undefined) return next();
    progress.fault = fault.id;
    const handleInOneState = async () => {
      await next();
      // Nothing was done yet, so there is no answer to corrupt.
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

/** Cuts the connection of a create that made an order, so that its response is lost; refusals are sent as usual. */
export function dropCreateResponses(): Step {
  return async function dropCreateResponse(context, next) {
    await next();
    if (!context.res.ok) return;
    context.env.incoming.socket.destroy();
    // Hono (4.13) merges the headers of the old response into a new one, unless it was cleared before.
    context.res = undefined;
    context.res = RESPONSE_ALREADY_SENT;
  };
}
