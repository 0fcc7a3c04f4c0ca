import type { SwapctlError } from '../../../base/errors.ts';
import { rfc3339 } from '../../../base/time.ts';
import type { Entry, Owner } from '../../../core/ledger/entry.ts';
import { type RecordedEvent, type SwapEvent, storedEvent } from '../../../core/ledger/events/event.ts';
import type { Events } from '../../../core/ledger/events/events.ts';
import type { Ledger } from '../../../core/ledger/ledger.ts';
import { recordedSwap } from '../../../core/ledger/swap-result.ts';
import { MAX_AGE_MS } from '../../../core/swaps/follow/profile.ts';
import { isWantedType, openUpkeep } from '../../../core/swaps/listen/deliver.ts';
import { allEnded, pauseFor, repeatUntilStopped, Waker } from '../../../core/swaps/listen/loops.ts';
import { recordedOrders } from '../../../core/swaps/lookup.ts';
import { namedOrder } from '../../../core/swaps/named-swap.ts';
import { sharedBudget } from '../../../core/swaps/request-budget.ts';
import { announce, type Context } from '../../context.ts';
import { untilInterrupted } from '../../terminal/progress.ts';
import { textView } from '../../terminal/streams.ts';
import { storedSetting } from '../shared/stored-setting.ts';
import { exitStatusError } from '../shared/watch.ts';
import { type Delivery, openDelivery } from './delivery.ts';
import { eventLineView, type SnapshotEvent } from './events-view.ts';
import { follow, type Listening, type ListenOptions, loopContext, type PollListener } from './follow.ts';
import { Figures, startMetrics } from './metrics.ts';

/** Follows the swaps, prints their events and delivers them; or prints the secret that webhooks are signed with. */
export async function runListen(context: Context, options: ListenOptions): Promise<void> {
  if (options.printSecret) return printSecret(context);
  const words = 'Stopped. The swaps continue without swapctl.';
  await untilInterrupted(context, words, () => listen(context, options));
}

async function printSecret(context: Context): Promise<void> {
  const { profile, account } = await context.owner();
  const secret = await (await context.ledger()).events.webhooks.secret(account);
  await context.streams.print(textView({ profile, secret }, secret));
}

async function listen(context: Context, options: ListenOptions): Promise<void> {
  const service = await context.service();
  const ledger = await context.ledger();
  const owner = await context.owner();
  const end = new AbortController();
  const stop = AbortSignal.any([context.signal, end.signal]);
  announce(context, service);
  const tools = { context, service, ledger, owner };
  const orders = options.orders.length === 0 ? null : await wantedOrders(context, options.orders);
  const listening: Listening = { ...tools, options, orders, stop };
  const figures = new Figures();
  const parts = {
    deliver: await openDelivery(listening, (attempts) => figures.onSettled(attempts)),
    print: await openPrinter(listening, (event) => figures.onEvent(event)),
    upkeep: openUpkeep(context, ledger.events, {
      account: owner.account,
      keptMs: storedSetting(context, 'events-kept'),
    }),
    onAnswer: (code: string) => figures.onAnswer(code),
  };
  for (const snapshot of await snapshots(context, ledger, owner, orders)) await printEvent(context, snapshot);
  if (options.once) return lookOnce(listening, parts);
  const budget = await sharedBudget(context, options.budget, () => undefined);
  const metrics =
    options.metricsPort === null
      ? null
      : await startMetrics(options.metricsPort, async () => figures.read(listening, await budget.left()));
  if (metrics !== null) context.streams.note(`metrics at ${metrics.url}`, true);
  try {
    await runParts(listening, parts, () => end.abort());
  } finally {
    await metrics?.close();
  }
}

/** The orders that texts identify, all recorded in the ledger. */
async function wantedOrders(context: Context, texts: readonly string[]): Promise<readonly string[]> {
  const orders: string[] = [];
  for (const text of texts) orders.push((await namedOrder(context, text, { whose: 'own' })).order);
  return recordedOrders(context, orders);
}

interface Parts {
  /** Null without a target. */
  readonly deliver: Delivery | null;
  print(): Promise<void>;
  /** Records creates that were never settled, and removes old events, when it is time to. */
  upkeep(): Promise<void>;
  readonly onAnswer: PollListener['onAnswer'];
}

/** Polls each swap once, prints and delivers the events, and throws the error of a poll that failed. */
async function lookOnce(listening: Listening, { deliver, print, upkeep, onAnswer }: Parts): Promise<void> {
  const { context } = listening;
  const { missed } = await follow(listening, { onPoll: () => undefined, onAnswer });
  await upkeep();
  await print();
  await deliver?.deliver(new Waker());
  context.signal.throwIfAborted();
  if (missed !== null) throw missed;
}

/** Follows the swaps, and prints and delivers their events, until none is left or the program is interrupted. */
async function runParts(
  listening: Listening,
  { deliver, print, upkeep, onAnswer }: Parts,
  end: () => void,
): Promise<void> {
  const { context, stop } = listening;
  const loop = loopContext(listening);
  const wakers = { follow: new Waker(), print: new Waker(), deliver: new Waker() };
  const wakeAll = () => {
    for (const waker of Object.values(wakers)) waker.wake();
  };
  stop.addEventListener('abort', wakeAll, { once: true });
  let late: SwapctlError | null = null;
  const followed = follow(listening, { onPoll: wakeAll, onAnswer }).then(({ open }) => {
    late = exitStatusError(open, false, true);
    if (late !== null || deliver === null) return;
    // Every named order has ended, but some of their events may not be delivered yet.
    return repeatUntilStopped(loop, wakers.follow, async () => {
      if (await deliver.hasWaiting()) await pauseFor(loop, wakers.follow);
      else end();
    });
  });
  const printed = repeatUntilStopped(loop, wakers.print, async () => {
    await upkeep();
    await print();
    await pauseFor(loop, wakers.print);
  });
  const delivered = repeatUntilStopped(loop, wakers.deliver, async () => {
    await deliver?.deliver(wakers.deliver);
    await (deliver === null ? pauseFor(loop, wakers.deliver) : deliver.wait(wakers.deliver));
  });
  await allEnded([followed, printed, delivered], end);
  await print();
  context.signal.throwIfAborted();
  if (late !== null) throw late;
}

/** Prints one event, or the state of a swap at the start: a line in each form. */
async function printEvent({ streams }: Context, event: SwapEvent | SnapshotEvent): Promise<void> {
  if (streams.format === 'json') await streams.printLine(event);
  else await streams.print(eventLineView(event));
}

/** Returns a function that prints the events recorded since its last call, and passes each to `onEvent`. */
async function openPrinter(
  { context, ledger, owner, orders, options }: Listening,
  onEvent: (event: SwapEvent) => void,
): Promise<() => Promise<void>> {
  const next = await openTail(ledger.events, owner.account, context.now);
  return async () => {
    for (const recorded of await next()) {
      const isMeant = orders === null || (recorded.order !== null && orders.includes(recorded.order));
      if (!isMeant) continue;
      const event = storedEvent(recorded);
      onEvent(event);
      if (isWantedType(event.type, options.types)) await printEvent(context, event);
    }
  };
}

/** How late an event may appear in the ledger, in milliseconds: its process may have waited, and clocks differ. */
const MAX_LATE_MS = 60_000;

/**
 * Yields the events of an account as they appear in the ledger, whichever process records them: each once, those of a
 * swap in order, without those that exist already.
 */
async function openTail(events: Events, account: string, now: () => number) {
  let from = now() - MAX_LATE_MS;
  let known = new Set((await events.recordedSince(account, from)).map(({ id }) => id));
  return async () => {
    if (now() < from) {
      // The clock was set back: an event that is ahead of it is not new. One from about this time may come again.
      for (const { id } of await events.recordedSince(account, now() + MAX_LATE_MS)) known.add(id);
      from = 0;
    }
    from = Math.max(from, now() - MAX_LATE_MS);
    const recorded = await events.recordedSince(account, from);
    const found = await events.byIds(recorded.map(({ id }) => id).filter((id) => !known.has(id)));
    known = new Set(recorded.map(({ id }) => id));
    return inOrder(found);
  };
}

/** By time, but those of a swap by their numbers: a clock may have been set back between two of them. */
function inOrder(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const bySwap = new Map<string, RecordedEvent[]>();
  for (const event of events.toSorted((a, b) => a.sequence - b.sequence))
    bySwap.set(event.intentId, [...(bySwap.get(event.intentId) ?? []), event]);
  return events
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ intentId }) => bySwap.get(intentId)?.shift() ?? []);
}

/** Type of the lines that show the open swaps when listening began. */
const SNAPSHOT = 'swap.snapshot';

/** The open swaps of an owner as the ledger knows them, or only those of the given orders. */
async function snapshots(context: Context, ledger: Ledger, owner: Owner, orders: readonly string[] | null) {
  const open = await ledger.open(owner);
  const meant = open.filter(({ order }) => order !== null && (orders === null || orders.includes(order)));
  const counts = await ledger.events.counts(meant.map(({ id }) => id));
  const now = context.now();
  return meant.map((entry) => snapshotOf(entry, counts.get(entry.id) ?? 0, now));
}

function snapshotOf(entry: Entry, sequence: number, now: number): SnapshotEvent {
  const swap = recordedSwap(entry, now, now - MAX_AGE_MS);
  return {
    id: null,
    type: SNAPSHOT,
    at: rfc3339(now),
    sequence,
    order: entry.order,
    profile: entry.profile,
    environment: entry.environment,
    data: { swap },
    previous: null,
  };
}
