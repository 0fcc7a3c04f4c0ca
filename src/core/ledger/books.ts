import { type Expression, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type Asset, coinLabel, type Environment, type Side } from '../swap/swap.ts';
import {
  type DamagedEntryError,
  type Entry,
  entryFromRow,
  readableWith,
  readDoubts,
  readIntent,
  readLabels,
} from './entry.ts';
import { type Is, type LedgerFilter, passes } from './filter.ts';
import {
  type ListedRow,
  listedEntryFromRow,
  listedFromRow,
  listedRows,
  SETTLED_COLUMNS,
  type SettledEntry,
  settledFromRow,
} from './listed.ts';
import { type IntentRow, IS_LIVE, IS_UNKNOWN, type LedgerSchema } from './schema.ts';
import { type SortKey, storedIn, storedValue } from './sort-keys.ts';
import type { ListedEntry } from './swap-result.ts';

/** How much of a list is read, and how many of its rows are in memory at a time. */
export interface Reading {
  /** Maximum number of entries; null for all. */
  readonly limit?: number | null;
  /** Maximum number of rows held in memory. */
  readonly pageSize?: number;
}

const USUAL_PAGE = 500;
const SETTLED_PAGE = 500;
const LABELS_PAGE = 1000;
const KEYS_PAGE = 2000;

/** Filtered reads of the ledger, a page in memory; `onDamaged` hears of each damaged entry. Throws `storage_failed`. */
export function books(kysely: Kysely<LedgerSchema>, onDamaged: (error: DamagedEntryError) => void) {
  const readable = readableWith(onDamaged, entryFromRow);
  const readableSettled = readableWith(onDamaged, settledFromRow);
  const readableWhole = readableWith(onDamaged, listedEntryFromRow);
  const listed = (row: ListedRow) => ({ id: row.id, entry: listedFromRow(row) });
  const readableListed = readableWith(onDamaged, listed);
  const listedOf = async (rows: readonly ListedRow[]): Promise<readonly ListedEntry[]> => {
    const read = readableListed(rows);
    const unread = read.flatMap(({ id, entry }) => (entry === undefined ? id : []));
    if (unread.length === 0) return read.flatMap(({ entry }) => entry ?? []);
    const whole = readableWhole(
      await kysely.selectFrom('intents').selectAll().where('id', 'in', unread).execute(),
    );
    const byId = new Map(whole.map((entry) => [entry.id, entry]));
    return read.flatMap(({ id, entry }) => entry ?? byId.get(id) ?? []);
  };
  return {
    /** The entries that pass a filter, unknown outcomes first, then newest first; each once, damaged ones left out. */
    async *entries(filter: LedgerFilter, reading: Reading = {}): AsyncGenerator<Entry> {
      const all = kysely.selectFrom('intents').selectAll();
      for await (const page of inListOrder(all, async (rows) => readable(rows), filter, reading)) yield* page;
    },
    /** {@link entries} a page at a time, with only what lists show. */
    listed: (filter: LedgerFilter, reading: Reading = {}): AsyncGenerator<readonly ListedEntry[]> =>
      inListOrder(listedRows(kysely), listedOf, filter, reading),
    /** The created swaps that pass a filter, newest first, a page at a time, with only what exports need. */
    async *settled(filter: LedgerFilter, size = SETTLED_PAGE): AsyncGenerator<readonly SettledEntry[]> {
      const read = (last: Position | undefined) =>
        newestFirst(
          kysely
            .selectFrom('intents')
            .select(SETTLED_COLUMNS)
            .where('outcome', '=', 'created')
            .where('snapshot', 'is not', null)
            .where(comesAfter(filter, last)),
          size,
        ).execute();
      for await (const rows of paged(size, read)) yield readableSettled(rows);
    },
    /** The coins (`USDT:TRX`) of the newest requests on one side, newest first, each once, from at most `most` requests. */
    recentAssets: async (side: Side, most: number): Promise<readonly string[]> => {
      const column = side === 'deposit' ? 'deposit_asset' : 'receive_asset';
      const query = kysely.selectFrom('intents').select(`${column} as asset`);
      const rows = await newestFirst(query, most).execute();
      return [...new Set(rows.flatMap(({ asset }) => (asset === null ? [] : [asset])))];
    },
    /** The newest created swaps whose request has an asset on one side, without their snapshots; damaged ones are left out. */
    pastRequests: async (side: Side, asset: Asset, environment: Environment, most: number) => {
      const query = kysely
        .selectFrom('intents')
        .select(['request', 'order_number', 'requested_at', 'refund_address', 'doubts'])
        .where(side === 'deposit' ? 'deposit_asset' : 'receive_asset', '=', coinLabel(asset))
        .where('environment', '=', environment)
        .where('outcome', '=', 'created');
      return (await newestFirst(query, most).execute()).flatMap((row) => {
        const [request, doubts] = [readIntent(row.request), readDoubts(row.doubts)];
        if (request === undefined || request === null || doubts === undefined) return [];
        const { order_number: order, requested_at: requestedAt, refund_address: refundAddress } = row;
        return [{ request, doubts, order, requestedAt, refundAddress }];
      });
    },
    /** Keys of all labels of entries that pass a filter, those of the newest entries first. */
    labelKeys: (filter: LedgerFilter) => labelKeys(kysely, filter),
    /** What lists show of entries with these ids, in that order; those that are gone or damaged are left out. */
    listedByIds: async (ids: readonly string[]): Promise<readonly ListedEntry[]> => {
      const rows = await listedRows(kysely)
        .where('id', 'in', [...ids])
        .execute();
      const found = new Map((await listedOf(rows)).map((entry) => [entry.id, entry]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    /** The values by which the entries that pass a filter are sorted, newest entry first. */
    sortValues: (filter: LedgerFilter, column: string) => sortValues(kysely, filter, column),
    /** Number of entries that pass a filter, including damaged ones. */
    count: async (filter: LedgerFilter): Promise<number> => {
      const { count } = await kysely
        .selectFrom('intents')
        .select((is) => is.fn.countAll<number>().as('count'))
        .where((is) => passes(is, filter))
        .executeTakeFirstOrThrow();
      return count;
    },
    /** Whether there is any entry, of a profile (null: of all); only live ones if `live` is true. */
    any: async (profile: string | null, live = false): Promise<boolean> => {
      const query = kysely.selectFrom('intents').select('profile').limit(1);
      const own = profile === null ? query : query.where('profile', '=', profile);
      return (await (live ? own.where(IS_LIVE) : own).executeTakeFirst()) !== undefined;
    },
  };
}

async function labelKeys(kysely: Kysely<LedgerSchema>, filter: LedgerFilter): Promise<readonly string[]> {
  const keys = new Set<string>();
  const read = (last: Position | undefined) => {
    const labelled = kysely
      .selectFrom('intents')
      .select(['labels', 'requested_at', 'id'])
      .where('labels', 'is not', null)
      .where(ofPartialIndex(filter, last));
    return newestFirst(labelled, LABELS_PAGE).execute();
  };
  for await (const rows of paged(LABELS_PAGE, read))
    for (const { labels } of rows) for (const key of Object.keys(readLabels(labels) ?? {})) keys.add(key);
  return [...keys];
}

async function sortValues(kysely: Kysely<LedgerSchema>, filter: LedgerFilter, column: string) {
  const place = storedIn(column);
  const stored = place === 'swap' ? sql`coalesce(snapshot, request)` : sql.ref(place);
  const query = kysely
    .selectFrom('intents')
    .select(['id', 'requested_at', sql<string | number | null>`${stored}`.as('stored')]);
  const read = (last: Position | undefined) =>
    newestFirst(query.where(comesAfter(filter, last)), KEYS_PAGE).execute();
  const keys: SortKey[] = [];
  for await (const rows of paged(KEYS_PAGE, read))
    for (const { id, stored } of rows) keys.push({ id, value: storedValue(column, stored) });
  return keys;
}

/** {@link comesAfter} for a partial index: for the column itself, SQLite would read all swaps of the profile. */
function ofPartialIndex({ profile, ...filter }: LedgerFilter, last: Position | undefined) {
  const others = comesAfter({ ...filter, profile: null }, last);
  return (is: Is): Expression<SqlBool> =>
    profile === null ? others(is) : is.and([others(is), sql<SqlBool>`coalesce(profile, '') = ${profile}`]);
}

/** Pages of rows, each read after the last row of the one before. */
export async function* paged<Row>(size: number, read: (last: Row | undefined) => Promise<readonly Row[]>) {
  let last: Row | undefined;
  do {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    last = rows.length < size ? undefined : rows.at(-1);
  } while (last !== undefined);
}

/** What `read` makes of the rows that pass a filter: unknown outcomes first, then newest first, each row once. */
async function* inListOrder<Row extends Position, Item>(
  all: SelectQueryBuilder<LedgerSchema, 'intents', Row>,
  read: (rows: readonly Row[]) => Promise<readonly Item[]>,
  filter: LedgerFilter,
  { limit = null, pageSize = USUAL_PAGE }: Reading,
): AsyncGenerator<readonly Item[]> {
  const size = Math.min(pageSize, limit ?? pageSize);
  let left = limit ?? Number.POSITIVE_INFINITY;
  const given = new Set<string>();
  for (const outcome of ['unknown', 'any'] as const) {
    const page = (last: Row | undefined) =>
      outcome === 'unknown'
        ? all.where(IS_UNKNOWN).where(ofPartialIndex(filter, last))
        : all.where(comesAfter(filter, last));
    for await (const rows of paged(size, (last: Row | undefined) =>
      newestFirst(page(last), size).execute(),
    )) {
      const items = await read(rows.filter(({ id }) => !given.has(id)));
      if (outcome === 'unknown') for (const { id } of rows) given.add(id);
      yield items.slice(0, left);
      left -= items.length;
      if (left <= 0) return;
    }
  }
}

type Position = Pick<IntentRow, 'id' | 'requested_at'>;

/** In the order of the indexes on the time, so that only one page is read. */
function newestFirst<Row>(query: SelectQueryBuilder<LedgerSchema, 'intents', Row>, size: number) {
  return query.orderBy('requested_at', 'desc').orderBy('id', 'desc').limit(size);
}

/** Condition of rows that pass a filter and follow a row. Of two upper bounds, SQLite would check one row by row. */
function comesAfter(filter: LedgerFilter, last: Position | undefined) {
  return (is: Is): Expression<SqlBool> =>
    last === undefined
      ? passes(is, filter)
      : is.and([
          passes(is, { ...filter, until: null }),
          sql<SqlBool>`(requested_at, id) < (${last.requested_at}, ${last.id})`,
        ]);
}
