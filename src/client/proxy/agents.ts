import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import { systemCode } from '../../files.ts';
import { TransportError } from '../transport-error.ts';
import type { ProxyServer } from './proxy.ts';

type Callback = (error: Error | null, socket?: unknown) => void;
type Connect = (options: unknown, callback: Callback) => unknown;

/** Agents that reach everything through a proxy. */
export interface ProxyAgents {
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent };
  /** Gives up connections that the proxy has not opened yet, which would keep the program from ending. */
  hangUp(): void;
}

/**
 * Agents for one proxy, which has `timeout` milliseconds to open a connection. A failure to do so is a
 * {@link TransportError} of the kind `proxy`; a later one is the service's.
 */
export function proxyAgents(proxy: ProxyServer, keepAlive: boolean, timeout: number): ProxyAgents {
  const pending = new Set<AbortController>();
  let newest = new AbortController();
  // hpagent 1.2 copies these options for every connection, and so reads another signal each time.
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
        // Whoever hung up wants to hear nothing more.
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

/** The error for a failed connection. hpagent 1.2 has the status of a refused CONNECT in its message alone. */
function proxyFailure(error: Error, { host, variable }: ProxyServer): TransportError {
  const status = /^Bad response: (\d{3})$/.exec(error.message)?.[1];
  return new TransportError('proxy', false, systemCode(error), null, {
    host,
    variable,
    status: status === undefined ? null : Number.parseInt(status, 10),
  });
}
