import type { ApiAnswer } from '../client/transport.ts';
import type { EndpointName } from '../partner-api/endpoints.ts';
import type { JsonObject, JsonValue } from '../partner-api/json.ts';
import { isJsonObject, tryParseJson } from '../partner-api/json.ts';

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
