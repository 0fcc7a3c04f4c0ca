import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, IntentOutcome } from '../../../src/core/ledger/entry.ts';
import { EVERY_ENTRY, type LedgerFilter } from '../../../src/core/ledger/filter.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import type { Labels } from '../../../src/core/swap/labels.ts';
import { tamper } from '../../helpers/ledger-damage.ts';
import { words } from '../../helpers/words.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { claimed, everyEntry, INTENT, OWNER, observed } from './entries.ts';
import { ledgerAt } from './events/ledgers.ts';

interface Wanted {
  readonly at: number;
  readonly outcome: IntentOutcome;
  readonly code: number;
  readonly coin: string;
  readonly labels: Labels;
  readonly owner: { readonly profile: string; readonly environment: 'sandbox' | 'live' };
}

const USUAL = {
  ...{ outcome: 'created', code: 9, coin: 'BTC', labels: {} },
  owner: { profile: 'shop', environment: 'live' },
} as const;

async function listed<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

let orders = 0;

/** Writes an entry as a create does, up to its outcome. */
async function write(ledger: Ledger, at: number, wanted: Partial<Wanted> = {}): Promise<void> {
  orders += 1;
  const { outcome, code, coin, labels, owner } = { ...USUAL, ...wanted };
  const intent = { ...INTENT, deposit: { coin, network: 'BTC' }, labels };
  const entry = await claimed(ledger, { ...OWNER, ...owner }, intent, null, at);
  const observation = observed(`ORDER${orders}`, code, at);
  const swap = { ...observation.swap, deposit: { ...observation.swap.deposit, coin } };
  if (outcome === 'created') await ledger.created(entry.id, { ...observation, swap }, null);
  if (outcome === 'refused' || outcome === 'not-sent')
    await ledger.settle(entry.id, { outcome, reason: '"coin":"ETH"', at });
  if (outcome === 'dismissed') await ledger.dismiss(entry.id, 1);
}

const LABELS: readonly Labels[] = [
  {},
  { team: 'ops' },
  { team: 'OPS' },
  { team: 'ops', note: '"team":"dev"' },
  { 'my.team': 'dev' },
  { note: '100%_\\' },
];

const anEntry: fc.Arbitrary<Wanted> = fc.record({
  at: fc.integer({ min: 1, max: 8 }),
  outcome: fc.constantFrom('created', 'created', 'unknown', 'refused', 'not-sent', 'dismissed'),
  code: fc.constantFrom(9, 4, 12, 5, 77),
  coin: fc.constantFrom('BTC', 'ETH', 'ß"coin":"BTC"', 'É'),
  labels: fc.constantFrom(...LABELS),
  owner: fc.constantFrom(
    { profile: 'shop', environment: 'sandbox' },
    { profile: 'shop', environment: 'live' },
    { profile: 'other', environment: 'live' },
  ),
});

const aFilter: fc.Arbitrary<LedgerFilter> = fc.record({
  profile: fc.constantFrom(null, null, 'shop', 'nobody'),
  environment: fc.constantFrom(null, null, 'live'),
  state: fc.constantFrom(
    null,
    null,
    { outcomes: ['created', 'refused'] as const, codes: null },
    { outcomes: [], codes: { anyOf: [4, 12] } },
    { outcomes: ['unknown'] as const, codes: { noneOf: [9, 4, 12, 5] } },
  ),
  coin: fc.constantFrom(null, null, 'btc', 'xrp', 'É', 'none', '%'),
  since: fc.constantFrom(null, null, 3),
  until: fc.constantFrom(null, null, 6),
  labels: fc.constantFrom({}, {}, ...LABELS, { team: 'dev' }),
  search: fc.constantFrom(null, null, ...words('btc BT É Team=OPS eam=o 100%_ 0%_\\ a__= 0.10 .1 order1')),
});

/** The words of an entry; a short one or a number is found whole, an amount by its value, all others in any part. */
function isFound(entry: Entry, search: string): boolean {
  const { request, swap, labels } = entry;
  const sides = [swap?.deposit, swap?.receive, request?.deposit, request?.receive];
  const amounts = [request?.amount, request?.quoted, swap?.deposit.amount, swap?.receive.amount];
  const words = [
    ...[entry.id, entry.order, entry.idempotencyKey, ...amounts],
    ...sides.map((side) => side?.coin),
    ...Object.entries(labels).flatMap(([key, value]) => [`${key}=${value}`, value]),
  ].flatMap((word) => (word ? [word.toLowerCase().replace(/^([0-9]+[.][0-9]*?)0+$/, '$1')] : []));
  const term = search.toLowerCase().replace(/^([0-9]+[.][0-9]*?)0+$/, '$1');
  if (term.length <= 3 || /^[0-9.]+$/.test(term)) return words.includes(term);
  return words.some((word) => word.includes(term));
}

/** The filters in plain words, on an entry that was read whole. */
function passes(entry: Entry, filter: LedgerFilter): boolean {
  const { profile, environment, state, coin, since, until, labels, search } = filter;
  const sides = entry.swap ?? entry.request;
  const code = entry.swap?.statusCode ?? 0;
  const { codes } = state ?? { codes: null };
  const hasCode =
    codes !== null && ('anyOf' in codes ? codes.anyOf.includes(code) : !codes.noneOf.includes(code));
  return (
    (profile === null || entry.profile === profile) &&
    (environment === null || entry.environment === environment) &&
    (state === null || state.outcomes.includes(entry.outcome) || (entry.outcome === 'created' && hasCode)) &&
    (coin === null ||
      [sides?.deposit.coin, sides?.receive.coin].some((c) => c?.toLowerCase() === coin.toLowerCase())) &&
    (since === null || entry.requestedAt >= since) &&
    (until === null || entry.requestedAt < until) &&
    (search === null || isFound(entry, search)) &&
    Object.entries(labels).every(([key, value]) => entry.labels[key] === value)
  );
}

/** Unknown outcomes first, then the newest first. */
function inListOrder(a: Entry, b: Entry): number {
  const rank = ({ outcome }: Entry) => (outcome === 'unknown' ? 0 : 1);
  return rank(a) - rank(b) || b.requestedAt - a.requestedAt || (a.id < b.id ? 1 : -1);
}

describe.each(BOTH_DATABASES)('ledger.books on $kind', ({ kind, fresh }) => {
  it('lists exactly the entries that match a filter, in order, for every filter and page size', async () => {
    const ledger = await ledgerAt(await fresh());
    for (const wanted of fc.sample(anEntry, { numRuns: 60, seed: 7 })) await write(ledger, wanted.at, wanted);
    const all = [...(await everyEntry(ledger))].sort(inListOrder);
    expect(all).toHaveLength(60);
    const check = fc.asyncProperty(
      aFilter,
      fc.constantFrom(1, 2, 7, 500),
      fc.constantFrom(null, null, 1, 5, 60),
      async (filter, pageSize, limit) => {
        const expected = all.filter((entry) => passes(entry, filter));
        const found = await listed(ledger.books.entries(filter, { pageSize, limit }));
        expect(found).toEqual(expected.slice(0, limit ?? undefined));
        expect(await ledger.books.count(filter)).toBe(expected.length);
      },
    );
    await fc.assert(check, { numRuns: kind === 'sqlite' ? 150 : 50 });
  });

  it('reports whether any entry exists, for a profile and for live', async () => {
    const ledger = await ledgerAt(await fresh());
    expect([await ledger.books.any(null), await ledger.books.any('shop')]).toEqual([false, false]);
    await write(ledger, 1, { owner: { profile: 'shop', environment: 'sandbox' } });
    const any = async () => [
      await ledger.books.any('shop'),
      await ledger.books.any('other'),
      await ledger.books.any(null, true),
      await ledger.books.any('other', true),
    ];
    expect(await any()).toEqual([true, false, false, false]);
    await write(ledger, 1, { owner: { profile: 'other', environment: 'live' } });
    expect(await any()).toEqual([true, true, true, true]);
  });

  it('suggests earlier coins and requests only for the same coin, network and environment', async () => {
    const ledger = await ledgerAt(await fresh());
    await write(ledger, 1);
    await write(ledger, 2, { outcome: 'unknown' });
    await write(ledger, 3, { owner: { profile: 'shop', environment: 'sandbox' } });
    await write(ledger, 4);
    const { books } = ledger;
    const offered = async (network: string, most = 9) =>
      (await books.pastRequests('receive', { ...INTENT.receive, network }, 'live', most)).map(
        ({ requestedAt, request }) => [requestedAt, request.address],
      );
    expect(await offered('XRP')).toEqual([4, 1].map((at) => [at, INTENT.address]));
    expect(await offered('XRP', 1)).toEqual([[4, INTENT.address]]);
    expect(await offered('ETH')).toEqual([]);
    expect(await books.recentAssets('receive', 9)).toEqual(['XRP:XRP']);
    const { deposit } = INTENT;
    expect(await books.pastRequests('deposit', deposit, 'live', 9)).toHaveLength(2);
    expect(await books.pastRequests('deposit', INTENT.receive, 'live', 9)).toEqual([]);
    expect(await books.recentAssets('deposit', 9)).toEqual(['BTC:BTC']);
  });

  it('lists each entry once while outcomes change and entries are added', async () => {
    const ledger = await ledgerAt(await fresh());
    for (let at = 1; at <= 9; at += 1)
      await write(ledger, at, { outcome: at % 3 === 0 ? 'unknown' : 'created' });
    const before = await everyEntry(ledger);
    const seen: string[] = [];
    for await (const { id, outcome } of ledger.books.entries(EVERY_ENTRY, { pageSize: 2 })) {
      seen.push(id);
      if (outcome === 'unknown') await ledger.dismiss(id, 1);
      await write(ledger, 10);
      if (seen.length > 30) break;
    }
    const known = new Set(before.map(({ id }) => id));
    expect(seen.filter((id) => known.has(id)).sort()).toEqual([...known].sort());
    expect(new Set(seen).size).toBe(seen.length);
  });
});

it('ledger.books skips a damaged entry and reports it once', async () => {
  const location = await BOTH_DATABASES[0].fresh();
  const damaged: string[] = [];
  const ledger = await ledgerAt(location, ({ message }) => void damaged.push(message));
  for (let at = 1; at <= 5; at += 1) await write(ledger, at);
  tamper(location, `update intents set snapshot = '{"deposit"' where requested_at = 4`);
  const read = async (limit: number | null) =>
    (await listed(ledger.books.entries(EVERY_ENTRY, { limit }))).map(({ requestedAt }) => requestedAt);
  expect(await read(null)).toEqual([5, 3, 2, 1]);
  expect(await read(2)).toEqual([5, 3]);
  expect(damaged).toHaveLength(1);
  const settled = (await listed(ledger.books.settled(EVERY_ENTRY))).flat();
  expect(settled.map(({ requestedAt }) => requestedAt)).toEqual([5, 3, 2, 1]);
  expect(settled[0]?.environment).toBe('live');
  expect(damaged.at(-1)).toContain('the swap as last seen cannot be read.');
  tamper(location, `update intents set request = '{"deposit"' where requested_at = 5`);
  tamper(location, `update intents set request = 'null' where requested_at = 3`);
  tamper(location, `update intents set doubts = '{}' where requested_at = 2`);
  const past = await ledger.books.pastRequests('receive', INTENT.receive, 'live', 9);
  expect(past.map(({ requestedAt }) => requestedAt)).toEqual([4, 1]);
});
