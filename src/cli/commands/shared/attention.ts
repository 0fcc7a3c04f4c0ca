import { restated, SwapctlError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { counted } from '../../../base/text.ts';
import { localTime, readTime, rfc3339, spanWords, wireTime } from '../../../base/time.ts';
import { type BudgetLimit, DEFAULT_BUDGET } from '../../../core/ledger/budget/limit.ts';
import type { Entry } from '../../../core/ledger/entry.ts';
import { lastObservedSwap } from '../../../core/ledger/swap-result.ts';
import { isDepositSeen, needOf } from '../../../core/swap/attention.ts';
import { usualNextStatus } from '../../../core/swap/polling.ts';
import { type FailedOrder, type Polled, pollOrders } from '../../../core/swaps/poll.ts';
import type { OrderToPoll, PolledSwap, PollOptions } from '../../../core/swaps/profile-poll.ts';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import {
  type AttentionResult,
  attentionView,
  attentionWords,
  unknownOutcomeText,
} from '../../views/attention.ts';
import { arranged, type Listing, listView } from '../../views/columns.ts';
import type { SwapDetailsExtras } from '../../views/swap.ts';
import { openOrders, ordersOfEntries, profileOrders } from './profile-orders.ts';

/** Swaps seen within this time are not polled again. */
const MAX_AGE_MS = 5 * 60_000;

/**
 * What needs attention, of the named orders or of the whole ledger. Swaps that can still change are polled unless that
 * was done recently; those without enough time, those that have ended, and unknown outcomes are taken from the ledger.
 */
export async function findAttention(
  context: Context,
  named: readonly string[],
  options: Pick<PollOptions, 'maxAgeMs' | 'budget'>,
) {
  const troubled = named.length > 0 ? [] : await troubledEntries(context);
  const known = troubled.map((entry) => knownResult(entry, context.now()));
  const changing = troubled.filter((_, index) => isChanging(known[index]));
  const orders =
    named.length > 0
      ? await profileOrders(context, named)
      : [
          ...(await openOrders(context)),
          ...(await ordersOfEntries(context, await askable(context, changing))),
        ];
  const polled = await pollSwaps(context, orders, named, { usualMaxAgeMs: MAX_AGE_MS, ...options });
  const seen = new Set(polled.swaps.map(({ id }) => id));
  const all = [
    ...known.filter((result) => result !== null).filter(({ id }) => !seen.has(id)),
    ...polled.swaps.map(needed).filter((result) => result !== null),
  ];
  const isNoted = ({ quietUntil }: Entry) => quietUntil !== null && quietUntil > context.now();
  const entries = [...troubled, ...orders.flatMap(({ entry }) => entry ?? [])];
  const noted = new Set(named.length > 0 ? [] : entries.filter(isNoted).map(({ id }) => id));
  const found = urgentFirst(all.filter(({ id }) => id === null || !noted.has(id)));
  const hidden = new Set(all.filter((result) => !found.includes(result)).map(({ id }) => id));
  const snoozed = [...new Map(entries.map((entry) => [entry.id, entry])).values()].filter(({ id }) =>
    hidden.has(id),
  );
  return { ...polled, found, wanted: orders.length, snoozed };
}

/**
 * Prints {@link findAttention}. Throws `attention` if anything needs it, and `timeout` if nothing is known to, but more
 * than a tenth of the swaps could not be polled in time.
 */
export async function runAttention(
  context: Context,
  named: readonly string[],
  { listing, ...options }: Pick<PollOptions, 'maxAgeMs' | 'budget'> & { readonly listing: Listing },
): Promise<void> {
  const attention = await findAttention(context, named, options);
  const { failures, startedAt, wanted, snoozed, swaps } = attention;
  const old = staleSummary(attention);
  const found = arranged(attention.found, listing);
  const [failed] = failures;
  if (found.length > 0 || failed === undefined)
    await context.streams.print(listView(found, listing, attentionView(found, startedAt, context.now())));
  if (found.length === 0 && failed === undefined)
    context.streams.note(
      old === null
        ? 'Nothing needs attention.'
        : `Nothing known needs attention; ${old.count} of ${counted(swaps.length, 'swap')} ${old.count === 1 ? 'was' : 'were'} last seen ${old.when}.`,
    );
  if (snoozed.length > 0) context.streams.note(snoozedWords(context, snoozed));
  if (found.length > 0 || failed !== undefined) noteOld(context, attention, options.budget);
  // Findings matter more than failed polls.
  for (const { order, error } of failures.slice(found.length > 0 ? 0 : 1))
    await context.streams.warn(`order ${order}: ${error.message}`);
  if (found.length > 0) throw personNeededError(found);
  if (failed !== undefined) throw wanted === 1 ? failed.error : namedFailure(failed);
  if (old !== null && old.count > swaps.length * MAX_OLD)
    throw new SwapctlError('timeout', `${counted(old.count, 'swap')} could not be polled in time.`, {
      outcome: 'done',
      retryable: true,
      hint: moreTime(context),
    });
}

/** Share of the swaps that may be old in a verdict that nothing needs attention. */
const MAX_OLD = 1 / 10;

/** Sorts as the board does, with the swaps that the service holds first, and unknown outcomes beside other trouble. */
function urgentFirst(results: readonly AttentionResult[]): readonly AttentionResult[] {
  const rankOf = (result: AttentionResult) => {
    if (result.status === 'frozen' || result.status === 'pause') return 0;
    // A new swap without trouble is one whose window ends soon.
    return result.status === 'new' && needOf(result) === null ? 2 : 1;
  };
  return [...results].sort((a, b) => rankOf(a) - rankOf(b) || endOf(a) - endOf(b));
}

function endOf({ expiresAt }: AttentionResult): number {
  return wireTime(expiresAt) ?? 0;
}

/** Number of snoozed swaps that are named. */
const MAX_NAMED = 5;

/** Which swaps notes leave out, and until when: `1 swap is snoozed by a note until 14:05: KQWZPA (CASE-4711).` */
function snoozedWords({ streams }: Context, snoozed: readonly Entry[]): string {
  const timeOf = ({ quietUntil }: Entry) => {
    const until = rfc3339(quietUntil ?? 0);
    return streams.format === 'screen' ? localTime(until) : until;
  };
  const nameOf = ({ id, order, ticket }: Entry) => `${order ?? id}${ticket === null ? '' : ` (${ticket})`}`;
  const [first] = snoozed;
  if (first !== undefined && snoozed.length === 1)
    return `1 swap is snoozed by a note until ${timeOf(first)}: ${nameOf(first)}.`;
  const named = snoozed.slice(0, MAX_NAMED).map((entry) => `${nameOf(entry)} until ${timeOf(entry)}`);
  const more = snoozed.length - named.length;
  return `${snoozed.length} swaps are snoozed by notes: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Unknown outcomes and bad ends of the named profile, or of all. */
async function troubledEntries(context: Context): Promise<readonly Entry[]> {
  const only = context.onlyProfile;
  const entries = await (await context.ledger()).troubled();
  return only === null ? entries : entries.filter(({ profile }) => profile === only);
}

/** An entry that needs attention, as the ledger has it; null for one that needs none. */
function knownResult(entry: Entry, now: number): AttentionResult | null {
  const { id, outcome } = entry;
  const swap = lastObservedSwap(entry, now, Number.NEGATIVE_INFINITY);
  return outcome === 'unknown'
    ? { ...swap, id, attention: unknownOutcomeText(id) }
    : needed({ swap, id, now });
}

/** Whether a bad end may still change: a late deposit may be accepted, a failed swap refunded. */
function isChanging(result: AttentionResult | null | undefined): boolean {
  return result?.order !== null && (result?.status === 'overdue' || result?.status === 'error');
}

/** Entries of the profile in use, if only that one was named. */
async function askable(context: Context, entries: readonly Entry[]): Promise<readonly Entry[]> {
  if (context.onlyProfile === null || entries.length === 0) return entries;
  const { account } = await context.owner();
  return entries.filter((entry) => entry.account === account);
}

/** A swap that needs attention; null for one that needs none. */
function needed({ swap, id, now }: Omit<PolledSwap, 'isOld'>): AttentionResult | null {
  const attention = attentionWords(swap, now);
  return attention === null ? null : { ...swap, id, attention };
}

function personNeededError(found: readonly AttentionResult[]): SwapctlError {
  const count = found.length === 1 ? '1 swap needs attention.' : `${found.length} swaps need attention.`;
  return new SwapctlError('attention', count, {
    outcome: 'done',
    hint: 'See the action listed with each. `swapctl history support <order>` prints a ticket for the service.',
    details: { orders: found.map(({ order }) => order), ids: found.map(({ id }) => id) },
  });
}

/** What was polled, and since when; anything seen earlier comes from the ledger. */
export interface PolledSince extends Polled {
  readonly startedAt: number;
}

/** Time for all polls of a run unless `--timeout` says otherwise. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Number of named orders for which a person need not wait: their share of the budget suffices. */
const FEW = 5;

/** Polls orders, some of them named, within `--timeout`, with their number as progress; see {@link pollOrders}. */
export async function pollSwaps(
  context: Context,
  orders: readonly OrderToPoll[],
  { length: names }: readonly string[],
  given: Omit<PollOptions, 'named' | 'isFew'>,
): Promise<PolledSince> {
  const isFew = names > 0 && names <= FEW;
  const usualMaxAgeMs = isFew ? 0 : given.usualMaxAgeMs;
  const options = { ...given, named: names > 0, isFew, usualMaxAgeMs };
  const startedAt = context.now();
  const deadline =
    context.flags.timeout === undefined ? context.monotonic() + DEFAULT_TIMEOUT_MS : context.deadline();
  return withProgress(context.streams, 'Polling', async (change) => {
    let polled = 0;
    const onPoll = () => change?.(`Polled ${++polled} of ${orders.length}`);
    const onWait = () => change?.(`Polled ${polled} of ${orders.length}, waiting for the request budget`);
    const found = await pollOrders(orders, { ...options, startedAt, deadline, onPoll, onWait });
    return { ...found, startedAt };
  });
}

/** Notes how many swaps are shown as last seen, why, and what helps. */
export function noteOld(
  context: Context,
  { swaps, failures, startedAt }: PolledSince,
  budget: BudgetLimit | null,
): void {
  const { streams } = context;
  // The built-in service always leaves time.
  const { requests, durationMs } = budget ?? DEFAULT_BUDGET;
  const old = staleSummary({ swaps, startedAt });
  if (old === null) return;
  const all = swaps.length === 1 ? 'The swap is' : `${old.count} of ${swaps.length} swaps are`;
  const what = `${all} shown as last polled, ${old.when}`;
  // A failure already gives the reason.
  if (failures.length > 0) streams.note(`${what}.`);
  else
    streams.note(
      `${what}: the request budget (${requests} per ${durationMs / 1000} s) and the service's limit left no time to poll ${old.count === 1 ? 'it' : 'them'}. ${moreTime(context)}`,
    );
}

/** How many swaps are shown as last seen before the maximum age, and when that was, in words; null if none is. */
function staleSummary({ swaps, startedAt }: Pick<PolledSince, 'swaps' | 'startedAt'>) {
  const times = swaps.flatMap(({ isOld, swap }) => (isOld ? [readTime(swap.seenAt) ?? startedAt] : []));
  if (times.length === 0) return null;
  const isAhead = Math.max(...times) > startedAt;
  const when = isAhead
    ? 'by a clock that was ahead'
    : `up to ${spanWords(startedAt - Math.min(...times))} ago`;
  return { count: times.length, when };
}

/** How more swaps can be polled, as a sentence. */
function moreTime({ flags }: Context): string {
  const advice =
    flags.timeout === undefined
      ? `Set a --timeout longer than ${DEFAULT_TIMEOUT_MS / 1000}s`
      : 'Use a longer --timeout';
  return `${advice}, raise the budget with --budget, or keep the ledger current with swapctl listen.`;
}

/** The error of one order among several: its message and details name the order. */
export function namedFailure({ order, error }: FailedOrder): SwapctlError {
  const details: Readonly<Record<string, unknown>> = { ...error.details, order };
  const whose = typeof details['profile'] === 'string' ? ` of profile ${details['profile']}` : '';
  const isNamed = whose === '' && error.message.startsWith(`Order ${order} `);
  return restated(error, isNamed ? error.message : `Order ${order}${whose}: ${error.message}`, { details });
}

/** What usually happens next to a swap, based on the ledger's times, and what a person has to do. */
export async function whatNext(
  context: Context,
  { swap, id, now }: Pick<PolledSwap, 'swap' | 'id' | 'now'>,
): Promise<Required<Pick<SwapDetailsExtras, 'next' | 'action'>>> {
  const action = attentionWords(swap, now);
  if (swap.final || id === null) return { next: null, action };
  const ledger = await context.ledger();
  const entry = await ledger.byId(id);
  if (entry === null || entry.changedAt === null) return { next: null, action };
  const times = await ledger.statusTimes(entry, swap.status, context.now());
  const age = context.now() - entry.changedAt;
  const isLate = isDepositSeen(swap) && times !== null && age > times.p90;
  const late = isLate ? `Slow for its pair: swapctl history support ${shellQuote(swap.order ?? '')}` : null;
  return { next: usualNextStatus(times, age), action: action ?? late };
}
