import { timingSafeEqual } from 'node:crypto';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono, MiddlewareHandler } from 'hono';
import { isOwnHost } from '../../core/partner-api/loopback.ts';
import { listen, type TimeLimits } from '../http/listen.ts';
import { jsonResponse } from '../http/responses.ts';

/** An application of the admin port or the page. */
export type OperatorApp = Hono<{ Bindings: HttpBindings }>;

/** Serves an application on loopback, with errors in the form of the admin port. */
export function serveLoopback(app: OperatorApp, port: number, limits: Partial<TimeLimits> | undefined) {
  const listener = getRequestListener(app.fetch, {
    hostname: 'localhost',
    errorHandler: () => adminProblem(400, 'usage', 'Bad Request'),
  });
  const host = '127.0.0.1';
  return listen((request, response) => void listener(request, response), { host, port, limits });
}

/** A response of status 200 with a result as JSON. */
export function json(result: unknown): Response {
  return jsonResponse(200, JSON.stringify(result));
}

/** Passes requests that carry the token and come from a program on this machine, not from a web page. */
export function guardAdmin(token: string): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async function checkToken(context, next) {
    const { headers } = context.env.incoming;
    if (!isOwnHost(headers.host)) return adminProblem(403, 'rejected', 'Unexpected Host header.');
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
      return adminProblem(403, 'rejected', 'Requests from browsers are refused.');
    if (!isToken(headers.authorization, token))
      return adminProblem(401, 'no_credentials', 'Wrong or missing token.');
    return next();
  };
}

/** Error answer of the admin port, in the form in which the command line writes its errors. */
export function adminProblem(status: number, code: string, message: string, hint: string | null = null) {
  return jsonResponse(status, JSON.stringify({ error: { code, message, hint } }));
}

/** Whether an Authorization header carries the token, compared in constant time. */
export function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
