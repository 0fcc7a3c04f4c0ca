import { type EndpointName, isEndpointName, PATH_PREFIX } from '../../core/partner-api/endpoints.ts';
import { MESSAGES } from '../../core/partner-api/messages.ts';
import { VALIDATION_TEXTS } from '../state/assumptions.ts';
import type { AppContext } from './request-state.ts';

/** Body of an error answer; validation errors carry `error` and a list of messages. */
export interface WireError {
  readonly statusCode: number;
  readonly message: string | readonly string[];
  readonly error?: string;
}

/** An error answer: status, text and headers as they are sent. Handlers throw it; `answerError` answers it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: WireError;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.body = { statusCode: status, message };
    this.headers = headers;
  }
}

/** A request with invalid parameters; one text for each problem. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  readonly body: WireError;

  constructor(texts: readonly string[]) {
    super(texts.join('; '));
    this.body = { statusCode: 400, message: texts, error: MESSAGES.BAD_REQUEST };
  }
}

/** Text of a 400 about a field that breaks a rule, from {@link VALIDATION_TEXTS}. */
export function ruleText(rule: keyof typeof VALIDATION_TEXTS, field: string): string {
  return VALIDATION_TEXTS[rule].replace('{field}', field);
}

/** Texts of a 500: the API document has one for each endpoint. */
export const FAILURE_TEXTS: Readonly<Record<EndpointName, string>> = {
  'get-all-coins': MESSAGES.COINS_UNAVAILABLE,
  'get-coin-network': MESSAGES.COINS_UNAVAILABLE,
  'exchange-coin': MESSAGES.PROCESSING_FAILED,
  'get-transaction': MESSAGES.PROCESSING_FAILED,
  'create-transaction': MESSAGES.CREATE_FAILED,
  'update-refund-address': MESSAGES.REFUND_UPDATE_FAILED,
};

/** Text of a 422, whatever the problem with the pair is. */
export const UNPROCESSABLE = 'Such exchange pair is not available';

/** Text of a 415, for a body that is not declared as plain JSON. */
export const UNSUPPORTED_TYPE = 'Unsupported Media Type';

/** Text of a 413, for a body that is larger than a request may be. */
export const PAYLOAD_TOO_LARGE = 'Request body is too large.';

/** A success; its body is written with every digit of its numbers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer with a JSON text. Its headers are an object: others are much slower in @hono/node-server 2.1. */
export function jsonResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
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
  const { rateHeaders } = context.get('progress') ?? {};
  const answered = (body: WireError, headers = rateHeaders) => {
    context.set('answer', JSON.stringify(body));
    return errorResponse(body, headers);
  };
  if (error instanceof ApiError) return answered(error.body, { ...rateHeaders, ...error.headers });
  if (error instanceof ValidationError) return answered(error.body);
  report(error);
  const endpoint = context.req.path.slice(PATH_PREFIX.length);
  const message = isEndpointName(endpoint) ? FAILURE_TEXTS[endpoint] : MESSAGES.SERVER_ERROR;
  return answered({ statusCode: 500, message });
}
