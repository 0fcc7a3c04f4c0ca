import { type ServerResponse, STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EndpointName } from '../../core/partner-api/endpoints.ts';
import { MESSAGES } from '../../core/partner-api/messages.ts';
import type { FaultRule } from '../faults/rule.ts';
import { FAILURE_TEXTS } from './api-error.ts';
import type { AppContext } from './request-state.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const CHUNK_BYTES = 64 * 1024;

type PlainAnswer = Awaited<ReturnType<typeof handled>>;

interface DeliveryTools {
  readonly endpoint: EndpointName;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Handles the request as if there were no fault; the answer is then in the context. */
  readonly handle: () => Promise<void>;
}

/**
 * Answers a request as a rule says. Writes to the socket itself where no HTTP library would do it; the response is
 * undefined then, because there is nothing more to send.
 */
export async function deliverFault(
  rule: FaultRule,
  context: AppContext,
  tools: DeliveryTools,
): Promise<Response | undefined> {
  const { outgoing } = context.env;
  if (rule.delay !== undefined) await tools.sleep(rule.delay);
  if (rule.drop === 'before' || (rule.reset === true && rule.drop === undefined)) return cut(context, rule);
  const answer = ownAnswer(rule, tools.endpoint) ?? (await handled(context, tools));
  if (rule.drop === 'after') return cut(context, rule);
  const type = rule.contentType === undefined ? {} : { 'content-type': rule.contentType };
  const typed = { ...answer, headers: { ...answer.headers, ...type } };
  context.set('answer', rule.truncate === undefined ? typed.body : typed.body.slice(0, rule.truncate));
  if (rule.hugeBody !== undefined) return sendHuge(outgoing, typed, rule.hugeBody);
  if (rule.truncate === undefined && rule.drip === undefined)
    return new Response(typed.body, { status: typed.status, headers: typed.headers });
  return sendPart(outgoing, typed, rule, tools.sleep);
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

async function handled(context: AppContext, { handle }: DeliveryTools) {
  await handle();
  const { status, headers } = context.res;
  return { status, headers: Object.fromEntries(headers), body: await context.res.text() };
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
    await written(outgoing, part.subarray(place, place + step));
    if (drip !== undefined) await sleep(drip);
  }
  if (truncate === undefined) outgoing.end();
  else outgoing.socket?.destroySoon();
}

async function written(outgoing: ServerResponse, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve) => {
    outgoing.write(bytes, () => resolve());
  });
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
