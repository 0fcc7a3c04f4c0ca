import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { StorageError } from '../errors.ts';
import type { Entry, Owner } from './entry.ts';
import type { Ledger } from './ledger.ts';
import { findByOrder, insert, lockByOrder, NEW_ENTRY, unlessTaken, writeLook } from './rows.ts';
import type { LedgerSchema } from './schema.ts';

/** Write methods for existing swaps. */
export function swapWrites(database: Database<LedgerSchema>): Pick<Ledger, 'seen' | 'refundAddressSet'> {
  const seen: Ledger['seen'] = (owner, look) =>
    database.transaction(async (tx) => {
      const { swap, doubts, at } = look;
      const entry = await lockByOrder(tx, owner, swap.order, at);
      if (entry === null) return null;
      const believed = await writeLook(tx, entry, look);
      return { ...entry, swap: believed, doubts, seenAt: at };
    });
  return {
    seen,
    refundAddressSet: async (owner, look, refundAddress) => {
      const { swap, doubts, at } = look;
      // Another process may add the same order meanwhile; then it exists, and that is all that is needed.
      if ((await findByOrder(database.kysely, owner, swap.order)) === null)
        await unlessTaken(() =>
          database.transaction((tx) => insert(tx, madeElsewhere(owner, swap.order, at))),
        );
      return database.transaction(async (tx) => {
        const entry = await lockByOrder(tx, owner, swap.order, at);
        if (entry === null) throw new StorageError('The ledger lost an entry while it was being written.');
        await tx
          .updateTable('intents')
          .set({ refund_address: refundAddress })
          .where('id', '=', entry.id)
          .execute();
        const believed = await writeLook(tx, { ...entry, refundAddress }, look);
        return { ...entry, refundAddress, swap: believed, doubts, seenAt: at };
      });
    },
  };
}

function madeElsewhere(owner: Owner, order: string, at: number): Entry {
  return { ...owner, ...NEW_ENTRY, id: randomUUID(), outcome: 'created', order, requestedAt: at };
}
