import { fullSentence, type SwapctlError } from '../../base/errors.ts';
import { ENDPOINTS, endpointPath } from '../partner-api/endpoints.ts';
import type { Transport } from './transport.ts';
import { TransportError } from './transport-error.ts';

/** A request that was sent, for `--debug`: no header, no query and no body, so nothing secret. */
export interface SentRequest {
  readonly method: string;
  /** Path below the base URL, without the query. */
  readonly path: string;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** From 1; reads are repeated. */
  readonly attempt: number;
}

/** A transport that reports each finished request. `clock` counts milliseconds from any origin. */
export function loggedTransport(
  transport: Transport,
  clock: () => number,
  report: ((sent: SentRequest) => void) | undefined,
): Transport {
  if (report === undefined) return transport;
  return async (request) => {
    const started = clock();
    const finished = (status: number | null) =>
      report({
        method: request.method ?? ENDPOINTS[request.endpoint].method,
        path: endpointPath(request.endpoint),
        status,
        milliseconds: Math.round(clock() - started),
        attempt: request.attempt ?? 1,
      });
    try {
      const answer = await transport(request);
      finished(answer.status);
      return answer;
    } catch (error) {
      finished(error instanceof TransportError ? error.status : null);
      throw error;
    }
  };
}

/** A request as a line of `--debug`. */
export function requestLogLine({ method, path, status, milliseconds, attempt }: SentRequest): string {
  return `${method} ${path} ${status ?? 'no response'} ${milliseconds} ms, attempt ${attempt}`;
}

/** A sentence about a failed read that is about to be repeated. */
export function repeatNotice(error: SwapctlError, delayMs: number): string {
  return `${fullSentence(error.message)} Trying again in ${(delayMs / 1000).toFixed(1)} s.`;
}
