import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { changesOf, type RecordedChange } from './changes.ts';
import {
  type DamagedEntryError,
  type Entry,
  entryFromRow,
  inParts,
  type Owner,
  readableWith,
} from './entry.ts';
import { idsWith, lookupKeys } from './facts.ts';
import type { Is } from './filter.ts';
import { type IntentRow, IS_OPEN, IS_TROUBLED, IS_UNKNOWN, isOpenOf, type LedgerSchema } from './schema.ts';

/** Open swaps with one status code; null for those that were never polled. */
export interface OpenCount {
  readonly statusCode: number | null;
  readonly count: number;
  /** When the oldest of them was requested, in milliseconds since 1970. */
  readonly oldest: number;
}

/** Counts of swaps as they were last seen. */
export interface SwapCounts {
  /** Swaps that can still change. */
  readonly open: number;
  /** Open or ended swaps that need attention. */
  readonly needAttention: number;
  readonly unknown: number;
}

/** Read methods of the ledger. A list leaves out damaged entries; `onDamaged` is called once for each. */
export function reads(kysely: Kysely<LedgerSchema>, onDamaged: (error: DamagedEntryError) => void) {
  const readable = readableWith(onDamaged, entryFromRow);
  const all = kysely.selectFrom('intents').selectAll();
  return {
    byId: async (id: string): Promise<Entry | null> => {
      const row = await all.where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : entryFromRow(row);
    },
    byKey: (owner: Owner, key: string): Promise<Entry | null> => findByKey(kysely, owner, key),
    byOrder: (owner: Owner, order: string): Promise<Entry | null> => findByOrder(kysely, owner, order),
    /** The entries with one of these keys: those of the account, and those of other accounts that had the same profile name. */
    withKeys: async ({ profile, account }: Owner, keys: readonly string[]): Promise<readonly Entry[]> => {
      const isOurs = (is: Is) => is.or([is('account', '=', account), is('profile', '=', profile)]);
      const rows = await all.where('idempotency_key', 'in', keys).where(isOurs).execute();
      // A damaged entry throws: it may have an order, so its key is not free.
      return rows.map(entryFromRow);
    },
    /** Entries that may have a text as order number, id, key or fact, by all its `spellings`, newest first. */
    withFact: async (text: string, spellings: Iterable<string>): Promise<readonly Entry[]> => {
      const ids = await idsWith(kysely, text, lookupKeys(spellings, text));
      const found = await inParts(ids, (part) => all.where('id', 'in', part).execute());
      return readable(found.toSorted((a, b) => oldestFirst(b, a)));
    },
    /** The entries with an order number, of any owner. */
    withOrder: async (order: string): Promise<readonly Entry[]> =>
      readable(await all.where('order_number', '=', order).execute()),
    /** The swaps of an owner (null: of all owners) that were created and not final when last polled, oldest first. */
    open: async (owner: Owner | null): Promise<readonly Entry[]> => {
      const open = owner === null ? IS_OPEN : isOpenOf(owner.account);
      const rows = await all.where(open).execute();
      return readable(rows.sort(oldestFirst));
    },
    /** The creates of an owner whose outcome is unknown and that have no known order. */
    unsettled: async ({ account }: Owner): Promise<readonly Entry[]> => {
      const rows = await all.where(IS_UNKNOWN).execute();
      // Filtered here: SQLite would use an index on all swaps of the account.
      return readable(rows.filter((row) => row.account === account && row.order_number === null));
    },
    /** Unknown outcomes and ended swaps that need attention, of all owners, oldest first. */
    troubled: async (): Promise<readonly Entry[]> => {
      const unknown = await all.where(IS_UNKNOWN).execute();
      const ended = await all.where(IS_TROUBLED).execute();
      return readable([...unknown, ...ended].sort(oldestFirst));
    },
    /** Counts as last seen, of an owner or (null) all; `waiting`: codes that need a person. A later note waives it. */
    swapCounts: async (owner: Owner | null, waiting: readonly number[], now: number): Promise<SwapCounts> => {
      const needsOne = sql<SqlBool>`doubts <> '[]' or status_code in (${sql.join(waiting)})`;
      const ofAll = sql<SqlBool>`1 = 1`;
      const [isOpen, isOurs, isOursOfFew] =
        owner === null
          ? [IS_OPEN, ofAll, ofAll]
          : [
              isOpenOf(owner.account),
              sql<SqlBool>`account = ${owner.account}`,
              // As an expression, so that SQLite reads the few rows of the index of troubled swaps, not the account's.
              sql<SqlBool>`account || '' = ${owner.account}`,
            ];
      const isNotNoted = sql<SqlBool>`coalesce(quiet_until, 0) <= ${now}`;
      const count = async (which: Expression<SqlBool>) => {
        const rows = kysely.selectFrom('intents').select((is) => is.fn.countAll<number>().as('count'));
        const { count: found } = await rows.where(which).executeTakeFirstOrThrow();
        return found;
      };
      const [open, held, ended, unknown] = await Promise.all([
        count(isOpen),
        count(sql<SqlBool>`${isOpen} and (${needsOne}) and ${isNotNoted}`),
        count(sql<SqlBool>`${IS_TROUBLED} and ${isOursOfFew} and ${isNotNoted}`),
        count(sql<SqlBool>`${IS_UNKNOWN} and ${isOurs}`),
      ]);
      return { open, needAttention: held + ended, unknown };
    },
    /** The number of an owner's open swaps in each status. */
    openByStatus: async ({ account }: Owner): Promise<readonly OpenCount[]> => {
      const rows = await kysely
        .selectFrom('intents')
        .select((is) => ['status_code', is.fn.countAll<number>().as('count')])
        .select((is) => is.fn.min('requested_at').as('oldest'))
        .where(isOpenOf(account))
        .groupBy('status_code')
        .execute();
      return rows.map(({ status_code: statusCode, ...rest }) => ({ statusCode, ...rest }));
    },
    /** Everything that changed in an entry, oldest first. */
    changes: (id: string): Promise<readonly RecordedChange[]> => changesOf(kysely, id),
  };
}

/** The entry of an account's idempotency key; null without a key or an entry. Throws {@link DamagedEntryError}. */
export async function findByKey(db: Kysely<LedgerSchema>, { account }: Owner, key: string | null) {
  if (key === null) return null;
  const entries = db.selectFrom('intents').selectAll().where('account', '=', account);
  const row = await entries.where('idempotency_key', '=', key).executeTakeFirst();
  return row === undefined ? null : entryFromRow(row);
}

/** The account's entry of an order as written, or the only one all in capitals or in small letters; else null. */
export async function findByOrder(db: Kysely<LedgerSchema>, { account }: Owner, order: string) {
  const spellings = [order, order.toUpperCase(), order.toLowerCase()];
  const entries = db.selectFrom('intents').selectAll().where('account', '=', account);
  const rows = await entries.where('order_number', 'in', spellings).execute();
  const row = rows.find((found) => found.order_number === order) ?? (rows.length === 1 ? rows[0] : undefined);
  return row === undefined ? null : entryFromRow(row);
}

/** Sorts in memory: to avoid a sort, SQLite would read the whole ledger by the index on the time. */
function oldestFirst(a: IntentRow, b: IntentRow): number {
  return a.requested_at - b.requested_at;
}
