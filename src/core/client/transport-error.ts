import { systemCode } from '../../base/files.ts';

/** Why no complete answer came. `not-found`: the host name; `broken`: closed too early; `switched`: an unasked 101. */
export type TransportErrorKind =
  | 'unreachable'
  | 'not-found'
  | 'certificate'
  | 'tls'
  | 'timeout'
  | 'broken'
  | 'too-large'
  | 'proxy'
  | 'switched'
  | 'interrupted';

const NAME_LOOKUP = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME', 'EAI_FAIL']);
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/;
const TLS = /^(ERR_TLS_|ERR_SSL_|EPROTO$)/;

/** A proxy that failed a request: its status if it refused, null if it could not be used. */
export interface ProxyRefusal {
  readonly host: string;
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly status: number | null;
}

/** A request without a usable answer. It keeps only a code of got's error, which has the secret headers. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly kind: TransportErrorKind;
  /** Whether any byte of the request may have been sent. */
  readonly sent: boolean;
  /** System code such as `ECONNREFUSED`, if there is one. */
  readonly systemCode: string | null;
  /** HTTP status, if one was received. */
  readonly status: number | null;
  /** Failure of the proxy, only for the kind `proxy`. */
  readonly proxy: ProxyRefusal | null;

  constructor(
    kind: TransportErrorKind,
    sent: boolean,
    systemCode: string | null = null,
    status: number | null = null,
    proxy: ProxyRefusal | null = null,
  ) {
    super(kind);
    this.kind = kind;
    this.sent = sent;
    this.systemCode = systemCode;
    this.status = status;
    this.proxy = proxy;
  }

  /** Makes one from an error of the HTTP library, without its secrets. */
  static from(error: unknown, sent: boolean, status: number | null): TransportError {
    if (error instanceof TransportError)
      return new TransportError(error.kind, error.sent, error.systemCode, status, error.proxy);
    if (error instanceof Error && error.cause instanceof TransportError) return error.cause;
    const code = shortCode(error);
    return new TransportError(kindOf(error, code ?? '', sent), sent, code, status);
  }
}

/** The library's code if it is a short word; anything longer could contain what was sent. */
function shortCode(error: unknown): string | null {
  const code = systemCode(error);
  return code !== null && /^[A-Z0-9_]{1,60}$/.test(code) ? code : null;
}

function kindOf(error: unknown, code: string, sent: boolean): TransportErrorKind {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError' || code === 'ABORT_ERR') return 'interrupted';
  if (name === 'TimeoutError' || code === 'ETIMEDOUT') return 'timeout';
  if (NAME_LOOKUP.has(code)) return 'not-found';
  if (CERTIFICATE.test(code)) return 'certificate';
  if (TLS.test(code)) return 'tls';
  return sent ? 'broken' : 'unreachable';
}
