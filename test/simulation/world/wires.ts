/** What happens on the way of a create after its connection was asked for. */
export interface Wire {
  readonly what: string;
  /** Code of the error before the connection stands; null if it does. */
  readonly refused?: string;
  /** A certificate that no one has signed. */
  readonly isSelfSigned?: boolean;
  /** HTTP status; null for none. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What comes: the answer of the service, nothing, or so many bytes. */
  readonly body?: 'answer' | number;
  /** Milliseconds before the answer, between its head and its body, and between two halves of that. */
  readonly pauses?: number;
  /** Code of the error that ends it; `hang` for no end. */
  readonly ends?: string;
  /** Milliseconds that `--timeout` leaves; null for no limit. */
  readonly timeLeft?: number;
  /** What the program must be told: the outcome, or a created swap. */
  readonly outcome: 'nothing-sent' | 'unknown' | 'created';
  readonly said?: RegExp;
}

const MEGABYTE = 1024 * 1024;

/** Everything that a socket may do. A create counts as not sent only while its connection did not stand. */
export const WIRES: readonly Wire[] = [
  { what: 'an answer', status: 201, body: 'answer', outcome: 'created' },
  { what: 'an answer with pauses', status: 201, body: 'answer', pauses: 4_000, outcome: 'created' },
  { what: 'a late answer', status: 201, body: 'answer', pauses: 2_000, timeLeft: 1_000, outcome: 'created' },
  { what: 'no time', status: 201, body: 'answer', timeLeft: 0, outcome: 'nothing-sent' },
  { what: 'a refused connection', refused: 'ECONNREFUSED', outcome: 'nothing-sent' },
  {
    what: 'an unknown host',
    refused: 'ENOTFOUND',
    outcome: 'nothing-sent',
    said: /resolve/,
  },
  {
    what: 'a certificate of its own',
    isSelfSigned: true,
    status: 201,
    body: 'answer',
    outcome: 'nothing-sent',
  },
  { what: 'a reset', ends: 'ECONNRESET', outcome: 'unknown' },
  { what: 'something that is not HTTP', ends: 'HPE_INVALID_CONSTANT', outcome: 'unknown' },
  { what: 'an answer that cannot be unpacked', status: 201, ends: 'Z_DATA_ERROR', outcome: 'unknown' },
  { what: 'a cut answer', status: 201, body: 10, ends: 'ECONNRESET', outcome: 'unknown' },
  { what: 'another protocol', status: 101, outcome: 'unknown' },
  { what: 'silence', ends: 'hang', outcome: 'unknown' },
  { what: 'an answer without an end', status: 201, body: 10, ends: 'hang', outcome: 'unknown' },
  { what: 'a redirect', status: 302, headers: { location: 'https://other.example/api' }, outcome: 'unknown' },
  {
    what: 'a redirect that keeps the method',
    status: 307,
    headers: { location: 'https://other.example/' },
    outcome: 'unknown',
  },
  { what: 'a large answer', status: 201, body: 17 * MEGABYTE, outcome: 'unknown', said: /large/ },
  { what: 'an error', status: 503, body: 10, outcome: 'unknown' },
];
