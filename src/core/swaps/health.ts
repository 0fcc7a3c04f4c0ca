import { attempt, SwapctlError } from '../../base/errors.ts';
import type { AnswerCount } from '../ledger/answers.ts';
import type { HealthSwap } from '../ledger/health.ts';
import { percentilesInSeconds } from '../ledger/report/tally.ts';
import { listedStatuses } from '../partner-api/statuses.ts';
import { parseCoinRef } from '../swap/swap.ts';
import type { Ports } from './ports.ts';

export type HealthGrouping = 'pair' | 'network';

/** The swaps of a pair or a network. */
export type HealthGroup = ReturnType<typeof groupOf>;

export type EndpointHealth = ReturnType<typeof endpointHealth>[number];

/** A quote that was requested to test a service: how long it took, and its rate or the reason for none. */
export interface Probe {
  readonly pair: string;
  readonly milliseconds: number;
  readonly rate: string | null;
  /** Code of the error; null for a quote. */
  readonly error: string | null;
}

/** Length of the earlier period that a period is compared with, in milliseconds. */
export const USUAL_PERIOD_MS = 30 * 24 * 3_600_000;
const MIN_STUCK_MS = 3_600_000;
/** A swap is stuck after this many times the usual time. */
const STUCK_TIMES = 3;
const MAX_PROBES = 20;
const ENDS: ReadonlySet<string> = new Set(
  listedStatuses().flatMap(({ final, status }) => (final ? status : [])),
);

/** Groups swaps, which begin {@link USUAL_PERIOD_MS} before `since`; times are milliseconds since 1970. */
export async function healthGroups(
  swaps: AsyncIterable<HealthSwap>,
  by: HealthGrouping,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<readonly HealthGroup[]> {
  const groups = new Map<string, { readonly usual: number[]; readonly swaps: HealthSwap[] }>();
  for await (const swap of swaps)
    for (const key of keysOf(swap, by)) {
      const group = groups.get(key) ?? { usual: [], swaps: [] };
      groups.set(key, group);
      if (swap.requestedAt >= since) group.swaps.push(swap);
      else if (swap.status === 'success' && swap.durationMs !== null) group.usual.push(swap.durationMs);
    }
  return [...groups]
    .filter(([, group]) => group.swaps.length > 0)
    .map(([key, group]) => groupOf(key, group.swaps, percentilesInSeconds(group.usual).median, now))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

function keysOf({ deposit, receive }: HealthSwap, by: HealthGrouping): readonly string[] {
  if (deposit === null || receive === null) return ['other'];
  if (by === 'pair') return [`${deposit} ${receive}`];
  return [...new Set([deposit, receive].map((asset) => asset.slice(asset.indexOf(':') + 1)))];
}

function groupOf(key: string, swaps: readonly HealthSwap[], usualSeconds: number | null, now: number) {
  const stuckAfter = Math.max(MIN_STUCK_MS, STUCK_TIMES * 1000 * (usualSeconds ?? 0));
  const isStuck = ({ status, funded, requestedAt }: HealthSwap) =>
    funded && !ENDS.has(status) && now - requestedAt > stuckAfter;
  const number = (is: (swap: HealthSwap) => boolean) => swaps.filter(is).length;
  const paid = swaps.filter(({ status }) => status === 'success');
  return {
    key,
    /** Orders that were created. */
    count: swaps.length,
    paid: paid.length,
    /** Orders with a deposit that are open for much longer than usual. */
    stuck: number(isStuck),
    refunded: number(({ status }) => status === 'refund'),
    /** Orders that ended overdue or in error. */
    failed: number(({ status }) => status === 'overdue' || status === 'error'),
    doubtful: number(({ doubtful }) => doubtful),
    /** Median of the seconds from the creation to the payout; null if none was paid. */
    medianSeconds: percentilesInSeconds(paid.flatMap(({ durationMs }) => durationMs ?? [])).median,
    /** The same of the 30 days before. */
    usualSeconds,
  };
}

/** The answers of each endpoint, in alphabetical order. */
export function endpointHealth(answers: readonly AnswerCount[]) {
  const endpoints = [...new Set(answers.map(({ endpoint }) => endpoint))].sort();
  return endpoints.map((endpoint) => {
    const own = answers.filter((each) => each.endpoint === endpoint);
    const number = (kind: string) => own.find(({ answer }) => answer === kind)?.count ?? 0;
    return {
      endpoint,
      requests: own.reduce((sum, { count }) => sum + count, 0),
      /** Refused with 4xx, except for the rate limit. */
      refused: number('refused'),
      limited: number('limited'),
      failed: number('failed'),
      unanswered: number('unanswered'),
    };
  });
}

/** Requests a quote for each pair of swaps, the most recent first, for the amount last deposited. */
export async function probePairs(ports: Ports, swaps: AsyncIterable<HealthSwap>): Promise<readonly Probe[]> {
  const newest = new Map<string, HealthSwap>();
  for await (const swap of swaps) {
    const [pair = ''] = keysOf(swap, 'pair');
    const isNewer = swap.requestedAt > (newest.get(pair)?.requestedAt ?? Number.NEGATIVE_INFINITY);
    if (swap.amount !== null && isNewer) newest.set(pair, swap);
  }
  const pairs = [...newest].sort(([, a], [, b]) => b.requestedAt - a.requestedAt).slice(0, MAX_PROBES);
  const { client } = await ports.service();
  const probes: Probe[] = [];
  for (const [pair, { deposit, receive, amount }] of pairs) {
    const [from, to] = [parseCoinRef(deposit ?? ''), parseCoinRef(receive ?? '')];
    if (from === null || to === null || amount === null) continue;
    const started = ports.monotonic();
    const quote = await attempt(() =>
      client.quote({ from, to, amount, lastSource: 'deposit', type: 'float' }),
    );
    const milliseconds = Math.round(ports.monotonic() - started);
    const { rate, error } =
      quote instanceof SwapctlError ? { rate: null, error: quote.code } : { rate: quote.rate, error: null };
    probes.push({ pair, milliseconds, rate, error });
  }
  return probes;
}
