import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../../errors.ts';
import { systemCode } from '../../files.ts';
import { isOwnHost } from '../../partner-api/loopback.ts';
import { type Metric, metricsText, type Sample } from './metrics-text.ts';

/** Counts by a label. */
export class Counter {
  readonly #counts = new Map<string, number>();

  add(label: string): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  samples(name: string): readonly Sample[] {
    return [...this.#counts].map(([label, value]) => ({ labels: { [name]: label }, value }));
  }
}

/** The metrics, offered on loopback. */
export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Offers figures to Prometheus at `/metrics` of a port of this machine, 0 for a free one. Throws UsageError where that
 * port cannot be used.
 */
export async function startMetrics(
  port: number,
  read: () => Promise<readonly Metric[]>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const found = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
    if (!found || !isOwnHost(request.headers.host)) return answer(response, 404, 'Not found.\n');
    read().then(
      (metrics) => answer(response, 200, metricsText(metrics)),
      () => answer(response, 500, 'The ledger could not be read.\n'),
    );
  });
  await listening(server, port);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}/metrics`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = systemCode(error);
      const reason = code === 'EADDRINUSE' ? 'the port is in use' : (code ?? error.message);
      const words = `The metrics cannot be offered on 127.0.0.1:${port}: ${reason}.`;
      reject(new UsageError(words, 'Name another port; 0 takes a free one.'));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}
