import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../database/database.ts';
import { StorageError } from '../errors.ts';
import { visible } from '../text.ts';
import { recordChange } from './changes.ts';
import type { Entry } from './entry.ts';
import { entryFromRow } from './entry.ts';
import { recordUnknownCreate } from './events/outbox.ts';
import type { Ledger } from './ledger.ts';
import { storedFigures } from './report/swap-figures.ts';
import { findByKey, insert, NEW_ENTRY, unlessTaken, writeLook } from './rows.ts';
import type { LedgerSchema } from './schema.ts';
import { storedLabels } from './stored-json.ts';

/** Write methods of a create: the intent before it is sent, and its outcome. */
export function intentWrites(
  database: Database<LedgerSchema>,
): Pick<Ledger, 'checkWritable' | 'begin' | 'claim' | 'settle' | 'created' | 'dismiss'> {
  return {
    checkWritable: () => database.transaction(async () => undefined),
    begin: async (owner, { labels = {}, ...request }, key, at) => {
      const earlier = key === null ? null : await findByKey(database.kysely, owner, key);
      const dismissed = earlier?.outcome === 'dismissed' ? earlier.id : null;
      if (earlier !== null && dismissed === null) return { entry: earlier, fresh: false };
      const entry: Entry = {
        ...owner,
        ...NEW_ENTRY,
        id: randomUUID(),
        idempotencyKey: key,
        ...{ request, labels },
        requestedAt: at,
      };
      const write = async (tx: Transaction) => {
        if (dismissed !== null) await giveUpKey(tx, dismissed);
        await insert(tx, entry);
      };
      if (await unlessTaken(() => database.transaction(write))) return { entry, fresh: true };
      // Another process has written the same key meanwhile.
      const other = key === null ? null : await findByKey(database.kysely, owner, key);
      if (other === null) throw new StorageError('The ledger refused a new entry.');
      return { entry: other, fresh: false };
    },
    claim: async (id, { profile, environment, host }, { labels = {}, ...intent }, at) =>
      database.transaction(async (tx) => {
        const request = JSON.stringify(intent);
        const figures = storedFigures({ ...NEW_ENTRY, request: intent, labels, requestedAt: at });
        const result = await tx
          .updateTable('intents')
          .set({
            ...{ outcome: 'unknown', reason: null, request, requested_at: at },
            ...{ profile, environment, host, labels: storedLabels(labels), figures },
          })
          .where('id', '=', id)
          .where('outcome', 'in', ['not-sent', 'refused'])
          .executeTakeFirst();
        return result.numUpdatedRows === 1n;
      }),
    settle: async (id, { outcome, reason, at, order }) => {
      // The reason may quote the service, and no database stores all characters of that.
      const settled = { outcome, reason: visible(reason) };
      const write = (values: typeof settled & { order_number?: string }) =>
        unlessTaken(() =>
          database.transaction(async (tx) => {
            const counted = (is: Is) => ({ ...values, changes: is('changes', '+', 1) });
            const query = tx.updateTable('intents').set(counted).where('id', '=', id);
            const row = await query.where('outcome', '=', 'unknown').returningAll().executeTakeFirst();
            if (row === undefined) return;
            await recordChange(tx, id, row.changes, {
              ...{ at, unchangedUntil: null, type: `create.${outcome}`, status: null, statusCode: null },
              changes: { outcome: [null, outcome], reason: [null, settled.reason] },
            });
            if (outcome === 'unknown') await recordUnknownCreate(tx, entryFromRow(row), at);
          }),
        );
      if (order === undefined || !(await write({ ...settled, order_number: order }))) await write(settled);
    },
    dismiss: (id, at) =>
      database.transaction(async (tx) => {
        const counted = (is: Is) => ({ outcome: 'dismissed', changes: is('changes', '+', 1) });
        const query = tx.updateTable('intents').set(counted).where('id', '=', id);
        const row = await query.where('outcome', '=', 'unknown').returningAll().executeTakeFirst();
        if (row === undefined) return false;
        await recordChange(tx, id, row.changes, {
          ...{ at, unchangedUntil: null, type: 'create.dismissed', status: null, statusCode: null },
          changes: { outcome: ['unknown', 'dismissed'] },
        });
        return true;
      }),
    created: (id, look, refundAddress) =>
      unlessTaken(() =>
        database.transaction(async (tx) => {
          const settled = { outcome: 'created', reason: null, order_number: look.swap.order };
          const query = tx.updateTable('intents').set(settled).where('id', '=', id);
          const row = await query.returningAll().executeTakeFirst();
          if (row === undefined)
            throw new StorageError('The ledger lost an entry while it was being written.');
          // What was seen before may have been of another order.
          await writeLook(tx, { ...entryFromRow(row), ...NEVER_SEEN }, look, refundAddress);
        }),
      ),
  };
}

const NEVER_SEEN = {
  ...{ swap: null, doubted: null, first: null, furthest: null, changedAt: null },
  ...{ doubts: [], refundAddress: null },
} as const;

type Transaction = Parameters<typeof insert>[0];
type Is = ExpressionBuilder<LedgerSchema, 'intents'>;

/** Releases the key of a create that a person dismissed, so that another create may use it. */
async function giveUpKey(tx: Transaction, id: string): Promise<void> {
  await tx
    .updateTable('intents')
    .set({ idempotency_key: null })
    .where('id', '=', id)
    .where('outcome', '=', 'dismissed')
    .execute();
}
