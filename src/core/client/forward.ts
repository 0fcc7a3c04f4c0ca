import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { drain, isOwnHost, listenHere } from '../partner-api/loopback.ts';
import type { TransportError } from './transport-error.ts';
import { headerPairs, type OwnRequest, type PassedAnswer, passOn, type Upstream } from './upstream.ts';

const HOST = '127.0.0.1';
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
/** Time that running requests have to finish when the server closes, in milliseconds. */
const DRAIN_MS = 5000;

/** Methods that change nothing at a service. */
const READING = ['GET', 'HEAD', 'OPTIONS'];

/** A client's request through {@link startForwarding}: answered, failed on the way, or refused and not sent. */
export interface Forwarded {
  readonly request: OwnRequest;
  /** The service's answer, or null. A refusal of this server is in `refused`. */
  readonly answer: PassedAnswer | null;
  /** Why there is no complete answer, or null. */
  readonly failure: TransportError | null;
  /** Why the request was not sent, or null. */
  readonly refused: { readonly status: number; readonly message: string } | null;
  /** Time of its start, in milliseconds since 1970. */
  readonly at: number;
  readonly milliseconds: number;
}

interface ForwardOptions extends Upstream {
  /** 0 for any free port. */
  readonly port: number;
  readonly write: boolean;
  readonly now: () => number;
  readonly monotonic: () => number;
  /** Called after each request; it must not throw. */
  readonly onForwarded: (forwarded: Forwarded) => void;
}

/** Forwards every request on loopback to a base URL; `close` lets running ones finish. Throws UsageError. */
export async function startForwarding(options: ForwardOptions) {
  const running = new Set<Promise<void>>();
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (incoming, response) => {
    const work = handle(incoming, response, options).finally(() => running.delete(work));
    running.add(work);
  });
  const url = await listenHere(server, options.port, 'The recorder cannot listen');
  return {
    url,
    close: async (): Promise<void> => {
      await drain(server, DRAIN_MS);
      await Promise.all(running);
    },
  };
}

async function handle(incoming: IncomingMessage, response: ServerResponse, options: ForwardOptions) {
  const { now, monotonic, onForwarded } = options;
  const [at, started] = [now(), monotonic()];
  response.on('error', () => undefined);
  const { method = '', url: target = '' } = incoming;
  const body = await bodyOf(incoming);
  if (body === null) return;
  const request = { method, target, headers: headerPairs(incoming.rawHeaders), body: body.bytes };
  const report = (rest: Pick<Forwarded, 'answer' | 'failure' | 'refused'>) =>
    onForwarded({ request, at, milliseconds: Math.round(monotonic() - started), ...rest });
  const refused = refusal(request, incoming.headers.host, body.isTooLarge, options.write);
  if (refused !== null) {
    const text = JSON.stringify({ statusCode: refused.status, message: refused.message });
    response.writeHead(refused.status, { 'Content-Type': 'application/json; charset=utf-8' }).end(text);
    return report({ answer: null, failure: null, refused });
  }
  report({ ...(await passOn(request, response, options)), refused: null });
}

/** The whole body, truncated if too large; null if the client disconnected. */
async function bodyOf(incoming: IncomingMessage): Promise<{ bytes: Buffer; isTooLarge: boolean } | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return { bytes: Buffer.concat(chunks), isTooLarge: size > MAX_BODY_BYTES };
}

function refusal(
  { method, target }: OwnRequest,
  host: string | undefined,
  isTooLarge: boolean,
  write: boolean,
): Forwarded['refused'] {
  if (!target.startsWith('/'))
    return {
      status: 400,
      message: 'This is a base URL, not an HTTP proxy: use it as the base URL of the service.',
    };
  if (!isOwnHost(host)) return { status: 403, message: `Unexpected Host header: use ${HOST} or localhost.` };
  if (!write && !READING.includes(method))
    return {
      status: 405,
      message: `${method} was not forwarded: start swapctl sandbox record with --write to forward requests that change something.`,
    };
  return isTooLarge ? { status: 413, message: 'The body is too large to be forwarded.' } : null;
}
