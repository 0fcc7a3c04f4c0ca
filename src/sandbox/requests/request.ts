import type { EndpointName } from '../../core/partner-api/endpoints.ts';

/** Number of requests that a sandbox keeps; older ones are deleted. */
export const MAX_REQUESTS = 1000;

/** Number of characters kept of a body and of a response. */
export const MAX_KEPT = 4000;

/** A request as a server received it, with everything that the client sent. */
export interface SeenRequest {
  /** Milliseconds of the real clock. */
  readonly at: number;
  /** Name of the partner that signed it; null if none did. */
  readonly partner: string | null;
  readonly method: string;
  readonly endpoint: EndpointName | null;
  /** Target of the request line. */
  readonly url: string;
  /** Null if there is none, or it was refused unread. */
  readonly body: string | null;
  /** Null if the connection was cut without an answer. */
  readonly status: number | null;
  /** Null if there was none, or it is the OpenAPI document. */
  readonly answer: string | null;
  /** Milliseconds until it was answered. */
  readonly ms: number;
  /** Id of the fault that acted on it. */
  readonly fault: number | null;
  /** Values of the headers with key, signature and the like, to be kept out of the other fields. */
  readonly credentials: readonly string[];
}

/** A request as the log keeps it: without secrets, keys, signatures and headers; long texts are cut. */
export interface LoggedRequest extends Omit<SeenRequest, 'url' | 'credentials'> {
  /** Grows from request to request; with gaps where a server had more than it keeps. */
  readonly id: number;
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

export interface RequestFilter {
  readonly endpoint?: EndpointName | undefined;
  readonly partner?: string | undefined;
  /** First and last status. */
  readonly status?: readonly [from: number, to: number] | undefined;
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  /** Without addresses, memos and other long words. */
  readonly hidesAddresses?: boolean | undefined;
}

/** Reads `404` or `4xx` as the first and last status that it means; null for any other text. */
export function statusRange(text: string): readonly [number, number] | null {
  const match = /^([1-5])(?:([0-9]{2})|xx)$/i.exec(text);
  if (match === null) return null;
  const first = Number.parseInt(`${match[1]}${match[2] ?? '00'}`, 10);
  return [first, match[2] === undefined ? first + 99 : first];
}

/** Stands for what is not to be shown. */
const HIDDEN = '<hidden>';

const QUERY_VALUE = /(?<=^|&)([^=&]*(?:address|memo|tag)[^=&]*)=[^&]*/gi;
const JSON_VALUE = /("[^"]*(?:address|memo|tag)[^"]*"\s*:\s*)"((?:[^"\\]|\\.)+)("|$|…$)/gi;

/** Words this long are addresses, or transactions that lead to them; names and amounts are shorter. */
const LONG_WORD = /[\p{L}\p{N}_%:-]{20,}/gu;
const PLAIN_WORD = /^[a-z-]+$/;

/**
 * A request without its addresses and memos, so that it can be shown to others: values with such names, the same text
 * anywhere else, and every word of twenty characters or more.
 */
export function withoutAddresses(request: LoggedRequest): LoggedRequest {
  const { path, query, body, answer } = request;
  const values = [body, answer].flatMap((text) =>
    [...(text ?? '').matchAll(JSON_VALUE)].map(([, , value = '']) => value),
  );
  const known = [...new Set(values)].filter((value) => value.length >= 4);
  const hide = (text: string) => {
    let rest = text.replace(QUERY_VALUE, `$1=${HIDDEN}`).replace(JSON_VALUE, `$1"${HIDDEN}$3`);
    for (const value of known) rest = rest.replaceAll(value, HIDDEN);
    return rest.replace(LONG_WORD, (word) => (PLAIN_WORD.test(word) ? word : HIDDEN));
  };
  return {
    ...request,
    path: hide(path),
    query: hide(query),
    body: body === null ? null : hide(body),
    answer: answer === null ? null : hide(answer),
  };
}

/** Characters of a text that wait to be written; what is beyond MAX_KEPT shows secrets that begin before it. */
const MAX_WAITING_TEXT = 2 * MAX_KEPT;

/** The beginning of a long text, as much of it as can matter; a copy, so that the rest is not kept in memory. */
export function beginningOf(text: string): string {
  return text.length <= MAX_WAITING_TEXT ? text : Buffer.from(text.slice(0, MAX_WAITING_TEXT)).toString();
}
