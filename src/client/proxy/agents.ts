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
  /** Waits no longer for what the proxy has not opened yet, which would keep the program from ending. */
  hangUp(): void;
}

/**
 * Agents for one proxy, which has `timeout` milliseconds to open a way. What keeps it from that is a Failure of the
 * kind `proxy`; what happens later is the service's.
 */
export function proxyAgents(proxy: ProxyServer, keepAlive: boolean, timeout: number): ProxyAgents {
  const pending = new Set<AbortController>();
  let newest = new AbortController();
  // The package copies these options for every way that it asks for, and so takes another signal each time.
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

/** The package keeps the status of a refused CONNECT in its message alone, which shows nothing else. */
function proxyFailure(error: Error, { host, variable }: ProxyServer): TransportError {
  const status = /^Bad response: (\d{3})$/.exec(error.message)?.[1];
  return new TransportError('proxy', false, systemCode(error), null, {
    host,
    variable,
    status: status === undefined ? null : Number.parseInt(status, 10),
  });
}
