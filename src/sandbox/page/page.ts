import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { REINSTALL, StorageError } from '../../base/errors.ts';
import { packageFolder } from '../../base/files.ts';
import { isOwnHost } from '../../core/partner-api/loopback.ts';
import { answerProblem, operatorVerbs } from '../admin/admin.ts';
import { adminProblem, isToken, json, type OperatorApp, serveLoopback } from '../admin/guard.ts';
import type { TimeLimits } from '../http/listen.ts';
import { jsonResponse } from '../http/responses.ts';
import { orderJson } from '../operator/json.ts';
import type { Operator } from '../operator/operator.ts';

/** Past the end of an order's window, in milliseconds. */
const LATE_BY_MS = 1000;

interface PageFile {
  readonly type: string;
  readonly text: string;
}

/** What the page shows, and where it is served. */
export interface PageOptions {
  readonly operator: Operator;
  /** 0 takes a free one. */
  readonly port: number;
  /** By path; `/` is the page itself. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** The service's OpenAPI document as text. */
  readonly openApi: () => Promise<string>;
  readonly limits?: Partial<TimeLimits> | undefined;
}

/**
 * Serves the page of a sandbox on loopback: docs/sandbox.md. Its script uses the operators' verbs in the shapes of the
 * admin port, with a token that is only in the fragment of its address; requests from elsewhere are refused.
 */
export async function startPage(options: PageOptions) {
  const token = randomBytes(24).toString('base64url');
  let port = 0;
  const app = pageApp(options, token, () => port);
  const listening = await serveLoopback(app, options.port, options.limits);
  port = Number.parseInt(new URL(listening.url).port, 10);
  return { url: `${listening.url}/#${token}`, close: () => listening.close() };
}

function pageApp({ operator, files, openApi }: PageOptions, token: string, port: () => number): OperatorApp {
  const app: OperatorApp = new Hono();
  app.use(secureHeaders);
  app.use(guardAddress(port));
  for (const [path, { type, text }] of files)
    app.get(path, () => new Response(text, { headers: { 'Content-Type': type } }));
  // It has no secret, and a link can send no token.
  app.get('/openapi.json', async () => jsonResponse(200, await openApi()));
  app.use('/api/*', guardVerbs(token));
  addOrderRoutes(app, operator);
  // After those above, which answer first where both have a path.
  app.route('/api', operatorVerbs(operator));
  app.onError(answerProblem);
  app.notFound(() => adminProblem(404, 'not_found', 'Not found.'));
  return app;
}

function addOrderRoutes(app: OperatorApp, operator: Operator): void {
  app.get('/api/orders/:order', async (context) => {
    const { order, choices } = await operator.orders.findWithChoices(context.req.param('order'));
    return json({ ...orderJson(order), choices });
  });
  // The window passes first, for every order, because they share one clock.
  app.post('/api/orders/:order/late-deposit', async (context) => {
    const number = context.req.param('order');
    const { windowLeft } = (await operator.orders.findWithChoices(number)).choices;
    if (windowLeft > 0) await operator.clock.advance(windowLeft + LATE_BY_MS);
    return json(orderJson(await operator.orders.deposit(number)));
  });
}

const FILES = [
  { path: '/', name: 'page.html', type: 'text/html; charset=utf-8' },
  { path: '/page.css', name: 'page.css', type: 'text/css; charset=utf-8' },
  { path: '/page.js', name: 'page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/icon.svg', name: 'icon.svg', type: 'image/svg+xml' },
];

/**
 * Reads the page's files, which the build puts into `dist/page`; once, so that an upgrade cannot disturb a running server.
 * Throws StorageError.
 */
export function pageFiles(): ReadonlyMap<string, PageFile> {
  try {
    return new Map(
      FILES.map(({ path, name, type }) => [
        path,
        { type, text: readFileSync(join(packageFolder(), 'dist', 'page', name), 'utf8') },
      ]),
    );
  } catch {
    throw new StorageError('The program is not complete: files of the page are missing.', REINSTALL);
  }
}

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
    // Makes the templates of the page's own script; nothing from outside is one.
    'trusted-types lit-html',
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Sets the headers above on every answer. */
const secureHeaders: Guard = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.res.headers.set(name, value);
};

/** Passes requests to exactly this address that no other page sent. */
function guardAddress(port: () => number): Guard {
  return async function checkAddress(context, next) {
    const { host, origin } = context.env.incoming.headers;
    if (!isOwnHost(host, port())) return adminProblem(403, 'rejected', 'Unexpected Host header.');
    if (origin !== undefined && origin !== `http://${host}`)
      return adminProblem(403, 'rejected', 'Unexpected Origin header.');
    return next();
  };
}

/** Passes requests of the page's own script: from its origin, and with the token that only its address has. */
function guardVerbs(token: string): Guard {
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
