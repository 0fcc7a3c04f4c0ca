import { timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { isOwnHost } from '../../partner-api/loopback.ts';
import { jsonResponse } from '../http/responses.ts';

/** Passes requests that carry the token and come from a program on this machine, not from a web page. */
export function guardAdmin(token: string): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async function checkToken(context, next) {
    const { headers } = context.env.incoming;
    if (!isOwnHost(headers.host)) return adminProblem(403, 'rejected', 'Unexpected Host header.');
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
      return adminProblem(403, 'rejected', 'Requests from browsers are refused.');
    }
    if (!isToken(headers.authorization, token)) {
      return adminProblem(401, 'no_credentials', 'Wrong or missing token.');
    }
    return next();
  };
}

/** Error answer of the admin port, in the form in which the command line writes its errors. */
export function adminProblem(
  status: number,
  code: string,
  message: string,
  hint: string | null = null,
): Response {
  return jsonResponse(status, JSON.stringify({ error: { code, message, hint } }));
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
