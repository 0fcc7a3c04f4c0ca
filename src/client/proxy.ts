import { UsageError } from '../errors.ts';
import { isLoopback } from '../partner-api/loopback.ts';

/** A proxy to go through. Its URL may hold a password, so only `host` is ever shown. */
export interface ProxyServer {
  readonly url: URL;
  /** Host and port. */
  readonly host: string;
  /** The variable that names it. */
  readonly variable: string;
}

/** curl's port for a proxy that is given without one. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '1080', 'https:': '443' };

/**
 * The proxy through which a base URL is reached, from `https_proxy`, `http_proxy`, `no_proxy` and their capitals, as
 * curl reads them: small letters first, an empty value is none. `HTTP_PROXY` is not read where the program was started
 * by a web server, which puts a request's header there. A plain `http:` base URL is one of this machine and carries
 * the signature in the clear, so only a proxy of this machine may have it. Throws UsageError for a proxy that
 * cannot be used; no message holds its password.
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
      `The proxy of ${variable} ${why}.`,
      `Write it as http://host:port, unset it, or name the service's host in NO_PROXY.`,
    );
  if (!URL.canParse(full)) throw refuse('is not a URL');
  const url = new URL(full);
  const port = DEFAULT_PORTS[url.protocol];
  if (port === undefined)
    throw refuse(`is a ${url.protocol.slice(0, 20)} proxy, and only http: and https: ones are known`);
  // The URL class leaves out a port that is the usual one of its protocol, though it was written.
  if (url.port === '') url.port = /:(\d+)\/?$/.exec(full)?.[1] ?? port;
  const shown = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return { url, host: `${url.hostname}:${shown}`, variable };
}

/**
 * Whether `NO_PROXY` names a host, as curl 7.86 and later read it: `*`, a name with all names below it (a dot in
 * front changes nothing), an address, or a range such as `10.0.0.0/8`. Beyond curl a port may stand behind it, which
 * has to be the URL's then.
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

/** A name without the dot that may end it, an IPv6 address without its brackets. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function partsOf(entry: string): { readonly name: string; readonly only: string | null } {
  const [, bracketed, plain, only = null] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  // Without brackets, colons make an IPv6 address and not a port.
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
