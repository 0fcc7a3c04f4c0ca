import { UsageError } from '../../errors.ts';
import { isExempt } from './no-proxy.ts';

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

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
