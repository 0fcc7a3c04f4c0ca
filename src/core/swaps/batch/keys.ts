import { hash } from 'node:crypto';
import { UsageError } from '../../../base/errors.ts';
import { rfc3339, wireTime } from '../../../base/time.ts';
import { CLOCKS_DIFFER_MS, type Entry } from '../../ledger/entry.ts';
import { type Labels, labelsWords } from '../../swap/labels.ts';
import type { CoinOnNetwork, SwapRequest } from '../../swap/swap.ts';
import type { SwapInput } from '../check.ts';
import { contentText, entryOfKey, type SwapContent } from '../idempotency.ts';
import { lookUpSwap, requestedWords, serviceTime } from '../lookup.ts';
import type { Ports, Service } from '../ports.ts';
import { EqualOrders, type EqualRow, repeatKey } from './equal-orders.ts';

/** The key of a row: its own, or the one of its number among the equal rows of the file. */
type RowKey =
  | { readonly key: string; readonly isOwn: true }
  | ({ readonly key: string; readonly isOwn: false } & EqualRow);

/**
 * Gives each row its key: its own, or one derived from its content and its number among equal rows. The content is
 * coins, networks, amount, side, address and memo by their meaning, however they are written. It excludes what may be
 * added to a partly sent file (labels, rate type, bounds, a refund address), so that this never gives a row another
 * key, and a second order.
 */
export class RowKeys {
  /** How often each content has been seen, and the row of each given key. */
  readonly #equal = new Map<string, number>();
  readonly #own = new Map<string, number>();

  /** The key of a row; `sent` is null for a refused one. Throws a usage error for a key that an earlier row has. */
  keyOf(row: number, asked: SwapInput, sent: SwapContent | null, own: string | null): RowKey {
    if (own === null) {
      const content = contentHash(sent ?? asWritten(asked));
      const number = (this.#equal.get(content) ?? 0) + 1;
      this.#equal.set(content, number);
      const stem = `${KEY_PREFIX}${content}`;
      return { key: `${stem}-${number}`, isOwn: false, stem, number };
    }
    const earlier = this.#own.get(own);
    if (earlier !== undefined) throw new UsageError(`Same key as row ${earlier}.`);
    this.#own.set(own, row);
    return { key: own, isOwn: true };
  }
}

const KEY_PREFIX = 'batch-';

/** Whether a key was derived from this content. */
export function isKeyOf(key: string | null, sent: SwapContent): boolean {
  return key?.startsWith(`${KEY_PREFIX}${contentHash(sent)}-`) ?? false;
}

function contentHash(sent: SwapContent): string {
  return hash('sha256', contentText(sent)).slice(0, 32);
}

/** The request of a row with coins or addresses that the service does not accept: it may already have its order. */
function asWritten(asked: SwapInput): SwapRequest {
  const asset = ({ coin, network }: CoinOnNetwork) => ({ coin, network: network ?? coin });
  return { ...asked, deposit: asset(asked.from), receive: asset(asked.to) };
}

/** Age above which an order is used for a row only with --resume. */
const MAX_AGE_MS = 24 * 3_600_000;

/** An open order last seen before this may have ended since, so it is polled before it is used. */
export const RECENT_MS = 10 * 60_000;

/** What happens to rows that already have an order. */
export interface RepeatOptions {
  /** Reuse the orders that rows already have, whatever their status. */
  readonly resume: boolean;
  /** Create new orders for rows whose order has ended, has expired, is older than a day or has other labels. */
  readonly repeat: boolean;
}

/**
 * Finds the order that each row already has, and decides whether to use it. With a given key, it is always used. With a
 * derived key, it is used for a day while it is open; one not seen recently is polled first. Afterwards the row may be
 * another payment: only `--resume` uses the order, while `--repeat` creates a new one. So may a row with other labels than
 * its order at any time: see {@link EqualOrders}.
 *
 * The keys of repeats are numbered (`…-repeat-1`), so a repeat that is run again finds its orders: an order that a repeat
 * created belongs to it for a day, whatever its outcome.
 */
export class ExistingOrders {
  readonly #ports: Ports;
  readonly #service: Service;
  readonly #options: RepeatOptions;
  readonly #equal = new Map<string, EqualOrders>();
  /** Of the orders that are repeated: when the oldest was created, and the newest of an earlier repeat. */
  #oldest = Number.POSITIVE_INFINITY;
  #newestRepeat = Number.NEGATIVE_INFINITY;

  constructor(ports: Ports, service: Service, options: RepeatOptions) {
    this.#ports = ports;
    this.#service = service;
    this.#options = options;
  }

  /** The key that a row uses in this run. Throws a usage error for an order that it may or may not mean. */
  async of(row: RowKey, labels: Labels) {
    if (row.isOwn) return { key: row.key, entry: await entryOfKey(this.#ports, row.key), isRepeat: false };
    const { resume, repeat } = this.#options;
    const equal = this.#equal.get(row.stem) ?? new EqualOrders(this.#ports, row.stem);
    this.#equal.set(row.stem, equal);
    const { baseKey, order, isSame } = await equal.find(row, labels);
    const entry = order === null ? null : await (await this.#ports.ledger()).byId(order.id);
    if (order === null || entry === null)
      return { key: equal.take(repeat ? repeatKey(baseKey, 1) : baseKey), entry: null, isRepeat: false };
    const now = this.#ports.now();
    const doubt = resume
      ? null
      : isSame
        ? await this.#doubt(entry)
        : `has ${labelsWords(entry.labels)}, while this row has ${labelsWords(labels)}`;
    const isOfRepeat = isSame && order.repeat > 0 && now - entry.requestedAt < MAX_AGE_MS;
    if (doubt === null || (repeat && isOfRepeat))
      return { key: equal.take(order.key), entry, isRepeat: false };
    if (!repeat || entry.outcome === 'unknown')
      throw mayBeAnother(entry, doubt, requestedWords(this.#ports, this.#service, entry));
    this.#oldest = Math.min(this.#oldest, entry.requestedAt);
    if (order.repeat > 0) this.#newestRepeat = Math.max(this.#newestRepeat, entry.requestedAt);
    return { key: equal.takeRepeat(baseKey), entry: null, isRepeat: true };
  }

  async #doubt(entry: Entry): Promise<string | null> {
    const why = (each: Entry) => whyNot(each, this.#ports.now(), serviceTime(this.#ports, this.#service));
    return why(entry) ?? why(await this.#upToDate(entry));
  }

  /** The error for a repeat that would create rows twice: an earlier one reached only some of them. Null for none. */
  unfinishedRepeat(): UsageError | null {
    if (this.#newestRepeat - this.#oldest <= MAX_AGE_MS) return null;
    return new UsageError(
      `An earlier --repeat created orders for only some of the rows, the last at ${rfc3339(this.#newestRepeat)}; others still have an order of ${rfc3339(this.#oldest)}.`,
      'Run --repeat on a file with only the other rows. To create all rows again, give each a `key`.',
    );
  }

  /** The entry of an open order, polled if it may have ended since: seen long ago, or before the clock was set back. */
  async #upToDate(entry: Entry): Promise<Entry> {
    const { outcome, order, seenAt, requestedAt } = entry;
    const lastAt = Math.max(seenAt ?? 0, requestedAt);
    const isSetBack = lastAt > this.#ports.now() + CLOCKS_DIFFER_MS;
    const isRecent = serviceTime(this.#ports, this.#service) - lastAt <= RECENT_MS && !isSetBack;
    if (outcome !== 'created' || order === null || isRecent) return entry;
    await lookUpSwap(this.#ports, this.#service, order);
    return (await (await this.#ports.ledger()).byId(entry.id)) ?? entry;
  }
}

/** Why an order may not be the one that a row means now, as a clause, or null. Windows end by the service's clock. */
function whyNot({ outcome, requestedAt, swap }: Entry, now: number, serviceNow: number): string | null {
  // An order may exist, and another one could be its second.
  if (outcome === 'unknown') return null;
  if (swap?.final === true) return `has ended as ${swap.status}`;
  const end = wireTime(swap?.expiresAt ?? null);
  if (swap?.status === 'new' && end !== null && end <= serviceNow) return 'has expired';
  return now - requestedAt >= MAX_AGE_MS ? 'is older than a day' : null;
}

function mayBeAnother({ id, outcome, order, requestedAt }: Entry, doubt: string, when: string): UsageError {
  const createdAt = rfc3339(requestedAt);
  if (outcome === 'unknown')
    return new UsageError(
      `An order may exist for an equal row: its request, sent ${when}, has an unknown outcome and ${doubt}.`,
      `If the row is another payment, add a column \`key\`; otherwise settle the outcome with \`swapctl history resolve ${id}\`.`,
      'usage',
      { id, order, createdAt },
    );
  return new UsageError(
    `Order ${order} was created for an equal row ${when} and ${doubt}.`,
    'Add --resume to continue with that order. If the row is another payment, add a column `key`, or --repeat to create a new order.',
    'usage',
    { order, createdAt },
  );
}
