import type { EndpointName } from '../../core/partner-api/endpoints.ts';
import { MESSAGES } from '../../core/partner-api/messages.ts';
import { VALIDATION_TEXTS } from '../state/assumptions.ts';

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

/** Text about a field that breaks a rule. */
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

/** Text of a 415. */
export const UNSUPPORTED_TYPE = 'Unsupported Media Type';

/** Text of a 413. */
export const PAYLOAD_TOO_LARGE = 'Request body is too large.';

/** A success; its body is written with every digit of its numbers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}
