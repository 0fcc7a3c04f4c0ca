import type { ApiRequest } from '../client/transport.ts';
import { MESSAGES } from '../partner-api/messages.ts';
import type { Check, Verdict } from './check.ts';
import { differs, HELD, heldIf } from './check.ts';
import type { Reply } from './reply.ts';

/** Status and exact message of a refusal. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

type Subject = Pick<Check, 'name' | 'expected' | 'run'>;

/** A check that a request is refused with one status and one message. */
export function refused(name: string, request: ApiRequest, { status, message }: Refusal): Subject {
  return {
    name,
    expected: `${status} ${message}`,
    run: async (probe) => {
      const reply = await probe.ask(request);
      return heldIf(reply.status === status && reply.body['message'] === message, reply.words);
    },
  };
}

/** A check that a request is invalid: a 400 with the body of a validation error. */
export function invalid(name: string, request: ApiRequest): Subject {
  return {
    name,
    expected: `400 with a list of texts, error "${MESSAGES.BAD_REQUEST}"`,
    run: async (probe) => isValidationError(await probe.ask(request)),
  };
}

function isValidationError(reply: Reply): Verdict {
  const { message, error } = reply.body;
  if (reply.status !== 400) return differs(reply.words);
  if (!Array.isArray(message) || message.length === 0) return differs(`${reply.words}, which is no list`);
  if (!message.every((text) => typeof text === 'string')) return differs('the list holds more than texts');
  return heldIf(error === MESSAGES.BAD_REQUEST, `error is ${error === undefined ? 'missing' : 'another'}`);
}

/** A check of a validation error's texts, in any order. */
export function invalidTexts(name: string, request: ApiRequest, texts: readonly string[]): Subject {
  const [first = ''] = texts;
  return {
    name,
    expected: texts.length > 1 ? `${first}; and ${texts.length - 1} more` : first,
    run: async (probe) => {
      const { body, words } = await probe.ask(request);
      const given = Array.isArray(body['message']) ? body['message'].filter(isText) : [];
      if (given.length === 0) return differs(words);
      const missing = texts.filter((text) => !given.includes(text));
      const added = given.filter((text) => !texts.includes(text));
      if (missing.length + added.length === 0) return HELD;
      const parts = [...missing.map((text) => `not: ${text}`), ...added.map((text) => `but: ${text}`)];
      return differs(parts.join('; '));
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Texts for a missing text field. */
export function missingText(field: string): string[] {
  return [
    `${field} should not be null or undefined`,
    `${field} must be a string`,
    `${field} should not be empty`,
  ];
}

/** Texts for a missing number. */
export function missingNumber(field: string): string[] {
  return [`${field} should not be null or undefined`, numberText(field)];
}

/** Texts for a missing field with fixed values. */
export function missingChoice(field: string, ...values: readonly string[]): string[] {
  return [`${field} should not be null or undefined`, choiceText(field, ...values)];
}

/** Text for a field that is not a number. */
export function numberText(field: string): string {
  return `${field} must be a number conforming to the specified constraints`;
}

/** Text for a field with none of its fixed values. */
export function choiceText(field: string, ...values: readonly string[]): string {
  return `${field} must be one of the following values: ${values.join(', ')}`;
}

/** The refusals of an amount outside its bounds; the document allows `exchange` in place of `swap`. */
export function outOfBounds(reply: Reply, message: string): Verdict {
  const given = reply.body['message'];
  const same = typeof given === 'string' && given.replaceAll('exchange', 'swap') === message;
  return heldIf(reply.status === 400 && same, reply.words);
}
