import { parseDuration } from '../../../base/time.ts';

/** Number of requests allowed per duration. */
export class BudgetLimit {
  readonly requests: number;
  readonly durationMs: number;

  constructor(requests: number, durationMs: number) {
    this.requests = requests;
    this.durationMs = durationMs;
  }
}

/** Reads requests and the period in which they are counted, at least a second, such as `60/60s`; null for another text. */
export function parseBudget(text: string): BudgetLimit | null {
  const [, count, period = ''] = /^([1-9][0-9]{0,6})\/([^/]+)$/.exec(text) ?? [];
  const durationMs = parseDuration(period);
  if (count === undefined || durationMs === null || durationMs < 1000) return null;
  return new BudgetLimit(Number.parseInt(count, 10), durationMs);
}

/** The default for remote services: half of what the sandbox allows. */
export const DEFAULT_BUDGET = new BudgetLimit(60, 60_000);

/** The default for the built-in service, which runs inside the command and has no limit of its own. */
export const BUILT_IN_BUDGET = new BudgetLimit(60_000, 60_000);

/** What takes a token: a person's few orders, a list, or a program. Each leaves the others a share, so none waits. */
export type Taker = 'person' | 'list' | 'program';

/** Share of the budget that may be used immediately; the rest is spread over the period. */
export const BURST = 1 / 2;
/** Share of the budget, and of the service's own limit, that lists and programs leave to a person. */
export const KEPT_FOR_PERSONS = 1 / 10;
/** Share of the budget that persons and lists leave to `listen`, `batch` and `--watch` while one of them runs. */
const KEPT_FOR_PROGRAMS = 1 / 3;

/** How many of `all` requests in a window one kind of taker may send; a budget of one goes to the first taker. */
export function mostFor(taker: Taker, all: number): number {
  if (all === 1) return 1;
  const [persons, programs] = [Math.ceil(all * KEPT_FOR_PERSONS), Math.ceil(all * KEPT_FOR_PROGRAMS)];
  if (taker === 'list') return Math.max(1, all - persons - programs);
  return all - (taker === 'person' ? programs : persons);
}

/** Milliseconds from the first to the last of this many requests, sent by a program that alone uses the budget. */
export function programMs(requests: number, { requests: all, durationMs }: BudgetLimit): number {
  const [burst, most] = [Math.max(1, Math.floor(all * BURST)), mostFor('program', all)];
  if (requests <= burst) return 0;
  if (requests > most) return (requests * durationMs) / most;
  return ((requests - burst) * durationMs) / (most - burst + 1);
}
