import type { Kysely } from 'kysely';
import { changesOf } from './changes.ts';
import type { DamagedEntryError } from './entry.ts';
import { entryFromRow } from './entry.ts';
import type { Ledger } from './ledger.ts';
import { eachReadable } from './readable.ts';
import { findByKey, findByOrder } from './rows.ts';
import type { LedgerSchema } from './schema.ts';

/** Read methods of the ledger. A list leaves out damaged entries; `onDamaged` is called once for each. */
export function reads(
  kysely: Kysely<LedgerSchema>,
  onDamaged: (error: DamagedEntryError) => void,
): Pick<
  Ledger,
  | 'byKey'
  | 'keyElsewhere'
  | 'byOrder'
  | 'byId'
  | 'open'
  | 'troubled'
  | 'openByStatus'
  | 'withOrder'
  | 'changes'
> {
  const readable = eachReadable(onDamaged);
  return {
    byKey: (owner, key) => findByKey(kysely, owner, key),
    keyElsewhere: async ({ profile, account }, key) => {
      const found = kysely.selectFrom('intents').selectAll().where('idempotency_key', '=', key);
      const rows = await found.where('profile', '=', profile).where('account', '<>', account).execute();
      return readable(rows).find(({ outcome }) => outcome === 'created' || outcome === 'unknown') ?? null;
    },
    byOrder: (owner, order) => findByOrder(kysely, owner, order),
    byId: async (id) => {
      const row = await kysely.selectFrom('intents').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : entryFromRow(row);
    },
    open: async (owner) => {
      const all = kysely
        .selectFrom('intents')
        .selectAll()
        .where('outcome', '=', 'created')
        .where('final', '=', 0)
        .orderBy('requested_at')
        .orderBy('id');
      if (owner === null) return readable(await all.execute());
      return readable(await all.where('account', '=', owner.account).execute());
    },
    troubled: async () => {
      const rows = await kysely
        .selectFrom('intents')
        .selectAll()
        .where((is) =>
          is.or([
            is('outcome', '=', 'unknown'),
            is.and([
              is('outcome', '=', 'created'),
              is('final', '=', 1),
              is.or([is('status_code', 'in', FAILED_CODES), is('doubts', '!=', '[]')]),
            ]),
          ]),
        )
        .orderBy('requested_at')
        .orderBy('id')
        .execute();
      return readable(rows);
    },
    openByStatus: async ({ account }) => {
      const rows = await kysely
        .selectFrom('intents')
        .select((is) => [
          'status_code',
          is.fn.countAll<number | string>().as('count'),
          is.fn.min('requested_at').as('oldest'),
        ])
        .where('outcome', '=', 'created')
        .where('final', '=', 0)
        .where('account', '=', account)
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

/** Status codes of overdue, error and refund. */
const FAILED_CODES = [5, 6, 13];
