import { userInfo } from 'node:os';
import { UsageError } from './errors.ts';
import { visible } from './text.ts';

/** Variables that are not passed to a program that swapctl starts: secrets and their sources. */
const SECRETS: ReadonlySet<string> = new Set([
  'SWAPCTL_SECRET',
  'SWAPCTL_SECRET_FILE',
  'SWAPCTL_SECRET_COMMAND',
  'PGPASSWORD',
]);

/** The environment for a program that swapctl starts: its own, without secrets. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => !SECRETS.has(name) && !isLedgerUrlWithPassword(name, value),
    ),
  );
}

function isLedgerUrlWithPassword(name: string, value: string | undefined): boolean {
  if (name !== 'SWAPCTL_LEDGER' || value === undefined) return false;
  if (!URL.canParse(value)) return /^postgres/i.test(value);
  const { password, searchParams } = new URL(value);
  return password !== '' || searchParams.has('password');
}

/** Parts of Node that print, or may print in another version, what is sent, including the signature. */
const DEBUG_SECTIONS = ['http', 'https', 'http2', 'net', 'tls', 'stream', 'undici', 'fetch'] as const;

/** Throws `invalid_config` if `NODE_DEBUG` would make Node print each request with its signature. */
export function refuseDebugOutput(env: NodeJS.ProcessEnv = process.env): void {
  const wanted = (env['NODE_DEBUG'] ?? '').toLowerCase().split(',');
  const printing = DEBUG_SECTIONS.filter((part) => wanted.some((pattern) => matches(pattern.trim(), part)));
  if (printing.length === 0) return;
  throw new UsageError(
    `NODE_DEBUG makes Node print ${printing.join(', ')}, including the signature of each request. Nothing was sent.`,
    'Unset NODE_DEBUG or remove these parts: the signature never changes, so it is as secret as the key. --debug logs requests without it.',
    'invalid_config',
  );
}

/** Whether a pattern of NODE_DEBUG matches a part, as Node reads it: a star matches any characters. */
function matches(pattern: string, part: string): boolean {
  const written = pattern.replace(/[^a-z0-9*]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${written}$`).test(part);
}

/** The environment variables that name a proxy. */
export const PROXY_NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** The variables that select a proxy, and no others: {@link PROXY_NAMES}, `no_proxy`, and a CGI server's method. */
export function proxyVariables(): NodeJS.ProcessEnv {
  const names = [...PROXY_NAMES, 'no_proxy', 'NO_PROXY', 'REQUEST_METHOD'];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

const MAX_ACTOR_LENGTH = 100;

/** Who acts, as the audit chain names it: `SWAPCTL_ACTOR`, else the given program, else the user of the process. */
export function actorOf(env: NodeJS.ProcessEnv, program: string | null = null): string {
  const named = env['SWAPCTL_ACTOR'] || program || userName(env);
  return visible(named.slice(0, MAX_ACTOR_LENGTH));
}

function userName(env: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry, as in some containers.
    return env['USER'] || 'unknown';
  }
}
