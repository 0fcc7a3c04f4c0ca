import { AUTH_HEADERS } from '../../../partner-api/endpoints.ts';
import { beginningOf, type SeenRequest } from '../../requests/request.ts';
import type { AppContext, Step } from '../request-state.ts';

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

/** Headers whose values must not appear anywhere in the log. */
const CREDENTIAL_HEADERS = [AUTH_HEADERS.publicKey, AUTH_HEADERS.signature, 'authorization', 'cookie'];

/** Tells each request with its answer to `note`, after it was handled. */
export function recordRequests(note: (request: SeenRequest) => void, now: () => number): Step {
  return async function recordRequest(context, next) {
    const at = now();
    await next();
    const { endpoint = null, partner, fault = null } = context.get('progress') ?? {};
    const body: Uint8Array | undefined = context.get('body');
    const answer: string | null | undefined = context.get('answer');
    const { headers, url = '' } = context.env.incoming;
    note({
      at,
      partner: partner?.name ?? null,
      method: context.req.method,
      endpoint,
      url,
      body: body === undefined ? null : beginningOf(Buffer.from(body).toString('utf8')),
      status: statusOf(context, answer),
      answer: answer === undefined || answer === null ? null : beginningOf(answer),
      ms: Math.max(0, now() - at),
      fault,
      credentials: CREDENTIAL_HEADERS.flatMap((name) => headers[name] ?? []),
    });
  };
}

/** The status that went over the wire; null where a fault cut the connection first. */
function statusOf(context: AppContext, answer: string | null | undefined): number | null {
  const { outgoing } = context.env;
  if (outgoing.headersSent) return outgoing.statusCode;
  return answer === null ? null : context.res.status;
}
