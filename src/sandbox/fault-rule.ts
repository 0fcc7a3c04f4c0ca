import type { EndpointName } from '../partner-api/endpoints.ts';

/**
 * A fault to inject: which requests it fits, which of those it spoils, and how. Several ways can be combined where
 * they make sense, such as a delay before a status, or a truncated body of one's own.
 */
export interface FaultRule {
  /** Only requests of this endpoint; all without it. */
  readonly endpoint?: EndpointName;
  /** Only requests with the public key of the partner of this name; all without it. */
  readonly partner?: string;
  /** Spoils nothing before the n-th fitting request, counted from 1. */
  readonly nth?: number;
  /** Spoils so many requests and no more. */
  readonly times?: number;
  /** Spoils a fitting request with this probability, from 0 to 1; drawn from the sandbox's seed. */
  readonly probability?: number;
  /** Waits so many milliseconds before anything else. */
  readonly delay?: number;
  /** Cuts the connection: before the request is handled, or after it took effect. */
  readonly drop?: 'before' | 'after';
  /** Cuts with a TCP reset and not with an end; before handling unless `drop` says after. */
  readonly reset?: boolean;
  /** Answers with this status and handles nothing. */
  readonly status?: number;
  /** Answers with this body, handling nothing; status 200 where none is given. */
  readonly body?: string;
  /** Answers with a redirect to here and handles nothing; status 302 where none is given. */
  readonly redirect?: string;
  /** Answers with a body of so many bytes of JSON white space and handles nothing. */
  readonly hugeBody?: number;
  /** Answers with this content type. */
  readonly contentType?: string;
  /** Sends only so many bytes of the body and cuts the connection. */
  readonly truncate?: number;
  /** Sends the body byte by byte, with so many milliseconds between them. */
  readonly drip?: number;
}

/** A rule as it stands in the sandbox. */
export interface ActiveFault {
  readonly id: number;
  readonly rule: FaultRule;
  /** Requests that endpoint and partner fitted. */
  readonly seen: number;
  /** Requests that were spoilt. */
  readonly fired: number;
}
