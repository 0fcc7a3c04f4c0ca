import type { Kysely } from 'kysely';
import { changesOf } from './changes.ts';
import type { DamagedEntryError } from './entry.ts';
import { entryFromRow } from './entry.ts';
import type { Ledger } from './ledger.ts';
import { eachReadable } from './readable.ts';
import { findByKey, findByOrder } from './rows.ts';
import type { IntentRow, LedgerSchema } from './schema.ts';
import { IS_OPEN, IS_TROUBLED, IS_UNKNOWN, isOpenOf } from './schema.ts';

/** Read methods of the ledger. A list leaves out damaged entries; `onDamaged` is called once for each. */
export function reads(
  kysely: Kysely<LedgerSchema>,
  onDamaged: (error: DamagedEntryError) => void,
): Pick<
  Ledger,
  'byKey' | 'withKey' | 'byOrder' | 'byId' | 'open' | 'troubled' | 'openByStatus' | 'withOrder' | 'changes'
> {
  const readable = eachReadable(onDamaged);
  return {
    byKey: (owner, key) => findByKey(kysely, owner, key),
    withKey: async ({ profile, account }, key) => {
      const found = kysely.selectFrom('intents').selectAll().where('idempotency_key', '=', key);
      const rows = await found
        .where((is) => is.or([is('account', '=', account), is('profile', '=', profile)]))
        .execute();
      // A damaged one may have an order: it is no free key.
      return rows.map(entryFromRow);
    },
    byOrder: (owner, order) => findByOrder(kysely, owner, order),
    byId: async (id) => {
      const row = await kysely.selectFrom('intents').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : entryFromRow(row);
    },
    open: async (owner) => {
      const open = owner === null ? IS_OPEN : isOpenOf(owner.account);
      const rows = await kysely.selectFrom('intents').selectAll().where(open).execute();
      return readable(rows.sort(oldestFirst));
    },
    troubled: async () => {
      const entries = kysely.selectFrom('intents').selectAll();
      const unknown = await entries.where(IS_UNKNOWN).execute();
      const ended = await entries.where(IS_TROUBLED).execute();
      return readable([...unknown, ...ended].sort(oldestFirst));
    },
    openByStatus: async ({ account }) => {
      const rows = await kysely
        .selectFrom('intents')
        .select((is) => [
          'status_code',
          is.fn.countAll<number | string>().as('count'),
          is.fn.min('requested_at').as('oldest'),
        ])
        .where(isOpenOf(account))
        .groupBy('status_code')
        .execute();
      return rows.map(({ status_code: statusCode, count, oldest }) => ({
        ...{ statusCode, count: Number.parseInt(String(count), 10), oldest },
      }));
    },
    withOrder: async (order) =>
      readable(await kysely.selectFrom('intents').selectAll().where('order_number', '=', order).execute()),
    changes: (id) => changesOf(kysely, id),
  };
}

/** Not by the database: SQLite would read the whole ledger by the index on the time, to save itself the sorting. */
function oldestFirst(a: IntentRow, b: IntentRow): number {
  return a.requested_at - b.requested_at || (a.id < b.id ? -1 : 1);
}
