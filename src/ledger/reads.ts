import type { Kysely } from 'kysely';
import { changesOf } from './changes.ts';
import type { DamagedEntryError, Entry } from './entry.ts';
import { entryFromRow } from './entry.ts';
import { keyedRequests } from './keyed.ts';
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
  | 'keyed'
  | 'byOrder'
  | 'byId'
  | 'open'
  | 'troubled'
  | 'openByStatus'
  | 'withOrder'
  | 'all'
  | 'sightings'
  | 'changes'
> {
  const readable = eachReadable(onDamaged);
  return {
    byKey: (profile, key) => findByKey(kysely, profile, key),
    keyed: (profile, prefix) => keyedRequests(kysely, profile, prefix),
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
      const { profile, host, path } = owner;
      const rows = await all
        .where('profile', '=', profile)
        .where('host', '=', host)
        .where((is) => is.or([is('path', 'is', null), is('path', '=', path)]))
        .execute();
      return readable(rows);
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
    openByStatus: async ({ profile, host }) => {
      const rows = await kysely
        .selectFrom('intents')
        .select((is) => [
          'status_code',
          is.fn.countAll<number | string>().as('count'),
          is.fn.min('requested_at').as('oldest'),
        ])
        .where('outcome', '=', 'created')
        .where('final', '=', 0)
        .where('profile', '=', profile)
        .where('host', '=', host)
        .groupBy('status_code')
        .execute();
      return rows.map(({ status_code: statusCode, count, oldest }) => ({
        ...{ statusCode, count: Number.parseInt(String(count), 10), oldest },
      }));
    },
    withOrder: async (order) =>
      readable(await kysely.selectFrom('intents').selectAll().where('order_number', '=', order).execute()),
    all: async () => {
      const rows = await kysely
        .selectFrom('intents')
        .selectAll()
        .orderBy('requested_at', 'desc')
        .orderBy('id')
        .execute();
      const entries = readable(rows);
      const unknown = (entry: Entry) => entry.outcome === 'unknown';
      return [...entries.filter(unknown), ...entries.filter((entry) => !unknown(entry))];
    },
    changes: (id) => changesOf(kysely, id),
    sightings: async (id) => {
      const rows = await kysely
        .selectFrom('sightings')
        .selectAll()
        .where('intent_id', '=', id)
        .orderBy('seen_at')
        .execute();
      return rows.map((row) => ({ seenAt: row.seen_at, status: row.status, statusCode: row.status_code }));
    },
  };
}

/** Status codes of overdue, error and refund. */
const FAILED_CODES = [5, 6, 13];
