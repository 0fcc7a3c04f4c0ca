import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import { UsageError } from '../../base/errors.ts';
import { systemCode } from '../../base/files.ts';
import { isLoopback } from '../partner-api/loopback.ts';
import { TransportError } from './transport-error.ts';

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
  return { url, host: `${url.hostname}:${portOf(url)}`, variable };
}

/**
 * Whether `NO_PROXY` covers a host, as curl 7.86 and later read it: `*`, a name with all its subdomains (a leading dot
 * changes nothing), an address, or a range such as `10.0.0.0/8`. Unlike in curl, a port may follow, which must then match
 * the URL's.
 */
export function isExempt(url: URL, noProxy: string): boolean {
  const host = plainHost(url.hostname);
  const port = portOf(url);
  const entries = noProxy.split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => {
    const { name, only } = partsOf(entry.toLowerCase());
    return (only === null || only === port) && names(name, host);
  });
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/** A name without a trailing dot, an IPv6 address without its brackets. */
function plainHost(host: string): string {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return bare.replace(/\.$/, '');
}

function partsOf(entry: string): { readonly name: string; readonly only: string | null } {
  const [, bracketed, plain, only = null] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  // Without brackets, colons belong to an IPv6 address, not a port.
  return { name: plainHost(bracketed ?? plain ?? entry), only };
}

function names(entry: string, host: string): boolean {
  if (entry === '*') return true;
  if (isIP(host) !== 0) return isInRange(entry, host);
  const name = entry.replace(/^\./, '');
  return host === name || host.endsWith(`.${name}`);
}

/** Whether an address is the one of an entry, or in its range, such as `10.0.0.0/8`. */
function isInRange(entry: string, host: string): boolean {
  const [, start = '', size] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  if (isIP(start) !== isIP(host)) return false;
  const [type, most] = isIP(host) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const bits = size === undefined ? most : Number.parseInt(size, 10);
  if (bits > most) return false;
  const range = new BlockList();
  range.addSubnet(start, bits, type);
  return range.check(host, type);
}

type Callback = (error: Error | null, socket?: unknown) => void;
type Connect = (options: unknown, callback: Callback) => unknown;

/** Agents that make the connections of requests, direct or through a proxy. */
export interface Agents {
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent };
  /** Aborts connections that the proxy has not opened yet, which would keep the process alive. */
  hangUp(): void;
}

/** Agents whose connections are used for one request only, so that no request fails on a stale connection. */
export function singleUseAgents(proxy: ProxyServer | null, timeout: number): Agents {
  if (proxy !== null) return proxyAgents(proxy, false, timeout);
  const agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) };
  return { agents, hangUp: () => undefined };
}

/** Agents for one proxy, which has `timeout` milliseconds to connect; else {@link TransportError} of kind `proxy`. */
export function proxyAgents(proxy: ProxyServer, keepAlive: boolean, timeout: number): Agents {
  const pending = new Set<AbortController>();
  let newest = new AbortController();
  // hpagent 1.2 copies these options for every connection, so each one reads its own signal.
  const proxyRequestOptions: object = {
    get signal() {
      return newest.signal;
    },
  };
  const watched = <T extends HttpAgent>(agent: T): T => {
    const connector = agent as unknown as { createConnection: Connect };
    const connect = connector.createConnection.bind(agent);
    connector.createConnection = (options, callback) => {
      const own = new AbortController();
      newest = own;
      pending.add(own);
      connect(options, (error, socket) => {
        // After hangUp the callback is not called.
        if (pending.delete(own)) callback(error === null ? null : proxyFailure(error, proxy), socket);
      });
    };
    return agent;
  };
  const options = { proxy: proxy.url, keepAlive, timeout, proxyRequestOptions };
  return {
    agents: { http: watched(new HttpProxyAgent(options)), https: watched(new HttpsProxyAgent(options)) },
    hangUp: () => {
      const left = [...pending];
      pending.clear();
      for (const each of left) each.abort();
    },
  };
}

/** The error for a failed connection. hpagent 1.2 gives the status of a refused CONNECT only in its message. */
function proxyFailure(error: Error, { host, variable }: ProxyServer): TransportError {
  const status = /^Bad response: (\d{3})$/.exec(error.message)?.[1];
  const refused = status === undefined ? null : Number.parseInt(status, 10);
  return new TransportError('proxy', false, systemCode(error), null, { host, variable, status: refused });
}
