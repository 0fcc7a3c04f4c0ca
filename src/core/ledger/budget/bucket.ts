import type { RateAnswer } from '../../swap/rate-limit.ts';
import { BURST, type BudgetLimit, KEPT_FOR_PERSONS, mostFor, type Taker } from './limit.ts';

/**
 * A token bucket whose tokens return one whole duration after they were taken, so that no window of that duration has
 * more requests than the budget. Times are milliseconds since 1970.
 */
export interface BucketState {
  /** When tokens were taken, how many, and how many of these were for people and for lists; oldest first. */
  readonly taken: readonly (readonly [at: number, tokens: number, byPerson: number, byList: number])[];
  /** Milliseconds for which taken tokens are remembered: the longest duration of any process. */
  readonly keepMs: number;
  /** Share of the budget that may be used, above 0 and up to 1; halved by a 429 without further details. */
  readonly pace: number;
  readonly pacedAt: number;
  /** Highest pace to recover to, and until when: a higher one met a 429. */
  readonly ceiling: { readonly pace: number; readonly until: number } | null;
  /** Nothing is sent before this time. */
  readonly blockedUntil: number;
  /** The service's own window, if it reports one. */
  readonly service: { readonly limit: number; readonly left: number; readonly until: number } | null;
  /** When a program last began to wait for a token: lists leave programs their share from then on. */
  readonly programWaitedAt: number | null;
  /** When the state was last changed. */
  readonly at: number;
}

/** A bucket from which nothing was taken yet. */
export function newBucket(now: number): BucketState {
  const nothing = { taken: [], keepMs: 0, service: null, ceiling: null };
  return { ...nothing, pace: 1, pacedAt: now, blockedUntil: 0, programWaitedAt: null, at: now };
}

/** Which limit a wait is for: swapctl's budget or the service's limit. */
export type WaitsFor = 'budget' | 'service';

/** Takes a token if there is one; otherwise `waitMs` is the time until the next try, in milliseconds. */
export function take(state: BucketState, limit: BudgetLimit, now: number, taker: Taker = 'program') {
  const current = settled(state, limit, now);
  const own = ownWait(current, limit, now, taker);
  const services = Math.max(0, current.blockedUntil - now, serviceWait(current, now, taker));
  const waitMs = Math.ceil(Math.max(own, services));
  const waitsFor: WaitsFor = services > own ? 'service' : 'budget';
  if (waitMs > 0) {
    // The same object is not written to the ledger again; one from before the clock was set back is, or no wait would end.
    const kept = isSetBack(state, now) ? current : state;
    if (taker !== 'program' || arePrograms(current, limit, now)) return { state: kept, waitMs, waitsFor };
    return { state: { ...current, programWaitedAt: now }, waitMs, waitsFor };
  }
  const { service } = current;
  return {
    state: {
      ...current,
      taken: withToken(current.taken, limit, now, taker),
      service: service === null ? null : { ...service, left: service.left - 1 },
    },
    waitMs: 0,
    waitsFor,
  };
}

/** Applies what a response says about the service's limit. */
export function observe(state: BucketState, limit: BudgetLimit, answer: RateAnswer, now: number) {
  const current = settled(state, limit, now);
  const observed = { ...current, service: serviceWindow(current.service, answer, now) };
  if (answer.status !== 429) return observed;
  const asked = answer.retryAfterMs ?? answer.resetMs ?? 0;
  // Responses to requests sent before the first 429 add no information.
  const learned = observed.blockedUntil > now ? observed : slowed(observed, limit, asked > 0, now);
  // Without a time, that from one request to the next at the current pace.
  const pause = asked > 0 ? Math.min(asked, MAX_BLOCK_MS) : limit.durationMs / allowed(learned.pace, limit);
  return { ...learned, blockedUntil: Math.max(learned.blockedUntil, now + pause) };
}

/** The bucket after a 429: half the pace or, if the service says when to continue, the pace that worked so far. */
function slowed(state: BucketState, limit: BudgetLimit, isStated: boolean, now: number): BucketState {
  if (isStated && state.service !== null) return state;
  const used = usedSince(state.taken, now - limit.durationMs);
  // If most of the requests were sent by others, our own count says nothing about the service's limit.
  const isOurs = used >= allowed(state.pace, limit) * BURST;
  if (isStated && !isOurs) return state;
  const went = Math.max(1, used - 1) / limit.requests;
  const pace = isStated ? Math.min(state.pace, went) : Math.max(MIN_PACE, state.pace / 2);
  const ceiling = { pace: Math.max(pace, Math.min(state.pace, went)), until: now + CEILING_MS };
  return { ...state, pace, pacedAt: now, ceiling: isOurs ? ceiling : state.ceiling };
}

/** Tokens of the whole budget that are left now, for all takers together. */
export function tokensLeft(state: BucketState, limit: BudgetLimit, now: number): number {
  const { taken, pace } = settled(state, limit, now);
  return Math.max(0, allowed(pace, limit) - usedSince(taken, now - limit.durationMs));
}

/** Longest pause that a service may ask for. */
const MAX_BLOCK_MS = 60 * 60_000;
const MIN_PACE = 1 / 64;
/** Gain of the pace, as a share of the whole budget, in each step of RECOVERY_STEP_MS without a 429. */
const RECOVERY = 1 / 20;
const RECOVERY_STEP_MS = 5 * 60_000;
/** Time for which a pace that was too fast is not tried again. */
const CEILING_MS = 60 * 60_000;
/** Tokens taken within this share of the duration are remembered together, as if all were taken at the end. */
const RESOLUTION = 1 / 250;
/** Whether the clock was set back since the last change; clocks of other machines differ by less. */
const isSetBack = ({ at }: BucketState, now: number): boolean => at - now > 60_000;

function allowed(pace: number, { requests }: BudgetLimit): number {
  return Math.max(1, Math.floor(requests * pace));
}

/** Whether a program took a token in the last window, or waited for one. */
function arePrograms({ taken, programWaitedAt }: BucketState, { durationMs }: BudgetLimit, now: number) {
  const start = now - durationMs;
  if (programWaitedAt !== null && programWaitedAt > start) return true;
  return since(taken, start).some(([, tokens, byPerson, byList]) => tokens > byPerson + byList);
}

/**
 * Tokens of a window left to one taker: of its own share, of what it shares with another one, and in total. A list has the
 * share of the programs too while there are none; what it took of that is not taken from persons.
 */
function leftFor(taker: Taker, all: number, window: BucketState['taken'], withPrograms: boolean): number {
  let [used, person, list] = [0, 0, 0];
  for (const [, tokens, byPerson, byList] of window) {
    used += tokens;
    person += byPerson;
    list += byList;
  }
  const ofLists = mostFor('list', all);
  const byHand = mostFor('person', all) - person - Math.min(list, ofLists);
  if (taker === 'person') return Math.min(all - used, byHand);
  const unattended = Math.min(all - used, mostFor('program', all) - (used - person));
  return taker === 'program' || !withPrograms ? unattended : Math.min(unattended, byHand, ofLists - list);
}

/** The current state: old tokens have returned, the pace has recovered, and a window that is over is forgotten. */
function settled(stored: BucketState, limit: BudgetLimit, now: number): BucketState {
  const state = isSetBack(stored, now) ? shifted(stored, stored.at - now) : stored;
  const { taken, pace, pacedAt, service, ceiling } = state;
  const keepMs = taken.length === 0 ? limit.durationMs : Math.max(state.keepMs, limit.durationMs);
  const steps = Math.max(0, Math.floor((now - pacedAt) / RECOVERY_STEP_MS));
  const most = ceiling === null || ceiling.until <= now ? 1 : ceiling.pace;
  return {
    taken: since(taken, now - keepMs),
    keepMs,
    blockedUntil: state.blockedUntil,
    programWaitedAt: state.programWaitedAt,
    at: now,
    pace: Math.max(pace, Math.min(most, pace + steps * RECOVERY)),
    pacedAt: pacedAt + steps * RECOVERY_STEP_MS,
    ceiling: most === 1 ? null : ceiling,
    service: service === null || service.until <= now ? null : service,
  };
}

/** The state with all its times moved back, after the clock was set back: nothing may count as used for longer. */
function shifted(state: BucketState, by: number): BucketState {
  const { taken, pacedAt, blockedUntil, service, ceiling } = state;
  return {
    ...state,
    taken: taken.map(([when, ...tokens]) => [when - by, ...tokens] as const),
    pacedAt: pacedAt - by,
    blockedUntil: blockedUntil - by,
    programWaitedAt: state.programWaitedAt === null ? null : state.programWaitedAt - by,
    service: service === null ? null : { ...service, until: service.until - by },
    ceiling: ceiling === null ? null : { ...ceiling, until: ceiling.until - by },
  };
}

function since(taken: BucketState['taken'], start: number): BucketState['taken'] {
  const kept = taken.findIndex(([when]) => when > start);
  return kept < 0 ? [] : taken.slice(kept);
}

function usedSince(taken: BucketState['taken'], start: number): number {
  return since(taken, start).reduce((sum, [, tokens]) => sum + tokens, 0);
}

/**
 * Wait for the next token. Persons and lists do not wait while there are any; for programs those left after the burst are
 * spread until the first of the window come back, and never closer than the budget divided by its duration.
 */
function ownWait(state: BucketState, limit: BudgetLimit, now: number, taker: Taker): number {
  const most = allowed(state.pace, limit);
  const window = since(state.taken, now - limit.durationMs);
  const withPrograms = arePrograms(state, limit, now);
  const left = leftFor(taker, most, window, withPrograms);
  const [oldest] = window;
  if (oldest === undefined) return 0;
  if (left > 0 && (taker !== 'program' || mayBurst(window, limit, most, now - oldest[0]))) return 0;
  if (left > 0)
    return Math.max(
      spread(oldest[0] + limit.durationMs, left, window, now),
      evenWait(window, limit, most, now),
    );
  for (const [index, [when]] of window.entries())
    if (leftFor(taker, most, window.slice(index + 1), withPrograms) > 0) return when + limit.durationMs - now;
  return limit.durationMs;
}

/**
 * Whether a program may send one more request without a pause: half of the budget when it begins, and less the longer it
 * goes on, for tokens of a burst come back together; a program that sends few catches up.
 */
function mayBurst(window: BucketState['taken'], { durationMs }: BudgetLimit, most: number, ageMs: number) {
  const age = ageMs / durationMs;
  const burst = most * BURST;
  const steady = mostFor('program', most) - burst;
  return usedSince(window, Number.NEGATIVE_INFINITY) + 1 <= Math.max(burst * (1 - age), steady * age);
}

/** Wait at an even pace: tokens of a burst come back together, and would else be taken together again. */
function evenWait(window: BucketState['taken'], { durationMs }: BudgetLimit, most: number, now: number) {
  const last = window.findLast(([, tokens, byPerson, byList]) => tokens > byPerson + byList)?.[0];
  return last === undefined ? 0 : last + durationMs / mostFor('program', most) - now;
}

function serviceWait({ taken, service }: BucketState, now: number, taker: Taker): number {
  if (service === null) return 0;
  const kept = taker === 'person' ? 0 : Math.floor(service.limit * KEPT_FOR_PERSONS);
  const left = service.left - kept;
  if (left <= 0) return service.until - now;
  return taker !== 'program' || left > service.limit * BURST ? 0 : spread(service.until, left, taken, now);
}

/** Wait since the last token so that `left` more go at equal distances until a time. */
function spread(until: number, left: number, taken: BucketState['taken'], now: number): number {
  const newest = taken.at(-1);
  if (newest === undefined) return 0;
  const last = Math.min(newest[0], now);
  return Math.max(0, last + (until - last) / (left + 1) - now);
}

function withToken(taken: BucketState['taken'], { durationMs }: BudgetLimit, now: number, taker: Taker) {
  const slot = (when: number) => Math.floor(when / (durationMs * RESOLUTION));
  const last = taken.at(-1);
  const isNew = last === undefined || slot(last[0]) !== slot(now);
  const [, tokens, byPerson, byList] = isNew ? [now, 0, 0, 0] : last;
  const one = (kind: Taker) => (taker === kind ? 1 : 0);
  const more = [now, tokens + 1, byPerson + one('person'), byList + one('list')] as const;
  return [...(isNew ? taken : taken.slice(0, -1)), more];
}

/** Window ends that differ by less are the same, because services report whole seconds. */
const SAME_WINDOW_MS = 2_000;

function serviceWindow(
  before: BucketState['service'],
  { limit, remaining, resetMs }: RateAnswer,
  now: number,
): BucketState['service'] {
  if (remaining === null || resetMs === null || resetMs <= 0) return before;
  const until = now + Math.min(resetMs, MAX_BLOCK_MS);
  const window = { limit: limit ?? remaining, left: remaining, until };
  if (before === null || Math.abs(until - before.until) > SAME_WINDOW_MS) return window;
  // The service's number does not include requests sent since it counted.
  return {
    limit: Math.max(before.limit, window.limit),
    left: Math.min(before.left, remaining),
    until: Math.max(until, before.until),
  };
}
