import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { isOwnHost } from '../../partner-api/loopback.ts';
import { adminProblem, isToken } from '../admin/guard.ts';

type Guard = MiddlewareHandler<{ Bindings: HttpBindings }>;

/**
 * What the browser may do with the page: run its own script and style, ask its own server, and nothing else; no text
 * becomes markup.
 */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Sets the headers above on every answer. */
export const secureHeaders: Guard = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.res.headers.set(name, value);
};

/** Passes requests to this very address that no other page sent. */
export function guardAddress(port: () => number): Guard {
  return async function checkAddress(context, next) {
    const { host, origin } = context.env.incoming.headers;
    if (!isOwnHost(host, port())) return adminProblem(403, 'rejected', 'Unexpected Host header.');
    if (origin !== undefined && origin !== `http://${host}`)
      return adminProblem(403, 'rejected', 'Unexpected Origin header.');
    return next();
  };
}

/** Passes requests of the page's own script: from its origin, and with the token that only its address has. */
export function guardVerbs(token: string): Guard {
  return async function checkVerbs(context, next) {
    const { method, headers } = context.env.incoming;
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin')
      return adminProblem(403, 'rejected', 'Requests from other pages are refused.');
    // A browser sends its origin with everything that changes something.
    if (method !== 'GET' && headers.origin === undefined)
      return adminProblem(403, 'rejected', 'Missing Origin header.');
    if (!isToken(headers.authorization, token))
      return adminProblem(401, 'no_credentials', 'Wrong or missing token.');
    return next();
  };
}
