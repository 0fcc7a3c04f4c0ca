import type { EndpointName } from '../../partner-api/endpoints.ts';

/** Requests that a sandbox remembers; of older ones nothing is left. */
export const MAX_REQUESTS = 1000;

/** Characters of a body and of an answer that are kept. */
export const MAX_KEPT = 4000;

/** A request as a server saw it, with all that the client sent. */
export interface SeenRequest {
  /** Milliseconds of the real clock. */
  readonly at: number;
  /** Name of the partner that signed it; null where none did. */
  readonly partner: string | null;
  readonly method: string;
  readonly endpoint: EndpointName | null;
  /** Target of the request line. */
  readonly url: string;
  /** Null where there is none, or it was refused unread. */
  readonly body: string | null;
  /** Null where the connection was cut without an answer. */
  readonly status: number | null;
  /** Null where there was none, or it is the OpenAPI document. */
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
  /** Without the question mark; empty where there is none. */
  readonly query: string;
}

/** Which requests are wanted. */
export interface RequestFilter {
  readonly endpoint?: EndpointName;
  readonly partner?: string;
  /** First and last status. */
  readonly status?: readonly [from: number, to: number];
  /** Only those after this id. */
  readonly after?: number;
  /** The newest so many. */
  readonly limit?: number;
  /** Without addresses, memos and other long words. */
  readonly hidesAddresses?: boolean;
}
