import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { StorageError } from '../errors.ts';
import { wireTime } from '../swap/agreement/wire-time.ts';
import type { Swap } from '../swap/swap.ts';
import type { Entry, Owner } from './entry.ts';
import type { Ledger } from './ledger.ts';
import type { Look } from './rows.ts';
import { findByOrder, insert, lockByOrder, NEW_ENTRY, unlessTaken, writeLook } from './rows.ts';
import type { LedgerSchema } from './schema.ts';

/** Write methods for existing swaps. */
export function swapWrites(
  database: Database<LedgerSchema>,
): Pick<Ledger, 'seen' | 'takenUp' | 'refundAddressSet'> {
  const seen: Ledger['seen'] = (owner, look) =>
    database.transaction(async (tx) => {
      const { swap, doubts, at } = look;
      const entry = await lockByOrder(tx, owner, swap.order);
      if (entry === null) return null;
      const believed = await writeLook(tx, entry, look);
      return { ...entry, swap: believed, doubts, seenAt: at };
    });
  /** Another process may add the same order meanwhile; then it exists, and that is all that is needed. */
  const makeSureOf = async (owner: Owner, { swap, at }: Look) => {
    if ((await findByOrder(database.kysely, owner, swap.order)) !== null) return;
    await unlessTaken(() => database.transaction((tx) => insert(tx, madeElsewhere(owner, swap, at))));
  };
  return {
    seen,
    takenUp: async (owner, look) => {
      await makeSureOf(owner, look);
      await seen(owner, look);
    },
    refundAddressSet: async (owner, look, refundAddress) => {
      const { swap, doubts, at } = look;
      await makeSureOf(owner, look);
      return database.transaction(async (tx) => {
        const entry = await lockByOrder(tx, owner, swap.order);
        if (entry === null) throw new StorageError('The ledger lost an entry while it was being written.');
        const believed = await writeLook(tx, entry, look, refundAddress);
        return { ...entry, refundAddress, swap: believed, doubts, seenAt: at };
      });
    },
  };
}

/** Its time is that of its creation, where the service tells it: it was not requested when it became known. */
function madeElsewhere(owner: Owner, { order, createdAt, startedAt }: Swap, at: number): Entry {
  const requestedAt = Math.min(at, wireTime(createdAt ?? startedAt) ?? at);
  return { ...owner, ...NEW_ENTRY, id: randomUUID(), outcome: 'created', order, requestedAt };
}
