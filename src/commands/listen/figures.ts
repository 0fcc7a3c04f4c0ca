import type { Attempt, SwapEvent } from '../../ledger/events/event.ts';
import type { OpenCount } from '../../ledger/reads.ts';
import { statusMeaning } from '../../partner-api/statuses.ts';
import type { Listening } from './listening.ts';
import { Counter } from './metrics.ts';
import type { Metric } from './metrics-text.ts';

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
      gauge(
        'swapctl_open_swaps',
        'Open swaps by status.',
        open.map(({ labels, count }) => ({ labels, value: count })),
      ),
      gauge(
        'swapctl_oldest_open_swap_seconds',
        'Age of the oldest open swap of each status.',
        open.map(({ labels, seconds }) => ({ labels, value: seconds })),
      ),
      gauge('swapctl_events_undelivered', 'Events that wait for delivery.', [
        { labels: {}, value: undelivered },
      ]),
      gauge('swapctl_budget_left', 'Requests that the budget allows now.', [
        { labels: {}, value: budgetLeft },
      ]),
      counter(
        'swapctl_transitions_total',
        'Events that were recorded, by type.',
        this.#transitions.samples('type'),
      ),
      counter(
        'swapctl_requests_total',
        'Requests to the service, by status of the answer.',
        this.#requests.samples('code'),
      ),
      counter(
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

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'gauge', samples };
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples };
}
