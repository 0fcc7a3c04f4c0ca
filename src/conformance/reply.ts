import type { ApiAnswer } from '../client/transport.ts';
import type { EndpointName } from '../partner-api/endpoints.ts';
import type { JsonObject, JsonValue } from '../partner-api/json.ts';
import { isJsonNumber, isJsonObject, tryParseJson } from '../partner-api/json.ts';
import type { Decimal } from '../swap/amount.ts';
import { plainDecimal } from '../swap/amount.ts';

/** An answer in the form that the checks read. */
export interface Reply {
  readonly endpoint: EndpointName;
  readonly status: number;
  readonly ok: boolean;
  /** The body, undefined where it is not JSON. */
  readonly json: JsonValue | undefined;
  /** The body where it is an object, else an empty one. */
  readonly body: JsonObject;
  /** Status and message in one line. */
  readonly words: string;
  readonly answer: ApiAnswer;
}

/** Reads an answer without assuming anything about it. */
export function replyOf(endpoint: EndpointName, answer: ApiAnswer): Reply {
  const json = tryParseJson(answer.text);
  const body = isJsonObject(json) ? json : {};
  const ok = answer.status >= 200 && answer.status < 300;
  return { endpoint, status: answer.status, ok, json, body, words: wordsOf(answer, json, body), answer };
}

function wordsOf({ status }: ApiAnswer, json: JsonValue | undefined, { message }: JsonObject): string {
  if (json === undefined) return `${status}, not JSON`;
  if (typeof message === 'string') return `${status} ${message}`;
  return Array.isArray(message) ? `${status} [${message.map(String).join('; ')}]` : String(status);
}

/** A nested member, by a path such as `pairs.deposit.address`. */
export function memberAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), value);
}

/** A nested text, undefined where there is none. */
export function textAt(value: JsonValue | undefined, path: string): string | undefined {
  const member = memberAt(value, path);
  return typeof member === 'string' ? member : undefined;
}

/** A nested number, given as a JSON number or as text; undefined where there is none. */
export function decimalAt(value: JsonValue | undefined, path: string): Decimal | undefined {
  const member = memberAt(value, path);
  return plainDecimal(isJsonNumber(member) ? member.value : typeof member === 'string' ? member : '');
}

/** A nested whole number from 0. */
export function countAt(value: JsonValue | undefined, path: string): number | undefined {
  const text = decimalAt(value, path);
  return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
