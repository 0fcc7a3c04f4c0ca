/** What happens to the connection of a create. */
export interface Wire {
  readonly what: string;
  /** System code of an error before the connection is established. */
  readonly refused?: string;
  /** The certificate is self-signed. */
  readonly isSelfSigned?: boolean;
  /** HTTP status of the response, if there is one. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body: the answer of the service, or this many bytes. */
  readonly body?: 'answer' | number;
  /** Pause before each part of the answer, in milliseconds. */
  readonly pauses?: number;
  /** System code of the error that ends the connection; `hang` if it never ends. */
  readonly ends?: string;
  /** Milliseconds left of `--timeout`; without it, there is no limit. */
  readonly timeLeft?: number;
  /** Expected outcome of the error, or a created swap. */
  readonly outcome: 'nothing-sent' | 'unknown' | 'created';
  readonly message?: RegExp;
}

const MEGABYTE = 1024 * 1024;

/** Failures of connections. A create counts as not sent only if its connection was never established. */
export const WIRES: readonly Wire[] = [
  { what: 'an answer', status: 201, body: 'answer', outcome: 'created' },
  { what: 'an answer with pauses', status: 201, body: 'answer', pauses: 4_000, outcome: 'created' },
  { what: 'a late answer', status: 201, body: 'answer', pauses: 2_000, timeLeft: 1_000, outcome: 'created' },
  { what: 'a time limit that is over', status: 201, body: 'answer', timeLeft: 0, outcome: 'nothing-sent' },
  { what: 'a refused connection', refused: 'ECONNREFUSED', outcome: 'nothing-sent' },
  { what: 'an unknown host', refused: 'ENOTFOUND', outcome: 'nothing-sent', message: /resolve/ },
  {
    what: 'a self-signed certificate',
    isSelfSigned: true,
    status: 201,
    body: 'answer',
    outcome: 'nothing-sent',
  },
  { what: 'a reset connection', ends: 'ECONNRESET', outcome: 'unknown' },
  { what: 'something that is not HTTP', ends: 'HPE_INVALID_CONSTANT', outcome: 'unknown' },
  { what: 'an answer that cannot be unpacked', status: 201, ends: 'Z_DATA_ERROR', outcome: 'unknown' },
  { what: 'a cut answer', status: 201, body: 10, ends: 'ECONNRESET', outcome: 'unknown' },
  { what: 'another protocol', status: 101, outcome: 'unknown' },
  { what: 'no response', ends: 'hang', outcome: 'unknown' },
  { what: 'an answer without an end', status: 201, body: 10, ends: 'hang', outcome: 'unknown' },
  { what: 'a redirect', status: 302, headers: { location: 'https://other.example/api' }, outcome: 'unknown' },
  {
    what: 'a redirect that keeps the method',
    status: 307,
    headers: { location: 'https://other.example/' },
    outcome: 'unknown',
  },
  { what: 'a large answer', status: 201, body: 17 * MEGABYTE, outcome: 'unknown', message: /large/ },
  { what: 'an error', status: 503, body: 10, outcome: 'unknown' },
];
