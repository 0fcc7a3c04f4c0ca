import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { UsageError } from '../base/errors.ts';
import { isLoopback } from '../core/partner-api/loopback.ts';
import type { Credentials } from '../core/partner-api/signature.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { type AppTools, createApp } from './http/app.ts';
import type { Core } from './http/core.ts';
import { type ListeningServer, listen } from './http/listen.ts';
import { errorResponse } from './http/responses.ts';
import { type RateLimit, type RateLimiter, rateLimiter, withoutLimit } from './limits/rate-limiter.ts';
import { type CoreOptions, openCore } from './open.ts';
import type { PortAddresses, PortsOptions, PortTools } from './operator-ports.ts';
import type { RequestRecorder } from './requests/recorder.ts';
import { RATE_LIMIT } from './state/assumptions.ts';

/** Interval at which a server checks whether the wall clock was set back. */
const CLOCK_CHECK_MS = 1000;

/** Options of {@link startSandbox}. */
export interface SandboxOptions
  extends Omit<CoreOptions, 'now' | 'monotonic'>,
    Pick<PortsOptions, 'adminPort' | 'page' | 'limits'> {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: a free port. */
  readonly port?: number | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** Whether requests count for the limit of their key, which other servers share. Default true. */
  readonly countsRequests?: boolean | undefined;
  /** The wall clock. Default: the system's. */
  readonly now?: (() => number) | undefined;
  /** Monotonic clock in milliseconds, from any origin. Default: the system's, or `now` where that is given. */
  readonly monotonic?: (() => number) | undefined;
  /** Loads all code before the first request, so that an upgrade cannot disturb a running server. */
  readonly preload?: boolean | undefined;
  /** Waits this many milliseconds; used by faults that delay. */
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Keeps the latest requests in the database. Default false. */
  readonly keepsRequests?: boolean | undefined;
  /** Called with one line for each request and each unexpected error. */
  readonly log?: ((line: string) => void) | undefined;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export interface RunningSandbox extends PortAddresses {
  readonly url: string;
  /** Whether other machines can reach it. */
  readonly isExposed: boolean;
  /** Key pair of the default partner. */
  readonly credentials: Credentials;
  /** The coins that it swaps. */
  readonly catalogue: Catalogue;
  /** Milliseconds by which its clock was ahead of this machine's at the last request, or at the start. */
  clockAhead(): number;
  /** Lets running requests finish, then closes everything. */
  close(): Promise<void>;
}

/**
 * Starts the whole service on a port of this machine. Throws StorageError for an unusable database and UsageError for
 * unusable options, such as a port in use.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const wallClock = options.now ?? Date.now;
  const monotonic = options.monotonic ?? (wallClock === Date.now ? () => performance.now() : wallClock);
  const core = await openCore({ ...options, now: wallClock, monotonic });
  const opened: { close(): Promise<void> }[] = [core.database];
  const clockCheck = setInterval(() => void core.shared.checkClock().catch(() => undefined), CLOCK_CHECK_MS);
  clockCheck.unref();
  const closeAll = async (): Promise<void> => {
    clearInterval(clockCheck);
    for (const each of [...opened].reverse()) await each.close();
  };
  const recorder = options.keepsRequests === true ? await recorderOf(core) : undefined;
  // Closed before the database and after the server, so that the last requests are in it too.
  if (recorder !== undefined) opened.push({ close: () => recorder.flush() });
  try {
    // Windows of the rate limit follow a clock that cannot be set.
    const began = wallClock() - monotonic();
    const limit = options.rateLimit ?? options.choices?.rateLimit ?? RATE_LIMIT;
    const limiter =
      options.countsRequests === false
        ? withoutLimit(limit)
        : rateLimiter(core.database, limit, () => Math.floor(began + monotonic()));
    let url = '';
    const openApi = async () => {
      const { servedDocument } = await import('./http/openapi/openapi.ts');
      return servedDocument(core, url);
    };
    const ports = await openPorts(options, { recorder, openApi });
    if (ports !== undefined) opened.push(ports);
    if (options.preload === true) await preload(core);
    const server = await serve(core, limiter, {
      ...options,
      wallClock,
      openApi,
      note: recorder === undefined ? undefined : (request) => recorder.add(request),
    });
    url = server.url;
    return {
      url,
      isExposed: !isLoopback(server.address),
      credentials: core.credentials,
      clockAhead: () => core.shared.ahead,
      catalogue: core.catalogue,
      ...ports?.addresses,
      close: async () => {
        await server.close();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw listenProblem(error);
  }
}

async function serve(
  core: Core,
  limiter: RateLimiter,
  options: SandboxOptions & Pick<AppTools, 'wallClock' | 'note' | 'openApi'>,
): Promise<ListeningServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  // Without keeping the process alive: a delaying fault must not hold up a server that is stopping.
  const { sleep = (milliseconds: number) => pause(milliseconds, undefined, { ref: false }) } = options;
  const app = createApp(core, { ...options, sleep, limiter });
  const listener = getRequestListener(app.fetch, {
    hostname: 'localhost',
    errorHandler: () => errorResponse({ statusCode: 400, message: 'Bad Request' }),
  });
  return listen(
    (request, response) => {
      // A stopped clock is no time for a Date header, and the same calls get the same bytes.
      response.sendDate = !core.shared.standsStill;
      void listener(request, response);
    },
    { ...options, host, port },
  );
}

/** Loads what a request would load at its first use: an upgrade replaces the files of a running server. */
async function preload({ creating }: Core): Promise<void> {
  await Promise.all([
    creating(),
    import('./http/openapi/openapi.ts'),
    import('../core/swap/addresses/seed-phrase.ts'),
  ]);
}

async function openPorts(options: SandboxOptions, tools: PortTools) {
  if (options.adminPort === undefined && options.page === undefined) return undefined;
  const { openOperatorPorts } = await import('./operator-ports.ts');
  return openOperatorPorts(options, tools);
}

async function recorderOf({ database, shared }: Core): Promise<RequestRecorder> {
  const { createRequestRecorder } = await import('./requests/recorder.ts');
  return createRequestRecorder(database.outside(), async () =>
    [...(await shared.read()).partners.values()].flatMap(({ publicKey, secret }) => [publicKey, secret]),
  );
}

function listenProblem(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'listen') return error;
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRNOTAVAIL')
    return new UsageError(
      `The sandbox cannot listen on ${address ?? 'that host'}: ${code}.`,
      'Choose another --host.',
    );
  const reason = code === 'EADDRINUSE' ? 'the port is in use' : String(code);
  return new UsageError(
    `The sandbox cannot listen on ${address}:${port}: ${reason}.`,
    'Choose another port; 0 picks a free one.',
  );
}
