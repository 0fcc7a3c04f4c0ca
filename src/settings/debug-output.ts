import { UsageError } from '../errors.ts';

/** Parts of Node that print, or may in another version print, what is sent: the signature stands among it. */
const TELLING_PARTS = ['http', 'https', 'http2', 'net', 'tls', 'stream', 'undici', 'fetch'] as const;

/** Throws `invalid_config` where `NODE_DEBUG` would have Node itself print each request with its signature. */
export function refuseDebugOutput(env: NodeJS.ProcessEnv = process.env): void {
  const wanted = (env['NODE_DEBUG'] ?? '').toLowerCase().split(',');
  const telling = TELLING_PARTS.filter((part) => wanted.some((pattern) => fits(pattern.trim(), part)));
  if (telling.length === 0) return;
  throw new UsageError(
    `NODE_DEBUG makes Node print ${telling.join(', ')}, including the signature of each request. Nothing was sent.`,
    'Unset NODE_DEBUG, or remove these parts from it: the signature never changes, so it is as secret as the key. --debug logs requests without it.',
    'invalid_config',
  );
}

/** Whether a pattern of NODE_DEBUG matches a part, read as Node reads it: a star stands for any characters. */
function fits(pattern: string, part: string): boolean {
  const written = pattern.replace(/[^a-z0-9*]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${written}$`).test(part);
}
