import { createServer, type ServerResponse } from 'node:http';
import type { Owner } from '../../../core/ledger/entry.ts';
import type { Attempt, SwapEvent } from '../../../core/ledger/events/event.ts';
import type { Ledger } from '../../../core/ledger/ledger.ts';
import type { OpenCount } from '../../../core/ledger/reads.ts';
import { drain, isOwnHost, listenHere } from '../../../core/partner-api/loopback.ts';
import { statusMeaning } from '../../../core/partner-api/statuses.ts';
import { type HealthGroup, healthGroups, USUAL_PERIOD_MS } from '../../../core/swaps/health.ts';
import type { Listening } from './follow.ts';

class Counter {
  readonly #counts = new Map<string, number>();

  add(label: string): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  samples(name: string): readonly Sample[] {
    return [...this.#counts].map(([label, value]) => ({ labels: { [name]: label }, value }));
  }
}

/** Serves `/metrics` for Prometheus on a loopback port, 0 for a free one. Throws UsageError if it cannot be used. */
export async function startMetrics(port: number, read: () => Promise<readonly Metric[]>) {
  const server = createServer((request, response) => {
    const found = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
    if (!found || !isOwnHost(request.headers.host)) return answer(response, 404, 'Not found.\n');
    read().then(
      (metrics) => answer(response, 200, metricsText(metrics)),
      () => answer(response, 500, 'The ledger could not be read.\n'),
    );
  });
  const url = await listenHere(server, port, 'The metrics cannot be served');
  return { url: `${url}/metrics`, close: () => drain(server, 0) };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
}

/** Counters of a listening program, for its metrics. */
export class Figures {
  readonly #transitions = new Counter();
  readonly #requests = new Counter();
  readonly #deliveries = new Counter();
  #health: { readonly metrics: readonly Metric[]; readonly until: number } | null = null;

  onEvent({ type }: SwapEvent): void {
    this.#transitions.add(type);
  }

  /** The HTTP status of a response, or `none` without one. */
  onAnswer(code: string): void {
    this.#requests.add(code);
  }

  onSettled(attempts: readonly Attempt[]): void {
    this.#deliveries.add(attempts.every(({ error }) => error === null) ? 'delivered' : 'failed');
  }

  /** All current figures, including those read from the ledger; `budgetLeft` in requests. */
  async read({ context, ledger, owner }: Listening, budgetLeft: number): Promise<readonly Metric[]> {
    const now = context.now();
    const open = byStatus(await ledger.openByStatus(owner));
    const ofOpen = (figure: (open: { readonly count: number; readonly oldest: number }) => number) =>
      open.map(([status, each]) => ({ labels: { status }, value: figure(each) }));
    const undelivered = await ledger.events.undelivered(owner.account);
    if (this.#health === null || now >= this.#health.until)
      this.#health = { metrics: await healthMetrics(ledger, owner, now), until: now + HEALTH_KEPT_MS };
    return [
      ...this.#health.metrics,
      gauge(
        'open_swaps',
        'Open swaps, by status.',
        ofOpen(({ count }) => count),
      ),
      gauge(
        'oldest_open_swap_seconds',
        'Age of the oldest open swap in each status.',
        ofOpen(({ oldest }) => Math.max(0, (now - oldest) / 1000)),
      ),
      gauge('events_undelivered', 'Events waiting for delivery.', [{ labels: {}, value: undelivered }]),
      gauge('budget_left', 'Requests that the budget allows now.', [{ labels: {}, value: budgetLeft }]),
      counter('transitions', 'Events that were recorded, by type.', this.#transitions.samples('type')),
      counter('requests', 'Requests to the service, by response status.', this.#requests.samples('code')),
      counter('deliveries', 'Attempts to deliver an event.', this.#deliveries.samples('outcome')),
    ];
  }
}

/** Period whose swaps the health figures cover, as in `swapctl report health`, in milliseconds. */
const HEALTH_PERIOD_MS = 7 * 24 * 3_600_000;
/** They are read again after this time: 50,000 swaps take 0.6 s of processor time. */
const HEALTH_KEPT_MS = 60_000;

/** The figures of `swapctl report health`; the states of a pair add up to its swaps. */
async function healthMetrics({ health }: Ledger, owner: Owner, now: number): Promise<readonly Metric[]> {
  const { account, profile, environment } = owner;
  const since = now - HEALTH_PERIOD_MS;
  const swaps = health.swaps({ profile, environment, since: since - USUAL_PERIOD_MS, until: null });
  const groups = await healthGroups(swaps, 'pair', { since, now });
  const states = groups.flatMap(({ key: pair, count, paid, stuck, refunded, failed }) =>
    Object.entries({ paid, stuck, refunded, failed, open: count - paid - stuck - refunded - failed }).map(
      ([state, value]) => ({ labels: { pair, state }, value }),
    ),
  );
  const ofPairs = (figure: (group: HealthGroup) => number | null) =>
    groups.flatMap((group) => {
      const value = figure(group);
      return value === null ? [] : [{ labels: { pair: group.key }, value }];
    });
  const answers = await health.answers(account, 0);
  return [
    gauge('recent_swaps', 'Swaps created in the last 7 days, by pair and state.', states),
    gauge(
      'recent_doubtful_swaps',
      'Swaps created in the last 7 days that do not match what was agreed.',
      ofPairs(({ doubtful }) => doubtful),
    ),
    gauge(
      'recent_success_seconds',
      'Median time to success of swaps created in the last 7 days.',
      ofPairs(({ medianSeconds }) => medianSeconds),
    ),
    gauge(
      'usual_success_seconds',
      'Median time to success of swaps created in the 30 days before.',
      ofPairs(({ usualSeconds }) => usualSeconds),
    ),
    counter(
      'answers',
      'Responses of the service to all commands on this ledger, by endpoint.',
      answers.map(({ endpoint, answer, count }) => ({ labels: { endpoint, answer }, value: count })),
    ),
  ];
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

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name: `swapctl_${name}`, help, type: 'gauge', samples };
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name: `swapctl_${name}_total`, help, type: 'counter', samples };
}

/** One figure with the labels that distinguish it from others of its name. */
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

/** The text format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/ */
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
