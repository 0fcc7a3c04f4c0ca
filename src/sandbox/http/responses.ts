import { isEndpointName, PATH_PREFIX } from '../../core/partner-api/endpoints.ts';
import { MESSAGES } from '../../core/partner-api/messages.ts';
import { ApiError, FAILURE_TEXTS, ValidationError, type WireError } from './api-error.ts';
import type { AppContext } from './request-state.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * An answer with a JSON text. The headers are a plain object: `Headers` and lists are much slower in @hono/node-server
 * 2.1.
 */
export function jsonResponse(status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
  return new Response(text, { status, headers: { 'Content-Type': JSON_TYPE, ...headers } });
}

/** An answer with a JSON text that is made while it is sent, no faster than the client reads it. */
export function streamedJsonResponse(parts: AsyncIterable<string>): Response {
  const encoder = new TextEncoder();
  const iterator = parts[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await iterator.return?.()),
  });
  return new Response(body, { status: 200, headers: { 'Content-Type': JSON_TYPE } });
}

export function errorResponse(body: WireError, headers: Readonly<Record<string, string>> = {}): Response {
  return jsonResponse(body.statusCode, JSON.stringify(body), headers);
}

/** Turns every error into a response; an unexpected one becomes a 500 with the text of its endpoint. */
export function answerError(error: unknown, context: AppContext, report: (error: unknown) => void): Response {
  const { limitHeaders } = context.get('progress') ?? {};
  const answered = (body: WireError, headers = limitHeaders) => {
    context.set('answer', JSON.stringify(body));
    return errorResponse(body, headers);
  };
  if (error instanceof ApiError) return answered(error.body, { ...limitHeaders, ...error.headers });
  if (error instanceof ValidationError) return answered(error.body);
  report(error);
  const endpoint = context.req.path.slice(PATH_PREFIX.length);
  const message = isEndpointName(endpoint) ? FAILURE_TEXTS[endpoint] : MESSAGES.SERVER_ERROR;
  return answered({ statusCode: 500, message });
}
