import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { SwapctlError, UsageError } from '../../base/errors.ts';
import { ENDPOINT_NAMES, isEndpointName } from '../../core/partner-api/endpoints.ts';
import type { TimeLimits } from '../http/listen.ts';
import { bodyBytes } from '../http/middleware/checks.ts';
import { streamedJsonResponse } from '../http/responses.ts';
import {
  clockJson,
  infoJson,
  orderJson,
  requestJson,
  snapshotJson,
  transitionJson,
} from '../operator/json.ts';
import type { Operator } from '../operator/operator.ts';
import type { SandboxOrder } from '../operator/order-view.ts';
import { MOVES } from '../orders/order.ts';
import { type RequestFilter, statusRange } from '../requests/request.ts';
import { adminProblem, guardAdmin, json, type OperatorApp, serveLoopback } from './guard.ts';

/**
 * Serves the operators' verbs on loopback, for test suites in any language: docs/command-line/sandbox.md#admin-port. The answers
 * are what the verbs print with --json. It needs a token of its own, never a partner's key, and refuses foreign `Host`
 * headers and browsers, so that no web page can reach it. `Authorization: Bearer` has to carry the token, which is new at
 * every start.
 */
export async function startAdmin(operator: Operator, port: number, limits?: Partial<TimeLimits>) {
  const token = randomBytes(24).toString('base64url');
  const app: OperatorApp = new Hono();
  app.use(guardAdmin(token));
  app.route('/', operatorVerbs(operator));
  app.notFound(() => adminProblem(404, 'not_found', 'Not found.'));
  return { ...(await serveLoopback(app, port, limits)), token };
}

/** The operators' verbs over HTTP, without a guard. */
export function operatorVerbs(operator: Operator): OperatorApp {
  const app: OperatorApp = new Hono();
  app.get('/info', async () => json(infoJson({ database: operator.location, ...(await operator.info()) })));
  app.post('/reset', async () => {
    await operator.reset();
    return json({ reset: true });
  });
  addOrderRoutes(app, operator);
  addClockVerbs(app, operator);
  addFaultVerbs(app, operator);
  addPartnerVerbs(app, operator);
  addSnapshotVerbs(app, operator);
  app.get('/requests', async (context) => {
    const requests = await operator.requests(requestFilter(context.req.query()));
    return json(requests.map((request) => requestJson(request)));
  });
  app.onError(answerProblem);
  return app;
}

function addOrderRoutes(app: OperatorApp, operator: Operator): void {
  app.get('/orders', async (context) => {
    const { after, limit } = context.req.query();
    const pages = await operator.orders.pages({ after, limit: optionalId(limit) });
    return streamedJsonResponse(listPieces(pages));
  });
  app.post('/orders/:order/deposit', async (context) => {
    const { amount } = await bodyOf(context.req.raw, ['amount']);
    const amountText = amount === undefined ? undefined : requireText(amount);
    return json(orderJson(await operator.orders.deposit(context.req.param('order'), amountText)));
  });
  app.post('/orders/:order/move', async (context) => {
    const { verb } = await bodyOf(context.req.raw, ['verb']);
    const known = MOVES.find((each) => each === verb);
    if (known === undefined) throw new UsageError(`"verb" must be one of: ${MOVES.join(', ')}.`);
    return json(orderJson(await operator.orders.move(context.req.param('order'), known)));
  });
}

function addClockVerbs(app: OperatorApp, operator: Operator): void {
  app.get('/clock', async () => json(clockJson(await operator.clock.read())));
  app.post('/clock/advance', async (context) => {
    const { milliseconds } = await bodyOf(context.req.raw, ['milliseconds']);
    if (typeof milliseconds !== 'number') throw new UsageError('"milliseconds" must be a number.');
    const { transitions, ...reading } = await operator.clock.advance(milliseconds);
    return json({ ...clockJson(reading), transitions: transitions.map(transitionJson) });
  });
  app.post('/clock/reset', async () => json(clockJson(await operator.clock.reset())));
}

function addFaultVerbs(app: OperatorApp, operator: Operator): void {
  app.get('/faults', async () => json(await operator.faults.list()));
  app.post('/faults', async (context) => json(await operator.faults.add(await bodyOf(context.req.raw))));
  app.delete('/faults', async () => json({ cleared: await operator.faults.clear() }));
  app.delete('/faults/:id', async (context) => {
    const id = idOf(context.req.param('id'));
    const cleared = await operator.faults.clear(id);
    if (cleared === 0) throw new SwapctlError('not_found', `Fault ${id} does not exist.`);
    return json({ cleared });
  });
}

function addPartnerVerbs(app: OperatorApp, operator: Operator): void {
  app.get('/partners', async () => json(await operator.partners.list()));
  app.post('/partners', async (context) => {
    const { name } = await bodyOf(context.req.raw, ['name']);
    return json(await operator.partners.add(requireText(name)));
  });
  app.delete('/partners/:name', async (context) => {
    const name = context.req.param('name');
    await operator.partners.remove(name);
    return json({ name, removed: true });
  });
}

function addSnapshotVerbs(app: OperatorApp, operator: Operator): void {
  app.get('/snapshots', async () => json((await operator.snapshots.list()).map(snapshotJson)));
  app.post('/snapshots', async (context) => {
    const { name } = await bodyOf(context.req.raw, ['name']);
    return json(snapshotJson(await operator.snapshots.save(requireText(name))));
  });
  app.post('/snapshots/:name/load', async (context) =>
    json(snapshotJson(await operator.snapshots.load(context.req.param('name')))),
  );
  app.get('/snapshots/:name/diff', async (context) =>
    json(await operator.snapshots.diff(context.req.param('name'), context.req.query('with') ?? null)),
  );
  app.delete('/snapshots/:name', async (context) => {
    const name = context.req.param('name');
    await operator.snapshots.remove(name);
    return json({ name, removed: true });
  });
}

/** A list as JSON, page by page: it may not fit into one text, and other requests are answered in between. */
async function* listPieces(pages: AsyncIterable<readonly SandboxOrder[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const page of pages)
    for (const order of page) {
      yield `${separator}${JSON.stringify(orderJson(order))}`;
      separator = ',';
    }
  yield separator === '[' ? '[]' : ']';
}

export function answerProblem(error: unknown): Response {
  if (!(error instanceof SwapctlError)) return adminProblem(500, 'internal', 'Unexpected error.');
  const status = { not_found: 404, storage_failed: 500 }[error.code as string] ?? 400;
  return adminProblem(status, error.code, error.message, error.hint);
}

const MAX_BODY_BYTES = 2_000_000;

type Body = Readonly<Record<string, unknown>>;

/**
 * The JSON object of a request. Throws UsageError for a name that is not in `known`: it is probably a typing error, and
 * guessing what was meant is dangerous.
 */
async function bodyOf(request: Request, known?: readonly string[]): Promise<Body> {
  const tooLarge = () => new UsageError('The body is too large.');
  const text = (await bodyBytes(request.body, MAX_BODY_BYTES, tooLarge)).toString('utf8');
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new UsageError('The body must be valid JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new UsageError('The body must be a JSON object.');
  const unknownName =
    known === undefined ? undefined : Object.keys(body).find((name) => !known.includes(name));
  if (unknownName !== undefined)
    throw new UsageError(`Unknown field "${unknownName}"; use ${known?.join(', ')}.`);
  return body as Body;
}

/** An amount or a name. Throws UsageError for what is no text. */
function requireText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new UsageError('Amounts and names must be strings.');
}

/** A whole number from 1, undefined if it is not given. Throws UsageError. */
function optionalId(text: string | undefined): number | undefined {
  return text === undefined ? undefined : idOf(text);
}

/** Which requests a query asks for. Throws UsageError. */
function requestFilter(query: Readonly<Record<string, string>>): RequestFilter {
  const { endpoint, partner, status, after, limit, addresses } = query;
  if (endpoint !== undefined && !isEndpointName(endpoint))
    throw new UsageError(`The endpoint must be one of: ${ENDPOINT_NAMES.join(', ')}.`);
  const range = status === undefined ? undefined : statusRange(status);
  if (range === null) throw new UsageError('Use a status from 100 to 599, or a class such as 4xx.');
  if (addresses !== undefined && addresses !== 'hidden')
    throw new UsageError('"addresses" must be hidden or omitted.');
  return {
    endpoint,
    partner,
    status: range,
    after: after === '0' ? 0 : optionalId(after),
    limit: optionalId(limit),
    hidesAddresses: addresses === 'hidden',
  };
}

/** A whole number from 1. Throws UsageError. */
function idOf(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number.parseInt(text, 10);
  throw new UsageError('A limit or id must be a whole number from 1.');
}
