import type { Books } from './books.ts';
import type { ChangeBucket } from './budget/budget.ts';
import type { RecordedChange } from './changes.ts';
import type { Entry, IntentOutcome, Owner } from './entry.ts';
import type { Events } from './events/events.ts';
import type { Polls } from './polls.ts';
import type { Figures } from './report/figures.ts';
import type { Look } from './rows.ts';
import type { LabelledIntent } from './stored-json.ts';

/** Open swaps of one status code, null where nothing was seen of them yet. */
export interface OpenCount {
  readonly statusCode: number | null;
  readonly count: number;
  /** When the oldest of them was requested, in milliseconds since 1970. */
  readonly oldest: number;
}

/** Outcome of a create that made no order, or none that may be funded. */
export interface Settlement {
  readonly outcome: Exclude<IntentOutcome, 'created' | 'dismissed'>;
  readonly reason: string;
  /** The order that was made all the same. */
  readonly order?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The local record of every requested swap. All methods throw `storage_failed`. */
export interface Ledger {
  /**
   * Writes an intent durably before anything is sent; its outcome is `not-sent`. For an idempotency key that the
   * account has used before, returns the earlier entry and writes nothing; a dismissed entry releases its key.
   */
  begin(
    owner: Owner,
    intent: LabelledIntent,
    key: string | null,
    at: number,
  ): Promise<{ entry: Entry; fresh: boolean }>;
  /**
   * Claims an intent, the last step before sending: its outcome becomes `unknown` and its content the one given here.
   * Only one caller gets true, so that two processes with one key send one request.
   */
  claim(id: string, owner: Owner, intent: LabelledIntent, at: number): Promise<boolean>;
  /** Settles a claimed intent that created no order, or none that may be funded; a settled one stays as it is. */
  settle(id: string, settlement: Settlement): Promise<void>;
  /**
   * Settles a claimed intent with its order. Returns false and writes nothing where another entry has that order number
   * already.
   */
  created(id: string, look: Look, refundAddress: string | null): Promise<boolean>;
  /** Settles an unknown outcome that a person has looked into; false where it is settled already. */
  dismiss(id: string, at: number): Promise<boolean>;
  /** Throws where nothing can be written now: it is read-only, or locked by another process for longer than it waits. */
  checkWritable(): Promise<void>;
  byId(id: string): Promise<Entry | null>;
  /** Records a swap as just seen, if it is in the ledger; returns its updated entry. */
  seen(owner: Owner, look: Look): Promise<Entry | null>;
  /** Records a swap as just seen, of an order made elsewhere too, which is in the ledger from then on. */
  takenUp(owner: Owner, look: Look): Promise<void>;
  /** Records a refund address, also for an order that was not created by swapctl. */
  refundAddressSet(owner: Owner, look: Look, refundAddress: string): Promise<Entry>;
  byKey(owner: Owner, key: string): Promise<Entry | null>;
  /** The entries of a key: the account's own, and those of other accounts that the profile of this name had before. */
  withKey(owner: Owner, key: string): Promise<readonly Entry[]>;
  byOrder(owner: Owner, order: string): Promise<Entry | null>;
  /** The owner's swaps (null: everybody's) that were created and not final when last seen, oldest first. */
  open(owner: Owner | null): Promise<readonly Entry[]>;
  /** Unknown outcomes and ended swaps that need a person, of all owners, oldest first. */
  troubled(): Promise<readonly Entry[]>;
  /** Number of the owner's open swaps in each status. */
  openByStatus(owner: Owner): Promise<readonly OpenCount[]>;
  /** The entries of an order number, of any owner. */
  withOrder(order: string): Promise<readonly Entry[]>;
  /** Everything that changed in an entry, oldest first. */
  changes(id: string): Promise<readonly RecordedChange[]>;
  /** Filtered reads of the whole ledger, a page at a time. */
  readonly books: Books;
  /** The figures of swaps that reports add up. */
  readonly figures: Figures;
  /** Events of swaps, and their deliveries. */
  readonly events: Events;
  /** Leases of open swaps to the processes that look at them. */
  readonly polls: Polls;
  /** Budgets of requests, one per key for all processes on the ledger. */
  readonly buckets: ChangeBucket;
  close(): Promise<void>;
}
