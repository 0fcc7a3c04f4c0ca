import { UsageError } from '../../base/errors.ts';
import { isLoopback } from './loopback.ts';

/**
 * Checks a base URL and returns its one spelling: `https:`, or `http:` on a loopback host, because the signature in each
 * request is a password; a host, and a path of plain segments without a slash at its end.
 */
export function checkBaseUrl(text: string): string {
  if (!URL.canParse(text))
    throw new UsageError('The base URL must be a URL such as https://api.example.com.');
  const url = new URL(text);
  const host = plainHost(url);
  const path = plainPath(url);
  const segments = path.split('/').filter((segment) => segment !== '');
  const plain = [`${url.protocol}//${host}`, ...segments].join('/');
  const use = `Use ${plain}`;
  if (text.includes('@')) throw new UsageError('The base URL must not contain a user name or password.', use);
  if (/[?#]/.test(text)) throw new UsageError('The base URL must not contain ? or #.', use);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(nameOf(host))))
    throw new UsageError(
      `The base URL must start with https: (http: is allowed only for loopback addresses).`,
      'Use https: each request carries a signature that never changes, and over plain HTTP anyone on the network path could capture it.',
      'insecure_url',
    );
  if (/(?:^|\.)(?:\.|$)/.test(nameOf(host)))
    throw new UsageError('The host of the base URL has an empty part between its dots.');
  if (/\/\//.test(path))
    throw new UsageError('The base URL must not contain an empty path segment (//).', use);
  if (!segments.every((segment) => /^[\w.~:+,=-]+$/.test(segment)))
    throw new UsageError(
      'The path of the base URL may contain only letters, digits and - . _ ~ : + , =',
      'Use the path as the service documents it, without percent codes.',
    );
  const index = plain.search(/\/api\/private(\/|$)/);
  if (index < 0) return plain;
  throw new UsageError(
    'The base URL contains /api/private, which swapctl adds automatically.',
    `Use only the part before it: ${plain.slice(0, index)}`,
  );
}

/** Name of the service at a base URL: the same for all its spellings, and for the three names of this machine. */
export function serviceAt(baseUrl: string): string {
  const url = new URL(baseUrl);
  const host = plainHost(url).replace(/^(?:127\.0\.0\.1|\[::1\])(?=:|$)/, 'localhost');
  const path = plainPath(url).replace(/\/+/g, '/').replace(/\/$/, '');
  return `${url.protocol}//${host}${path}`;
}

/** Host and port without the dot that ends a complete name; an IPv4 address in IPv6 form is an IPv4 address. */
function plainHost({ hostname, port }: URL): string {
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
  const bytes = [high, low].map((part) => Number.parseInt(part ?? '', 16));
  const name =
    high === undefined
      ? hostname.replace(/\.$/, '')
      : bytes.flatMap((pair) => [pair >> 8, pair & 0xff]).join('.');
  return port === '' ? name : `${name}:${port}`;
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** The path with percent codes only where they are needed, in capitals (RFC 3986, section 6.2.2). */
function plainPath({ pathname }: URL): string {
  return pathname.replace(/%([0-9a-f]{2})/gi, (code, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}
