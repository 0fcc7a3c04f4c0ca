import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Step } from '../request-state.ts';

/** Cuts the connection of a create that made an order, so that its answer is lost; a refusal is answered as ever. */
export function loseCreates(): Step {
  return async function loseCreate(context, next) {
    await next();
    if (!context.res.ok) return;
    context.env.incoming.socket.destroy();
    // Hono (4.13) merges the headers of the old response into a new one, unless it was cleared before.
    context.res = undefined;
    context.res = RESPONSE_ALREADY_SENT;
  };
}
