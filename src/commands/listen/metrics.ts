import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../../errors.ts';
import { systemCode } from '../../files.ts';
import type { Attempt, SwapEvent } from '../../ledger/events/event.ts';
import type { OpenCount } from '../../ledger/reads.ts';
import { isOwnHost } from '../../partner-api/loopback.ts';
import { statusMeaning } from '../../partner-api/statuses.ts';
import type { Listening } from './follow.ts';

/** Counts by a label. */
class Counter {
  readonly #counts = new Map<string, number>();

  add(label: string): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  samples(name: string): readonly Sample[] {
    return [...this.#counts].map(([label, value]) => ({ labels: { [name]: label }, value }));
  }
}

/**
 * Offers figures to Prometheus at `/metrics` of a port of this machine, 0 for a free one. Throws UsageError where that
 * port cannot be used.
 */
export async function startMetrics(port: number, read: () => Promise<readonly Metric[]>) {
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
      const words = `The metrics cannot be served on 127.0.0.1:${port}: ${reason}.`;
      reject(new UsageError(words, 'Choose another port; 0 picks a free one.'));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** Counters of a listening program, for its metrics. */
export class Figures {
  readonly #transitions = new Counter();
  readonly #requests = new Counter();
  readonly #deliveries = new Counter();

  onEvent({ type }: SwapEvent): void {
    this.#transitions.add(type);
  }

  /** The HTTP status of an answer, or `none` where none came. */
  onAnswer(code: string): void {
    this.#requests.add(code);
  }

  onSettled(attempts: readonly Attempt[]): void {
    this.#deliveries.add(attempts.every(({ error }) => error === null) ? 'delivered' : 'failed');
  }

  /** Everything as it is now, the ledger's share read from it; `budgetLeft` in requests. */
  async read({ context, ledger, owner }: Listening, budgetLeft: number): Promise<readonly Metric[]> {
    const now = context.now();
    const open = byStatus(await ledger.openByStatus(owner)).map(([status, { count, oldest }]) => ({
      labels: { status },
      ...{ count, seconds: Math.max(0, (now - oldest) / 1000) },
    }));
    const undelivered = await ledger.events.undelivered(owner.account);
    return [
      gaugeOf(
        'swapctl_open_swaps',
        'Open swaps, by status.',
        open.map(({ labels, count }) => ({ labels, value: count })),
      ),
      gaugeOf(
        'swapctl_oldest_open_swap_seconds',
        'Age of the oldest open swap in each status.',
        open.map(({ labels, seconds }) => ({ labels, value: seconds })),
      ),
      gaugeOf('swapctl_events_undelivered', 'Events waiting for delivery.', [
        { labels: {}, value: undelivered },
      ]),
      gaugeOf('swapctl_budget_left', 'Requests that the budget allows now.', [
        { labels: {}, value: budgetLeft },
      ]),
      counterOf(
        'swapctl_transitions_total',
        'Events that were recorded, by type.',
        this.#transitions.samples('type'),
      ),
      counterOf(
        'swapctl_requests_total',
        'Requests to the service, by response status.',
        this.#requests.samples('code'),
      ),
      counterOf(
        'swapctl_deliveries_total',
        'Attempts to deliver an event.',
        this.#deliveries.samples('outcome'),
      ),
    ];
  }
}

/** Several codes may stand for one status. */
function byStatus(counts: readonly OpenCount[]) {
  const found = new Map<string, { readonly count: number; readonly oldest: number }>();
  for (const { statusCode, count, oldest } of counts) {
    const status = statusCode === null ? 'unknown' : statusMeaning(statusCode).status;
    const before = found.get(status) ?? { count: 0, oldest };
    found.set(status, { count: before.count + count, oldest: Math.min(before.oldest, oldest) });
  }
  return [...found];
}

function gaugeOf(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'gauge', samples };
}

function counterOf(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples };
}

/** One figure with the labels that tell it from others of its name. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Figures of one name, as Prometheus reads them. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly samples: readonly Sample[];
}

/**
 * Figures in the text format of Prometheus, version 0.0.4:
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
