import { UsageError } from '../errors.ts';
import { isLoopback } from '../partner-api/loopback.ts';

/** A proxy. Its URL may contain a password, so only `host` is ever shown. */
export interface ProxyServer {
  readonly url: URL;
  /** Host and port. */
  readonly host: string;
  /** The environment variable that sets it. */
  readonly variable: string;
}

/** Default ports of proxies, as in curl. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '1080', 'https:': '443' };

/**
 * The proxy for a base URL, from `https_proxy`, `http_proxy`, `no_proxy` and their upper-case forms, as curl reads them:
 * lower case first, an empty value means none. `HTTP_PROXY` is ignored under a CGI web server, which puts a request's
 * header there. A plain `http:` base URL is on this machine and carries the signature in clear text, so only a proxy on
 * this machine is used for it. Throws UsageError for an invalid proxy; no message contains its password.
 */
export function proxyFor(baseUrl: string, env: NodeJS.ProcessEnv): ProxyServer | null {
  const url = new URL(baseUrl);
  const variable = namesOf(url.protocol, env).find((name) => Boolean(env[name]));
  if (variable === undefined) return null;
  if (isExempt(url, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return null;
  const proxy = readProxy(env[variable] ?? '', variable);
  return url.protocol === 'http:' && !isLoopback(proxy.url.hostname) ? null : proxy;
}

function namesOf(protocol: string, env: NodeJS.ProcessEnv): readonly string[] {
  if (protocol === 'https:') return ['https_proxy', 'HTTPS_PROXY'];
  return env['REQUEST_METHOD'] === undefined ? ['http_proxy', 'HTTP_PROXY'] : ['http_proxy'];
}

function readProxy(text: string, variable: string): ProxyServer {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const refuse = (why: string) =>
    new UsageError(
      `The proxy in ${variable} ${why}.`,
      `Set it to http://host:port, unset it, or add the service's host to NO_PROXY.`,
    );
  if (!URL.canParse(full)) throw refuse('is not a URL');
  const url = new URL(full);
  const port = DEFAULT_PORTS[url.protocol];
  if (port === undefined)
    throw refuse(`is a ${url.protocol.slice(0, 20)} proxy; only http: and https: proxies are supported`);
  // The URL class drops a port that is the default of its protocol.
  if (url.port === '') url.port = /:(\d+)\/?$/.exec(full)?.[1] ?? port;
  const shown = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return { url, host: `${url.hostname}:${shown}`, variable };
}

/**
 * Whether `NO_PROXY` covers a host, as curl 7.86 and later read it: `*`, a name with all its subdomains (a leading dot
 * changes nothing), an address, or a range such as `10.0.0.0/8`. Unlike in curl, a port may follow, which must then match
 * the URL's.
 */
export function isExempt(url: URL, noProxy: string): boolean {
  const host = plainHost(url.hostname);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const { name, only } = partsOf(entry.toLowerCase());
      return (only === null || only === port) && names(name, host);
    });
}

/** A name without a trailing dot, an IPv6 address without its brackets. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function partsOf(entry: string): { readonly name: string; readonly only: string | null } {
  const [, bracketed, plain, only = null] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  // Without brackets, colons belong to an IPv6 address, not a port.
  return { name: plainHost(bracketed ?? plain ?? entry), only };
}

function names(entry: string, host: string): boolean {
  if (entry === '*') return true;
  const bytes = addressBytes(host);
  if (bytes !== null) return isInRange(entry, bytes);
  const name = entry.replace(/^\./, '');
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

function isInRange(entry: string, address: readonly number[]): boolean {
  const [start = '', size, ...rest] = entry.split('/');
  const range = addressBytes(start);
  if (range === null || range.length !== address.length || rest.length > 0) return false;
  const most = address.length * 8;
  if (size !== undefined && !/^\d{1,3}$/.test(size)) return false;
  const bits = size === undefined ? most : Number.parseInt(size, 10);
  if (bits > most) return false;
  return address.every((byte, index) => {
    const mask = (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))) & 0xff;
    return (byte & mask) === ((range[index] ?? 0) & mask);
  });
}

/** The four or sixteen bytes of an address; null for a name. */
function addressBytes(text: string): readonly number[] | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const bytes = text.split('.').map((part) => Number.parseInt(part, 10));
    return bytes.every((byte) => byte < 256) ? bytes : null;
  }
  // The URL class writes every form of an IPv6 address in one way, dotted endings too.
  if (!text.includes(':') || !URL.canParse(`http://[${text}]`)) return null;
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map((hex) => Number.parseInt(hex, 16));
  const [front, back] = [groups(head), groups(tail ?? '')];
  const zeros = new Array<number>(8 - front.length - back.length).fill(0);
  return [...front, ...zeros, ...back].flatMap((group) => [group >> 8, group & 0xff]);
}
