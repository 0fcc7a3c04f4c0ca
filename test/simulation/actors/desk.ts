import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import { rfc3339 } from '../../../src/base/time.ts';
import type { Entry, Owner } from '../../../src/core/ledger/entry.ts';
import { EVERY_ENTRY, type LedgerFilter } from '../../../src/core/ledger/filter.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import { addUp, type Grouping } from '../../../src/core/ledger/report/report.ts';
import { historyResult } from '../../../src/core/ledger/swap-result.ts';
import { findSwaps } from '../../../src/core/swaps/find.ts';
import { followSwaps } from '../../../src/core/swaps/follow/follow.ts';
import { endpointHealth, healthGroups, probePairs } from '../../../src/core/swaps/health.ts';
import { recordedOrders } from '../../../src/core/swaps/lookup.ts';
import { foundWords, nothingFound, severalFound } from '../../../src/core/swaps/named-swap.ts';
import { pollOrders } from '../../../src/core/swaps/poll.ts';
import { FIELDS, reconcile } from '../../../src/core/swaps/reconcile.ts';
import { BUDGET } from '../model/budget.ts';
import type { Random } from '../random.ts';
import type { Program } from '../world/world.ts';
import { libraryOf } from './library.ts';
import { listen } from './listen.ts';

const MINUTE = 60_000;

/** Someone at a desk, who runs one program. */
export interface Desk {
  readonly program: Program;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly owner: Owner;
  /** The entries of the whole ledger. */
  readonly entries: readonly Entry[];
  /** The numbers of the orders of this key pair. */
  readonly orders: readonly string[];
  /** Does something of which the one at the desk knows how it must end: see `Model.ended`. */
  readonly ends: <T>(end: string | (() => string), work: () => Promise<T>) => Promise<T>;
}

/** Something that a person does now and then. */
export type Errand = (desk: Desk) => Promise<void>;

async function allOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A selection of `history`, of which most leave something out. */
function selection({ random, owner, entries }: Desk): LedgerFilter {
  const some = <T>(value: T, none: T) => (random.chance(0.4) ? value : none);
  const entry = entries.length === 0 ? null : random.pick(entries);
  const at = entry?.requestedAt ?? 0;
  const codes = random.pick([{ anyOf: [4, 9] }, { noneOf: [5] }, null]);
  const outcomes = random.pick([[], ['unknown'], ['refused', 'dismissed']] as const);
  return {
    profile: some<string | null>(owner.profile, null),
    environment: some<LedgerFilter['environment']>('sandbox', null),
    state: some<LedgerFilter['state']>({ outcomes, codes }, null),
    coin: some<string | null>(random.pick(['BTC', 'xrp']), null),
    since: some<number | null>(at, null),
    until: some<number | null>(at + MINUTE, null),
    labels: some<LedgerFilter['labels']>(entry?.labels ?? {}, {}),
    search: some<string | null>(searchTerm(random, entry), null),
  };
}

function searchTerm(random: Random, entry: Entry | null): string {
  const { request = null, order = null } = entry ?? {};
  const long = 'x'.repeat(1_100);
  return random.pick([
    request?.address ?? 'none',
    request?.amount ?? '0.5',
    order ?? 'BTC',
    'btc',
    '50%_',
    long,
  ]);
}

const SORTED = ['order', 'label.job', 'deposit.amount', 'receive.address', 'doubts', 'requestedAt', 'status'];

/** `history`, with selections, sorted, and a page at a time. */
const list: Errand = async (desk) => {
  const { program, random, ledger, owner } = desk;
  const { books } = ledger;
  const filter = selection(desk);
  const reading = { limit: random.pick([null, 1, 3]), pageSize: random.pick([1, 2, 500]) };
  const pages = await allOf(books.listed(filter, reading));
  for (const page of pages) for (const entry of page) historyResult(entry, program.ports.now());
  const count = await books.count(filter);
  const listed = pages.flat().length;
  if (reading.limit === null && listed !== count)
    program.world.model.fail('list', `${listed} swaps are listed of ${count}`);
  const keys = await books.sortValues(filter, random.pick(SORTED));
  const ids = keys.map(({ id }) => id);
  const sorted = await books.listedByIds([...ids.slice(0, 5), 'none']);
  if (sorted.length !== Math.min(5, ids.length))
    program.world.model.fail('list', `${sorted.length} of ${ids} are listed by their ids`);
  await books.labelKeys(filter);
  await allOf(books.settled(filter, 2));
  await books.any(random.pick([owner.profile, null]), random.chance(0.5));
  const side = random.pick(['deposit', 'receive'] as const);
  const [asset = 'BTC:BTC'] = await books.recentAssets(side, 20);
  const [coin = '', network = coin] = asset.split(':');
  await books.pastRequests(side, { coin, network }, 'sandbox', 5);
};

/** The facts of an entry by which a person looks for it, as they may be typed. */
function typedFacts({ id, order, idempotencyKey, request, swap, labels, refundAddress }: Entry) {
  const [transaction, address] = [swap?.deposit.txId ?? null, request?.address ?? null];
  const label = Object.entries(labels).map(([key, value]) => `${key}= ${value} `);
  const typed = [order, order?.toLowerCase(), id.toUpperCase(), idempotencyKey, address, request?.memo];
  return [
    ...[...typed, refundAddress, transaction, transaction?.slice(0, 10), ...label],
    ...[swap?.deposit.address, address?.replace(/^0x/, '0X'), transaction?.toUpperCase(), 'nothing=there'],
    `0x${transaction ?? '77777777'}`,
  ].flatMap((text) => text ?? []);
}

/** Any fact of a swap finds it. */
const search: Errand = async ({ program, random, ledger, owner, entries }) => {
  if (entries.length === 0) return;
  const entry = random.pick(entries);
  for (const text of typedFacts(entry)) {
    const found = await findSwaps(ledger, text, random.pick([owner, null]));
    for (const each of found) foundWords(each);
    const [first] = found;
    if (first === undefined) await nothingFound(text, '');
    if (found.length > 1) await severalFound(text, found);
  }
  const [found] = await findSwaps(ledger, entry.id, null);
  if (found?.entry.id !== entry.id) program.world.model.fail('list', `${entry.id} is not found by its id`);
};

/** `report`, by whatever groups. */
const report: Errand = async (desk) => {
  const { program, random, ledger } = desk;
  const groupings: readonly Grouping[] = ['status', 'pair', 'day', 'week', 'month', 'profile', 'label:team'];
  const filter = random.chance(0.5) ? EVERY_ENTRY : selection(desk);
  const by = random.pick(groupings);
  const grouped = { by, days: random.pick(['utc', 'local'] as const), share: random.pick(['0.5', null]) };
  const { groups, total } = await addUp(ledger.figures.pages(filter, random.pick([1, 2, 1000])), grouped);
  const sum = groups.reduce((count, group) => count + group.count, 0);
  if (sum !== total.count)
    program.world.model.fail('report', `${sum} swaps are in the groups by ${by} of ${total.count}`);
};

/** `health`, with the answers that a program has counted. */
const checkHealth: Errand = async (desk) => {
  const { program, random, ledger, owner } = desk;
  const { ports } = program;
  const { health } = ledger;
  const now = ports.now();
  const answers = (['ok', 'limited', 'failed'] as const).map((answer) => ({
    endpoint: 'get-coins',
    answer,
    count: 2,
  }));
  await health.addAnswers(owner.account, answers, now);
  const filter = { ...selection(desk), environment: null };
  const swaps = () => health.swaps(random.pick([EVERY_ENTRY, filter]));
  await healthGroups(swaps(), random.pick(['pair', 'network']), {
    since: now - random.pick([MINUTE, 1e9]),
    now,
  });
  endpointHealth(await health.answers(random.pick([owner.account, null]), now - 60 * MINUTE));
  if (random.chance(0.3)) await probePairs(ports, swaps());
};

/** `events`, of some swaps, and one of them sent again. */
const readEvents: Errand = async ({ program, random, ledger: { events }, owner, entries, orders }) => {
  const { world, ports } = program;
  const filter = {
    profile: random.pick([owner.profile, null]),
    order: random.pick([orders[0] ?? null, null]),
    undelivered: random.chance(0.3),
    since: random.pick([ports.now() - 10 * MINUTE, null]),
  };
  const { events: found } = await events.list(filter, random.pick([null, 1, 5]));
  await events.undelivered(owner.account);
  await events.counts(entries.map(({ id }) => id));
  await events.nextDue({ account: owner.account, orders });
  const since = await events.recordedSince(owner.account, ports.now() - 10 * MINUTE);
  await events.byIds(since.map(({ id }) => id));
  const [event] = found;
  if (event === undefined) return void (await events.resend('evt_none', ports.now()));
  await events.attempts(event.id);
  await events.byId('evt_none');
  if ((await events.byId(event.id))?.body !== event.body)
    world.model.fail('events', `event ${event.id} is read with another body`);
  if (random.chance(0.5)) return;
  world.receiver.resent(event.id);
  await events.resend(event.id, ports.now());
};

/** Status, timeline and numbers of the ledger. */
const readState: Errand = async ({ program, random, ledger, owner, entries }) => {
  const { ports } = program;
  await ledger.swapCounts(random.pick([owner, null]), [6, 7], ports.now());
  await ledger.openByStatus(owner);
  await ledger.open(null);
  await ledger.troubled();
  const entry = entries.length === 0 ? null : random.pick(entries);
  if (entry !== null) {
    await ledger.changes(entry.id);
    await ledger.statusTimes(entry, random.pick(['new', 'deposit']), ports.now());
    if (entry.order !== null) await ledger.withOrder(entry.order);
  }
  const { audit } = ledger;
  await audit.newest(random.pick([null, 3]), random.pick([owner.account, null]));
  const { problems } = await audit.verify(random.pick([await audit.head(), null]));
  if (problems.length > 0) program.world.model.fail('audit', JSON.stringify(problems));
  await ledger.close();
};

/** Notes, and a deposit that someone says was sent. */
export const write: Errand = async ({ program, random, ledger, entries }) => {
  if (entries.length === 0) return;
  const { id, order } = random.pick(entries);
  const at = program.ports.now();
  const until = random.pick([at + 20 * MINUTE, null]);
  await ledger.addNote(id, { text: 'asked', ticket: random.pick(['T-17', null]), until }, at);
  const isPaid = (program.world.model.orders.get(order ?? '')?.paid.length ?? 0) > 0;
  const from = random.pick([null, 'tb1q2dq5u3zzfav84u9qzemxp5ajsrd22966wa3y99']);
  if (isPaid || random.chance(0.3))
    await ledger.addSent(id, { txId: '7f'.repeat(32), from, at, dueAt: at + 60 * MINUTE });
};

/** `status` of some orders by their numbers, perhaps in two profiles of one key pair, with one that no one has. */
const pollNamed: Errand = async ({ program, random, orders }) => {
  const { ports, show } = program;
  const mirror = random.chance(0.5) ? { ...ports } : ports;
  const numbers = [
    ...orders.slice(0, 3),
    ...orders.slice(3, 4).map((order) => order.toLowerCase()),
    ...(random.chance(0.4) ? ['QQQQQQ'] : []),
  ];
  const named = random.chance(0.7);
  const wanted = numbers.map((order, index) => ({ order, ports: index === 0 ? mirror : ports, entry: null }));
  const { swaps } = await pollOrders(wanted, {
    named,
    isFew: true,
    maxAgeMs: random.pick([0, null]),
    usualMaxAgeMs: 30_000,
    budget: BUDGET,
    startedAt: ports.now(),
    deadline: ports.monotonic() + random.pick([60_000, 60, 0]),
    onPoll: () => undefined,
    onWait: () => undefined,
  });
  for (const { swap } of swaps) show(swap, MINUTE);
};

/** `status --watch` of named orders, from what the ledger knows. */
const watchNamed: Errand = async ({ program, random, orders }) => {
  const { ports, show, world } = program;
  const until = ports.monotonic() + 20_000;
  const limited = { ...ports, deadline: () => until };
  const named = random.chance(0.6) ? [...orders.slice(0, 2), 'QQQQQQ'] : null;
  const options = { intervalMs: 5_000, budget: BUDGET, fromLedger: true };
  for await (const news of followSwaps(limited, [{ ports: limited, orders: named }], options)) {
    if (news.kind === 'known') for (const { swap } of news.swaps) show(swap, 31_000);
    if (news.kind === 'gone' && news.isWholeProfile) world.tell(`${program.process.name} cannot watch`);
  }
};

/** What programs of the library ask. */
const askLibrary: Errand = async ({ program, random, orders, entries }) => {
  const { world, process, show } = program;
  const library = libraryOf(program);
  for (const swap of await library.open()) show(swap, 30_000 + (swap.ageMs ?? 0));
  const [order] = orders;
  if (order === undefined) return;
  const [found] = await library.find(order);
  if (found?.order !== order) world.model.fail('list', `${process.name} does not find ${order}`);
  show(await library.status(order));
  const until = ['new', 'pause', 'frozen'] as const;
  if (random.chance(0.4)) show(await library.waitFor(order, { until }));
  const entry = random.pick(entries);
  await library.resolve(entry.outcome === 'unknown' ? 'none' : entry.id, { dismissed: true });
};

/** `listen` to some types of events. */
const listenToSome: Errand = async ({ program, random }) => {
  await listen(program, random.pick([3_000, 20_000]), random.pick([['swap.*'], ['create.*', 'approval.*']]));
};

/** A statement in the words of another service, for a part of the time. */
const compareStatement: Errand = async ({ program, random, ledger, entries }) => {
  const compared = FIELDS.filter(() => random.chance(0.5)).map((field) => ({ field }));
  const words = ['completed', '12', 'waiting', ' ', '+1.0', '007', 'btc', '2026-01-01T00:00:00Z', 'none'];
  const cell = (name: string, entry: Entry) => {
    const own =
      entry.swap === null ? null : (FIELDS.find((field) => field.name === name)?.here(entry.swap) ?? null);
    return random.pick([
      own,
      own?.toUpperCase() ?? null,
      own === null ? null : `0${own}`,
      random.pick(words),
      null,
    ]);
  };
  const named = entries.filter(({ order }) => order !== null && random.chance(0.8));
  const rows = new Map(
    named.map((entry) => [entry.order ?? '', compared.map(({ field }) => cell(field.name, entry))] as const),
  );
  rows.set('QQQQQQ', []);
  const now = program.ports.now();
  const period = { since: random.pick([null, now - 5 * MINUTE]), until: random.pick([null, now - MINUTE]) };
  const books = ledger.books.entries(EVERY_ENTRY, { pageSize: 3 });
  const { result } = await reconcile(books, period, { rows, columns: { compared }, duplicates: [] });
  if (!result.onlyThere.includes('QQQQQQ'))
    program.world.model.fail('reconcile', 'an order that no one made is not named');
};

/** `listen` of orders that the ledger may not have. */
const takeUp: Errand = async ({ program, orders }) => {
  const { model } = program.world;
  const own = [...model.orders.values()].filter(({ post }) => post.account === program.process.account);
  const strangers = own.filter(({ order }) => !orders.includes(order)).map(({ order }) => order);
  await recordedOrders(program.ports, [...orders.slice(0, 1), ...strangers.slice(0, 2)]);
};

const READS: readonly Errand[] = [
  ...[list, search, report, checkHealth, readEvents, readState, write, pollNamed, watchNamed, askLibrary],
  ...[compareStatement, takeUp, listenToSome],
];

/** Runs an errand, or the `only` one; `others` are those of other desks. */
export async function runErrand(
  program: Program,
  random: Random,
  others: readonly Errand[],
  only: Errand | null = null,
): Promise<void> {
  const [ledger, owner] = [await program.ports.ledger(), await program.ports.owner()];
  const entries = await allOf(ledger.books.entries(EVERY_ENTRY, { limit: 40 }));
  const own = entries.filter(({ account, outcome }) => account === owner.account && outcome === 'created');
  const orders = own.flatMap(({ order }) => order ?? []);
  const errand = only ?? random.pick([...READS, ...others]);
  const ends: Desk['ends'] = async (end, work) => {
    const ended = await attempt(work);
    const error = ended instanceof SwapctlError ? ended : null;
    program.world.model.ended(program.process, typeof end === 'string' ? end : end(), error);
    if (ended instanceof SwapctlError) throw ended;
    return ended;
  };
  try {
    await errand({ program, random, ledger, owner, entries, orders, ends });
  } catch (error) {
    program.world.tell(
      `${program.process.name} has the errand ${errand.name} at ${rfc3339(program.ports.now())}`,
    );
    if (!(error instanceof SwapctlError)) throw error;
    program.world.model.refuseSecrets(program.process, JSON.stringify(error.toJSON()));
    throw error;
  }
}
