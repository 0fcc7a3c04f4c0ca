import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import { systemCode } from '../files.ts';
import type { ProxyServer } from './proxy.ts';
import { TransportError } from './transport-error.ts';

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

/**
 * Agents for one proxy, which has `timeout` milliseconds to open a connection. A failure to open one is a
 * {@link TransportError} of the kind `proxy`; a later failure is the service's.
 */
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
