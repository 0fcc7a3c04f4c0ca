import type { Step } from '../request-state.ts';

/**
 * Logs one line for each request: time, partner, method, endpoint, status, milliseconds. Never logs queries, headers or
 * unknown paths: they hold addresses, keys and signatures.
 */
export function logRequests(log: (line: string) => void, now: () => number): Step {
  return async function logRequest(context, next) {
    const started = now();
    await next();
    const { endpoint = '-', partner, fault } = context.get('progress') ?? {};
    const took = Math.max(0, now() - started);
    const who = partner?.name ?? '-';
    const outcome = fault === undefined ? String(context.res.status) : `fault-${fault}`;
    log(`${new Date(started).toISOString()} ${who} ${context.req.method} ${endpoint} ${outcome} ${took}ms`);
  };
}
