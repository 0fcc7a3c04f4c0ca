import { hash } from 'node:crypto';
import { UsageError } from '../../errors.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { CoinOnNetwork, SwapRequest } from '../../swap/swap.ts';
import { relativeTime, rfc3339, wireTime } from '../../time.ts';
import type { AskedSwap } from '../check.ts';
import { contentText, entryOfKey, type SwapContent } from '../idempotency.ts';
import { lookUpSwap, serviceTime } from '../lookup.ts';
import type { Ports, Service } from '../ports.ts';

/** The key of a row, which it brought or which was made of its content. */
interface RowKey {
  readonly key: string;
  readonly isOwn: boolean;
}

/**
 * Gives each row its key: its own, or one made of its content and its number among equal rows. The content is coins,
 * networks, amount, side, address and memo by their meaning, however they are written. What may be added to a file that
 * was sent in part is not in it (labels, rate type, bounds, a refund address): a row never gets another key, and a
 * second order, by that.
 */
export class RowKeys {
  /** How often each content has been seen; and of each key of a row's own, the row that has it. */
  readonly #equal = new Map<string, number>();
  readonly #own = new Map<string, number>();

  /**
   * The key of the next row; `sent` is null for one that a check refused, which then counts as it is written. Throws a
   * usage error for a key of its own that an earlier row has.
   */
  keyOf(row: number, asked: AskedSwap, sent: SwapContent | null, own: string | null): RowKey {
    if (own === null) {
      const content = contentHash(sent ?? asWritten(asked));
      const number = (this.#equal.get(content) ?? 0) + 1;
      this.#equal.set(content, number);
      return { key: `${KEY_PREFIX}${content}-${number}`, isOwn: false };
    }
    const earlier = this.#own.get(own);
    if (earlier !== undefined) throw new UsageError(`Same key as row ${earlier}.`);
    this.#own.set(own, row);
    return { key: own, isOwn: true };
  }
}

/** What every key begins with that a row did not bring. */
const KEY_PREFIX = 'batch-';

/** Whether a key was made of this content. */
export function isKeyOf(key: string | null, sent: SwapContent): boolean {
  return key?.startsWith(`${KEY_PREFIX}${contentHash(sent)}-`) ?? false;
}

function contentHash(sent: SwapContent): string {
  return hash('sha256', contentText(sent)).slice(0, 32);
}

/** The request of a row whose coins and addresses the service does not take, or no longer: it may have its order. */
function asWritten(asked: AskedSwap): SwapRequest {
  const asset = ({ coin, network }: CoinOnNetwork) => ({ coin, network: network ?? coin });
  return { ...asked, deposit: asset(asked.from), receive: asset(asked.to) };
}

/** An order that is older is not taken for a row of today without being asked for. */
const MAX_AGE_MS = 24 * 3_600_000;

/** An open order that was last seen before this may have ended since, so it is polled before a row takes it. */
export const RECENT_MS = 10 * 60_000;

/** What happens to rows that already have an order. */
export interface RepeatOptions {
  /** Reuse the orders that rows already have, whatever their status. */
  readonly resume: boolean;
  /** Create new orders for rows whose order has ended, has expired or is older than a day. */
  readonly repeat: boolean;
}

interface KeyInUse {
  readonly key: string;
  /** The order, or create of unknown outcome, that the row already has under this key; null where one is to be created. */
  readonly entry: Entry | null;
  /** The row has an order, and is to get a new one. */
  readonly isRepeat: boolean;
}

/**
 * Finds the order that each row already has, and decides whether the row takes it. A key of its own always does. A key
 * that was made of the row's content does so for a day, as long as the order is open, for which one that was not seen
 * lately is polled; afterwards the row may be another
 * payment, and only `--resume` takes the order, while `--repeat` makes a new one.
 *
 * The keys of repeats are counted (`…-repeat-1`), so a repeat that is run again finds what it made: an order that a repeat
 * created stays its own for a day, whatever its outcome.
 */
export class ExistingOrders {
  readonly #ports: Ports;
  readonly #service: Service;
  readonly #options: RepeatOptions;
  /** Of the orders that are made again: when the oldest was made, and the newest of an earlier repeat. */
  #oldest = Number.POSITIVE_INFINITY;
  #newestRepeat = Number.NEGATIVE_INFINITY;

  constructor(ports: Ports, service: Service, options: RepeatOptions) {
    this.#ports = ports;
    this.#service = service;
    this.#options = options;
  }

  /** The key that a row uses in this run. Throws a usage error for an order that it may or may not mean. */
  async of({ key, isOwn }: RowKey): Promise<KeyInUse> {
    if (isOwn) return { key, entry: await entryOfKey(this.#ports, key), isRepeat: false };
    const { resume, repeat } = this.#options;
    const newest = await this.#newest(key);
    if (newest === null) return { key: repeat ? repeatKey(key, 1) : key, entry: null, isRepeat: false };
    const { entry, number } = newest;
    const found = { key: keyOf(key, number), entry, isRepeat: false };
    const now = this.#ports.now();
    const doubt = resume ? null : (this.#whyNot(entry) ?? this.#whyNot(await this.#upToDate(entry)));
    if (doubt === null) return found;
    if (!repeat) throw mayBeAnother(entry, doubt, now);
    if (number > 0 && now - entry.requestedAt < MAX_AGE_MS) return found;
    this.#oldest = Math.min(this.#oldest, entry.requestedAt);
    if (number > 0) this.#newestRepeat = Math.max(this.#newestRepeat, entry.requestedAt);
    return { key: repeatKey(key, number + 1), entry: null, isRepeat: true };
  }

  /**
   * The error for a repeat that would make some rows a second time: an earlier one reached only a part of them, too long
   * ago to be continued. Null where there is none.
   */
  unfinishedRepeat(): UsageError | null {
    if (this.#newestRepeat - this.#oldest <= MAX_AGE_MS) return null;
    return new UsageError(
      `An earlier --repeat created orders for only some of the rows, the last at ${rfc3339(this.#newestRepeat)}; others still have an order of ${rfc3339(this.#oldest)}.`,
      'Run --repeat on a file with only the other rows. To create all rows again, give each a `key`.',
    );
  }

  #whyNot(entry: Entry): string | null {
    return whyNot(entry, this.#ports.now(), serviceTime(this.#ports, this.#service));
  }

  /** The entry of an order that is still open, which is polled if it may have ended since it was last seen. */
  async #upToDate(entry: Entry): Promise<Entry> {
    const { outcome, order, seenAt, requestedAt } = entry;
    const age = serviceTime(this.#ports, this.#service) - Math.max(seenAt ?? 0, requestedAt);
    if (outcome !== 'created' || order === null || age <= RECENT_MS) return entry;
    await lookUpSwap(this.#ports, this.#service, order);
    return (await (await this.#ports.ledger()).byId(entry.id)) ?? entry;
  }

  /** The newest order of a row, and the number of the repeat that made it; 0 is the first run. */
  async #newest(key: string): Promise<{ readonly entry: Entry; readonly number: number } | null> {
    const first = await entryOfKey(this.#ports, key);
    let newest = first === null ? null : { entry: first, number: 0 };
    for (let number = 1; ; number += 1) {
      const entry = await entryOfKey(this.#ports, repeatKey(key, number));
      if (entry === null) return newest;
      newest = { entry, number };
    }
  }
}

function keyOf(key: string, number: number): string {
  return number === 0 ? key : repeatKey(key, number);
}

function repeatKey(key: string, number: number): string {
  return `${key}-repeat-${number}`;
}

/**
 * Why an order may not be the one that a row means today, as a clause; null where it is. A window ends by the clock of
 * the service.
 */
function whyNot({ outcome, requestedAt, swap }: Entry, now: number, serviceNow: number): string | null {
  // An order may exist, and another one could be its second.
  if (outcome === 'unknown') return null;
  if (swap?.final === true) return `has ended as ${swap.status}`;
  const end = wireTime(swap?.expiresAt ?? null);
  if (swap?.status === 'new' && end !== null && end <= serviceNow) return 'has expired';
  return now - requestedAt >= MAX_AGE_MS ? 'is older than a day' : null;
}

function mayBeAnother({ order, requestedAt }: Entry, doubt: string, now: number): UsageError {
  const createdAt = rfc3339(requestedAt);
  return new UsageError(
    `Order ${order} was created for an equal row ${relativeTime(createdAt, now)} and ${doubt}.`,
    'Add --resume to continue with that order, or --repeat to create a new one.',
    'usage',
    { order, createdAt },
  );
}
