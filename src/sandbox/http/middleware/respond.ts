import { type ServerResponse, STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { EndpointName } from '../../../core/partner-api/endpoints.ts';
import { writeJson } from '../../../core/partner-api/json.ts';
import { MESSAGES } from '../../../core/partner-api/messages.ts';
import { faultInjector } from '../../faults/injector.ts';
import type { FaultRule } from '../../faults/rule.ts';
import { StateReplaced } from '../../state/state-row.ts';
import type { Call, Core } from '../core.ts';
import { getAllCoins, getCoinNetwork } from '../endpoints/coins.ts';
import { createTransaction, exchangeCoin, getTransaction, updateRefundAddress } from '../endpoints/swaps.ts';
import { readValues } from '../read-values.ts';
import { type AppContext, partnerOf, type Step } from '../request-state.ts';
import { type Answer, FAILURE_TEXTS, JSON_TYPE, jsonResponse } from '../responses.ts';

const CHUNK_BYTES = 64 * 1024;

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
    const { reading, rateHeaders } = progress;
    const { status, body } = await handler(core, { partner: partnerOf(progress), reading, values });
    const text = writeJson(body);
    context.set('answer', text);
    return jsonResponse(status, text, rateHeaders);
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
    const { endpoint, reading } = progress;
    const fault = await chooseFault(endpoint, partnerOf(progress).name, reading);
    if (fault === undefined) return next();
    progress.fault = fault.id;
    const handleInOneState = async () => {
      await next();
      // Nothing was done yet, so there is no answer to corrupt.
      if (progress.isReplaced === true) throw new StateReplaced();
    };
    const faulted = await deliverFault(fault.rule, context, sleep, handleInOneState);
    // Hono (4.13) merges the headers of the old response into a new one, unless it was cleared before.
    context.res = undefined;
    context.res = faulted ?? RESPONSE_ALREADY_SENT;
  };
  return function injectFault(context, next) {
    return context.get('progress').reading.hasFaults ? inject(context, next) : next();
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

/**
 * Answers a request as a rule says; `answer` handles it as if there were no fault. Writes to the socket itself where no
 * HTTP library would do it; the response is undefined then, because there is nothing more to send.
 */
async function deliverFault(
  rule: FaultRule,
  context: AppContext,
  sleep: (milliseconds: number) => Promise<void>,
  answer: () => Promise<void>,
): Promise<Response | undefined> {
  const { outgoing } = context.env;
  if (rule.delay !== undefined) await sleep(rule.delay);
  if (rule.drop === 'before' || (rule.reset === true && rule.drop === undefined)) return cut(context, rule);
  const sent = ownAnswer(rule, context.get('progress').endpoint) ?? (await plainAnswer(context, answer));
  if (rule.drop === 'after') return cut(context, rule);
  const type = rule.contentType === undefined ? {} : { 'content-type': rule.contentType };
  const typed = { ...sent, headers: { ...sent.headers, ...type } };
  context.set('answer', rule.truncate === undefined ? typed.body : typed.body.slice(0, rule.truncate));
  if (rule.hugeBody !== undefined) return sendHuge(outgoing, typed, rule.hugeBody);
  if (rule.truncate === undefined && rule.drip === undefined)
    return new Response(typed.body, { status: typed.status, headers: typed.headers });
  return sendPart(outgoing, typed, rule, sleep);
}

type PlainAnswer = Awaited<ReturnType<typeof plainAnswer>>;

async function plainAnswer(context: AppContext, answer: () => Promise<void>) {
  await answer();
  const { status, headers } = context.res;
  return { status, headers: Object.fromEntries(headers), body: await context.res.text() };
}

function cut(context: AppContext, { reset }: FaultRule): undefined {
  const { socket } = context.env.incoming;
  context.set('answer', null);
  if (reset === true) socket.resetAndDestroy();
  else socket.destroy();
}

/** The rule's own answer, undefined if it has none; with one, the request is not handled. */
function ownAnswer(rule: FaultRule, endpoint: EndpointName): PlainAnswer | undefined {
  const { status, body, redirect, hugeBody } = rule;
  if ((status ?? body ?? redirect ?? hugeBody) === undefined) return undefined;
  const code = status ?? (redirect === undefined ? 200 : 302);
  return {
    status: code,
    headers: { 'content-type': JSON_TYPE, ...(redirect === undefined ? {} : { location: redirect }) },
    body: body ?? JSON.stringify({ statusCode: code, message: messageFor(code, endpoint) }),
  };
}

function messageFor(status: number, endpoint: EndpointName): string {
  if (status === 404) return MESSAGES.NOT_FOUND;
  if (status === 429) return MESSAGES.RATE_LIMITED;
  return status >= 500 ? FAILURE_TEXTS[endpoint] : (STATUS_CODES[status] ?? 'Fault.');
}

/** Announces the whole body, but sends only as much of it, and as slowly, as the rule says. */
async function sendPart(
  outgoing: ServerResponse,
  { status, headers, body }: PlainAnswer,
  { truncate, drip }: FaultRule,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<undefined> {
  const whole = Buffer.from(body);
  const part = whole.subarray(0, truncate);
  const step = drip === undefined ? part.length : 1;
  outgoing.writeHead(status, { ...headers, 'content-length': String(whole.length) });
  outgoing.flushHeaders();
  for (let place = 0; place < part.length && !outgoing.destroyed; place += step) {
    await new Promise<void>((resolve) => {
      outgoing.write(part.subarray(place, place + step), () => resolve());
    });
    if (drip !== undefined) await sleep(drip);
  }
  if (truncate === undefined) outgoing.end();
  else outgoing.socket?.destroySoon();
}

async function sendHuge(
  outgoing: ServerResponse,
  { status, headers }: PlainAnswer,
  bytes: number,
): Promise<undefined> {
  const blank = Buffer.alloc(CHUNK_BYTES, ' ');
  const chunks = function* (): Generator<Buffer> {
    for (let left = bytes; left > 0; left -= CHUNK_BYTES)
      yield blank.subarray(0, Math.min(left, CHUNK_BYTES));
  };
  outgoing.writeHead(status, { ...headers, 'content-length': String(bytes) });
  // Clients are expected to hang up here: that is what the fault is for.
  await pipeline(Readable.from(chunks()), outgoing).catch(() => undefined);
}
