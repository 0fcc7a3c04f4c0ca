import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import { UniqueViolationError } from '../database/failures.ts';
import { openDatabase } from '../database/open.ts';
import type { Swap } from '../swap/swap.ts';
import type { CreateIntent, Entry, IntentOutcome, Owner } from './entry.ts';
import { entryFromRow } from './entry.ts';
import type { LedgerSchema } from './schema.ts';
import { LEDGER_MIGRATIONS } from './schema.ts';

/** One status of a swap with the time it was first seen. */
export interface Sighting {
  readonly seenAt: number;
  readonly status: string;
  readonly statusCode: number;
}

/** The local record of every swap that was asked for. All methods throw `storage_failed`. */
export interface Ledger {
  /**
   * Writes an intent durably before anything is sent; its outcome is `not-sent`. With an idempotency key that
   * the profile has used before, the earlier entry comes back and nothing is written.
   */
  begin(
    owner: Owner,
    intent: CreateIntent,
    key: string | null,
    at: number,
  ): Promise<{ entry: Entry; fresh: boolean }>;
  /**
   * The last step before sending: from here on the outcome is `unknown`. Only one caller gets true, so that
   * two processes with one key send one request.
   */
  claim(id: string, intent: CreateIntent, at: number): Promise<boolean>;
  /** Settles a claimed intent that made no order. */
  settle(
    id: string,
    outcome: Exclude<IntentOutcome, 'created'>,
    reason: string,
    order?: string,
  ): Promise<void>;
  /** Settles a claimed intent with the order that it made. */
  created(id: string, swap: Swap, refundAddress: string | null, at: number): Promise<void>;
  /** Records a swap as just seen, if it is in the ledger; returns its entry as it is now. */
  seen(owner: Owner, swap: Swap, at: number): Promise<Entry | null>;
  /** Records a refund address, of an order made elsewhere too. */
  refundAddressSet(owner: Owner, swap: Swap, refundAddress: string, at: number): Promise<Entry>;
  byKey(profile: string, key: string): Promise<Entry | null>;
  byOrder(owner: Owner, order: string): Promise<Entry | null>;
  /** Swaps that were created and are not final as last seen, oldest first. */
  open(profile: string): Promise<readonly Entry[]>;
  /** All entries, unknown outcomes first, then newest first. */
  all(): Promise<readonly Entry[]>;
  sightings(id: string): Promise<readonly Sighting[]>;
  close(): Promise<void>;
}

/** Opens the ledger at a file path or a `postgres://` URL, and makes it where there is none. */
export async function openLedger(location: string): Promise<Ledger> {
  const database = await openDatabase<LedgerSchema>(location, LEDGER_MIGRATIONS, { name: 'ledger' });
  return {
    ...intentWrites(database),
    ...swapWrites(database),
    ...reads(database),
    close: () => database.close(),
  };
}

type LedgerDatabase = Database<LedgerSchema>;

function intentWrites(database: LedgerDatabase): Pick<Ledger, 'begin' | 'claim' | 'settle' | 'created'> {
  return {
    begin: async (owner, intent, key, at) => {
      const earlier = key === null ? null : await findByKey(database.kysely, owner.profile, key);
      if (earlier !== null) return { entry: earlier, fresh: false };
      const entry: Entry = {
        ...owner,
        ...NEW_ENTRY,
        id: randomUUID(),
        idempotencyKey: key,
        request: intent,
        requestedAt: at,
      };
      try {
        await database.transaction((tx) => insert(tx, entry));
        return { entry, fresh: true };
      } catch (error) {
        // Another process wrote the same key in between.
        const other =
          error instanceof UniqueViolationError && key !== null
            ? await findByKey(database.kysely, owner.profile, key)
            : null;
        if (other === null) throw error;
        return { entry: other, fresh: false };
      }
    },
    claim: async (id, intent, at) =>
      database.transaction(async (tx) => {
        const result = await tx
          .updateTable('intents')
          .set({ outcome: 'unknown', reason: null, request: JSON.stringify(intent), requested_at: at })
          .where('id', '=', id)
          .where('outcome', 'in', ['not-sent', 'refused'])
          .executeTakeFirst();
        return result.numUpdatedRows === 1n;
      }),
    settle: async (id, outcome, reason, order) => {
      await database.transaction((tx) =>
        tx
          .updateTable('intents')
          .set({ outcome, reason, ...(order === undefined ? {} : { order_number: order }) })
          .where('id', '=', id)
          .execute(),
      );
    },
    created: async (id, swap, refundAddress, at) => {
      await database.transaction(async (tx) => {
        const settled = {
          outcome: 'created',
          reason: null,
          order_number: swap.order,
          refund_address: refundAddress,
        };
        await tx.updateTable('intents').set(settled).where('id', '=', id).execute();
        await writeSnapshot(tx, id, null, swap, at);
      });
    },
  };
}

function swapWrites(database: LedgerDatabase): Pick<Ledger, 'seen' | 'refundAddressSet'> {
  return {
    seen: (owner, swap, at) =>
      database.transaction(async (tx) => {
        const entry = await findByOrder(tx, owner, swap.order);
        if (entry === null) return null;
        await writeSnapshot(tx, entry.id, entry.swap?.statusCode ?? null, swap, at);
        return { ...entry, swap, seenAt: at };
      }),
    refundAddressSet: (owner, swap, refundAddress, at) =>
      database.transaction(async (tx) => {
        const known = await findByOrder(tx, owner, swap.order);
        const entry: Entry = known ?? {
          ...owner,
          ...NEW_ENTRY,
          id: randomUUID(),
          outcome: 'created',
          order: swap.order,
          requestedAt: at,
        };
        if (known === null) await insert(tx, entry);
        await tx
          .updateTable('intents')
          .set({ refund_address: refundAddress })
          .where('id', '=', entry.id)
          .execute();
        await writeSnapshot(tx, entry.id, entry.swap?.statusCode ?? null, swap, at);
        return { ...entry, refundAddress, swap, seenAt: at };
      }),
  };
}

function reads(database: LedgerDatabase): Pick<Ledger, 'byKey' | 'byOrder' | 'open' | 'all' | 'sightings'> {
  const { kysely } = database;
  return {
    byKey: (profile, key) => findByKey(kysely, profile, key),
    byOrder: (owner, order) => findByOrder(kysely, owner, order),
    open: async (profile) => {
      const rows = await kysely
        .selectFrom('intents')
        .selectAll()
        .where('profile', '=', profile)
        .where('outcome', '=', 'created')
        .where('final', '=', 0)
        .orderBy('requested_at')
        .orderBy('id')
        .execute();
      return rows.map(entryFromRow);
    },
    all: async () => {
      const rows = await kysely
        .selectFrom('intents')
        .selectAll()
        .orderBy('requested_at', 'desc')
        .orderBy('id')
        .execute();
      const entries = rows.map(entryFromRow);
      const unknown = (entry: Entry) => entry.outcome === 'unknown';
      return [...entries.filter(unknown), ...entries.filter((entry) => !unknown(entry))];
    },
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

const NEW_ENTRY = {
  idempotencyKey: null,
  request: null,
  outcome: 'not-sent',
  reason: null,
  order: null,
  seenAt: null,
  swap: null,
  refundAddress: null,
} as const;

async function insert(tx: Kysely<LedgerSchema>, entry: Entry): Promise<void> {
  await tx
    .insertInto('intents')
    .values({
      id: entry.id,
      profile: entry.profile,
      environment: entry.environment,
      host: entry.host,
      idempotency_key: entry.idempotencyKey,
      request: JSON.stringify(entry.request),
      outcome: entry.outcome,
      reason: entry.reason,
      order_number: entry.order,
      requested_at: entry.requestedAt,
      seen_at: entry.seenAt,
      snapshot: null,
      status_code: null,
      final: 0,
      refund_address: entry.refundAddress,
    })
    .execute();
}

async function writeSnapshot(
  tx: Kysely<LedgerSchema>,
  id: string,
  before: number | null,
  swap: Swap,
  at: number,
): Promise<void> {
  const { status, statusCode } = swap;
  await tx
    .updateTable('intents')
    .set({ snapshot: JSON.stringify(swap), seen_at: at, status_code: statusCode, final: swap.final ? 1 : 0 })
    .where('id', '=', id)
    .execute();
  if (before === statusCode) return;
  await tx
    .insertInto('sightings')
    .values({ id: randomUUID(), intent_id: id, seen_at: at, status, status_code: statusCode })
    .execute();
}

async function findByKey(db: Kysely<LedgerSchema>, profile: string, key: string): Promise<Entry | null> {
  const row = await db
    .selectFrom('intents')
    .selectAll()
    .where('profile', '=', profile)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : entryFromRow(row);
}

async function findByOrder(db: Kysely<LedgerSchema>, owner: Owner, order: string): Promise<Entry | null> {
  const row = await db
    .selectFrom('intents')
    .selectAll()
    .where('profile', '=', owner.profile)
    .where('host', '=', owner.host)
    .where('order_number', '=', order)
    .executeTakeFirst();
  return row === undefined ? null : entryFromRow(row);
}
