import { randomUUID } from 'node:crypto';
import type { SelectQueryBuilder } from 'kysely';
import { StorageError } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { wireTime } from '../../base/time.ts';
import type { Database } from '../database/database.ts';
import { unlessTaken } from '../database/failures.ts';
import type { Swap } from '../swap/swap.ts';
import { type Observation, recordChange, writeObservation, writeUnchanged } from './changes.ts';
import { type Entry, entryFromRow, type IntentOutcome, type Owner } from './entry.ts';
import { recordUnknownCreate } from './events/outbox.ts';
import { insertEntry, NEVER_SEEN, NEW_ENTRY } from './new-entry.ts';
import type { WriteFact } from './policy/audit.ts';
import { ownerSignature, type Signer } from './policy/changes.ts';
import { lockGuard } from './policy/evaluate.ts';
import { settleStatement } from './policy/signature.ts';
import { findByOrder } from './reads.ts';
import type { LedgerSchema, Transaction } from './schema.ts';
import { withWord } from './search.ts';
import type { StatusTimes } from './status-times.ts';

/** Outcome of a create that made no order, or none that may be funded. */
export interface Settlement {
  readonly outcome: Exclude<IntentOutcome, 'created' | 'dismissed'>;
  readonly reason: string;
  /** The order that was created nevertheless. */
  readonly order?: string | undefined;
  readonly at: number;
}

/** Write methods of the outcome of a create. */
export function createWrites(database: Database<LedgerSchema>, record: WriteFact) {
  return {
    /** Throws if nothing can be written: the ledger is read-only, or locked by another process for too long. */
    checkWritable: (): Promise<void> => database.transaction(async () => undefined),
    /** Settles a claimed intent that created no order, or none that may be funded; a settled one stays as it is. */
    settle: async (id: string, { outcome, reason, at, order }: Settlement): Promise<void> => {
      // The reason may quote the service, and no database stores every character of that.
      const settled = { outcome, reason: visible(reason) };
      const write = (values: typeof settled & { order_number?: string | undefined }) =>
        unlessTaken(() =>
          database.transaction(async (tx) => {
            const changes = { outcome: [null, outcome], reason: [null, settled.reason] } as const;
            const row = await settleUnknown(tx, id, values, { at, changes });
            if (row === undefined) return;
            if (outcome === 'unknown') await recordUnknownCreate(tx, entryFromRow(row), at);
            const { order_number: number = null, reason: why } = values;
            await record(tx, row, {
              type: 'outcome',
              data: { entry: id, outcome, order: number, reason: why },
              at,
            });
          }),
        );
      if ((await write({ ...settled, order_number: order })) === false) await write(settled);
    },
    /**
     * Settles an unknown outcome that a person has investigated; null if it is settled already. It counts on for the policy
     * unless the owner signs, or no owner key is pinned and no order is known.
     */
    dismiss: (id: string, at: number, signer: Signer | null = null) =>
      database.transaction((tx) => dismissEntry(tx, id, { at, signer, record })),
    /**
     * Settles a claimed intent with its order, even if a person has dismissed it since. Returns false and writes nothing
     * if the order belongs to another entry, or the entry to another order. `signature` is the owner's, if one was needed.
     */
    created: (
      id: string,
      observation: Observation,
      refundAddress: string | null,
      signature: string | null = null,
    ): Promise<boolean> =>
      unlessTaken(() =>
        database.transaction(async (tx) => {
          const { deposit, order } = observation.swap;
          const found = tx.selectFrom('intents').selectAll().where('id', '=', id);
          const row = await lockRows(found, database.kind).executeTakeFirstOrThrow();
          // A person may have linked an order before the response arrived.
          if (row.outcome === 'created') return row.order_number === order;
          // A ticket is of the create; the rest is of the order that it had, which may be another one.
          const isSame = row.order_number === order;
          const settled = {
            outcome: 'created',
            reason: null,
            order_number: order,
            sent: isSame ? row.sent : null,
            quiet_until: isSame ? row.quiet_until : null,
            given_back: 0,
          };
          const known = isSame ? row.refund_address : null;
          const entry = { ...entryFromRow({ ...row, ...settled }), ...NEVER_SEEN, refundAddress: known };
          await writeObservation(tx, entry, observation, { refundAddress: known ?? refundAddress, settled });
          const data = {
            entry: id,
            outcome: 'created',
            order,
            deposit: { address: deposit.address, memo: deposit.memo },
            ...(signature === null ? {} : { signature }),
          };
          await record(tx, row, { type: 'outcome', data, at: observation.at });
          return true;
        }),
      ),
  };
}

async function dismissEntry(
  tx: Transaction,
  id: string,
  { at, signer, record }: { readonly at: number; readonly signer: Signer | null; readonly record: WriteFact },
) {
  const entry = await tx.selectFrom('intents').select('account').where('id', '=', id).executeTakeFirst();
  if (entry === undefined) return null;
  // Locked before the entry, as by a claim.
  const ownerKey = (await lockGuard(tx, entry.account))?.ownerKey ?? null;
  const statement = settleStatement(entry.account, id, null);
  const signature = signer === null ? null : ownerSignature({ ownerKey }, signer, statement);
  const changes = { outcome: ['unknown', 'dismissed'] } as const;
  const row = await settleUnknown(tx, id, { outcome: 'dismissed' }, { at, changes });
  if (row === undefined) return null;
  const givenBack = signature !== null || (ownerKey === null && row.order_number === null);
  if (givenBack) await tx.updateTable('intents').set({ given_back: 1 }).where('id', '=', id).execute();
  const data = { entry: id, outcome: 'dismissed', order: row.order_number, givenBack, signature };
  await record(tx, row, { type: 'outcome', data, at });
  return { givenBack };
}

/** Write methods for orders that exist. */
export function swapWrites(database: Database<LedgerSchema>, times: StatusTimes) {
  const observe = async (
    tx: Transaction,
    owner: Owner,
    observation: Observation,
    refundAddress?: string,
  ): Promise<Entry | null> => {
    const { swap, doubts, at } = observation;
    const entry = await lockByOrder(tx, owner, swap.order, database.kind);
    if (entry === null) return null;
    const learned = async (status: string) => (swap.final ? null : times(tx, entry, status, at));
    const storedSwap = await writeObservation(tx, entry, observation, { refundAddress, learned });
    const address = refundAddress ?? entry.refundAddress;
    return { ...entry, swap: storedSwap, doubts, seenAt: at, refundAddress: address };
  };
  /** Adds an order made elsewhere; if another process adds it at the same time, it exists, which is enough. */
  const ensure = async (owner: Owner, { swap, at, request = null }: Observation): Promise<boolean> => {
    if ((await findByOrder(database.kysely, owner, swap.order)) !== null) return false;
    return unlessTaken(() =>
      database.transaction(async (tx) => {
        await insertEntry(tx, { ...madeElsewhere(owner, swap, at), request });
        return true;
      }),
    );
  };
  return {
    /**
     * Records an observation of a swap and returns its entry; null if the ledger does not have the order. `known` is the
     * entry as just read, if it was. A power cut may undo an observation without news, which the next poll repeats.
     */
    seen: async (
      owner: Owner,
      observation: Observation,
      known: Entry | null = null,
    ): Promise<Entry | null> => {
      const { swap, at } = observation;
      if (known?.account === owner.account && known.order === swap.order && !swap.final) {
        const learned = (status: string) => times(database.kysely, known, status, at);
        if (await writeUnchanged(database.relaxed, known, observation, learned))
          return { ...known, seenAt: at };
      }
      return database.transaction((tx) => observe(tx, owner, observation));
    },
    /** Records an observation, and adds the order to the ledger if it was made elsewhere; false if the ledger has it. */
    imported: async (owner: Owner, observation: Observation): Promise<boolean> => {
      const isAdded = await ensure(owner, observation);
      await database.transaction((tx) => observe(tx, owner, observation));
      return isAdded;
    },
    /** Records a refund address, and adds the order to the ledger if it was made elsewhere. */
    refundAddressSet: async (
      owner: Owner,
      observation: Observation,
      refundAddress: string,
    ): Promise<void> => {
      await ensure(owner, observation);
      const entry = await database.transaction((tx) => observe(tx, owner, observation, refundAddress));
      if (entry === null) throw new StorageError(`The ledger has no order ${observation.swap.order}.`);
    },
  };
}

/** Gives an entry of unknown outcome another one and records that; undefined if it is settled already. */
async function settleUnknown(
  tx: Transaction,
  id: string,
  values: { readonly outcome: string; readonly reason?: string; readonly order_number?: string | undefined },
  { at, changes }: Pick<Parameters<typeof recordChange>[3], 'at' | 'changes'>,
) {
  const row = await tx
    .updateTable('intents')
    .set((is) => ({
      ...values,
      ...(values.order_number === undefined
        ? {}
        : { search: withWord(is.ref('search'), is.val(values.order_number)) }),
      changes: is('changes', '+', 1),
    }))
    .where('id', '=', id)
    .where('outcome', '=', 'unknown')
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const type = `create.${values.outcome}`;
  const change = { at, unchangedUntil: null, type, status: null, statusCode: null, changes };
  await recordChange(tx, id, row.changes, change);
  return row;
}

/** An entry for an order made elsewhere, dated by its creation if the service gives that time. */
function madeElsewhere(owner: Owner, { order, createdAt, startedAt }: Swap, at: number): Entry {
  const requestedAt = Math.min(at, wireTime(createdAt ?? startedAt) ?? at);
  return { ...owner, ...NEW_ENTRY, id: randomUUID(), outcome: 'created', order, requestedAt };
}

async function lockByOrder(
  tx: Transaction,
  { account }: Owner,
  order: string,
  kind: Database<LedgerSchema>['kind'],
): Promise<Entry | null> {
  const query = tx.selectFrom('intents').selectAll();
  const found = query.where('account', '=', account).where('order_number', '=', order);
  const row = await lockRows(found, kind).executeTakeFirst();
  return row === undefined ? null : entryFromRow(row);
}

/** Locks the rows that are read; a transaction of SQLite has the whole ledger for itself. */
function lockRows<Row>(
  query: SelectQueryBuilder<LedgerSchema, 'intents', Row>,
  kind: Database<LedgerSchema>['kind'],
) {
  return kind === 'postgres' ? query.forNoKeyUpdate() : query;
}
