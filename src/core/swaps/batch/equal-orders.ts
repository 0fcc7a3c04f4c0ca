import { type Labels, sameLabels } from '../../swap/labels.ts';
import { entriesOfKeys } from '../idempotency.ts';
import type { Ports } from '../ports.ts';

/** A row by its content: the key that all equal rows begin with, and its number among them, from 1. */
export interface EqualRow {
  readonly stem: string;
  readonly number: number;
}

/** An order, or a create of unknown outcome, of an equal row. */
interface KeyedOrder {
  readonly id: string;
  readonly key: string;
  /** The key of the row's number, from which those of repeats are derived. */
  readonly baseKey: string;
  /** The number of the repeat that created it; 0 is the first run. */
  readonly repeat: number;
  readonly labels: Labels;
  readonly requestedAt: number;
}

/** Key of a repeat of a row: the base key for 0, the first run, otherwise with `-repeat-` and its number behind it. */
export function repeatKey(baseKey: string, repeat: number): string {
  return repeat === 0 ? baseKey : `${baseKey}-repeat-${repeat}`;
}

/** Numbers, and repeats of each, that are read from the ledger together; where a group has none, the search ends. */
const NUMBERS_PER_READ = 10;
const REPEATS_PER_READ = 5;

/**
 * The orders that the equal rows of earlier files have, which are one payment or several: invoices of the same amount to
 * the same address differ in their labels alone. A row therefore gets the order with its labels, whatever its number; only
 * without one, what its number has.
 */
export class EqualOrders {
  readonly #ports: Ports;
  readonly #stem: string;
  /** The orders of each number by its key, in the order of their repeats. */
  readonly #orders = new Map<string, readonly KeyedOrder[]>();
  /** Keys of the rows of this file. */
  readonly #taken = new Set<string>();
  #read = 0;

  constructor(ports: Ports, stem: string) {
    this.#ports = ports;
    this.#stem = stem;
  }

  /** The order that a row has, and whether it has the row's labels. Afterwards the caller takes the key that the row uses. */
  async find({ number }: EqualRow, labels: Labels) {
    await this.#readTo(number);
    const isSame = (order: KeyedOrder) => !this.#taken.has(order.key) && sameLabels(order.labels, labels);
    const own = this.#newest(this.#baseKey(number));
    const equal = own !== null && isSame(own) ? [own] : [...this.#orders.values()].flat().filter(isSame);
    const [order] = equal.sort((a, b) => b.requestedAt - a.requestedAt);
    if (order !== undefined) return { baseKey: order.baseKey, order, isSame: true };
    const baseKey = this.#free(number);
    return { baseKey, order: this.#newest(baseKey), isSame: false };
  }

  /** Takes a key, so that no other row of the file gets it. */
  take(key: string): string {
    this.#taken.add(key);
    return key;
  }

  /** Takes the key of the next repeat. */
  takeRepeat(baseKey: string): string {
    let repeat = (this.#newest(baseKey)?.repeat ?? 0) + 1;
    while (this.#taken.has(repeatKey(baseKey, repeat))) repeat += 1;
    return this.take(repeatKey(baseKey, repeat));
  }

  #baseKey(number: number): string {
    return `${this.#stem}-${number}`;
  }

  /** The key of a row's number, or else of the first one that no row of the file has. */
  #free(number: number): string {
    let baseKey = this.#baseKey(number);
    for (let next = 1; this.#isTaken(baseKey); next += 1) baseKey = this.#baseKey(next);
    return baseKey;
  }

  #isTaken(baseKey: string): boolean {
    const newest = this.#newest(baseKey);
    const next = repeatKey(baseKey, (newest?.repeat ?? 0) + 1);
    return this.#taken.has(newest?.key ?? baseKey) || this.#taken.has(next);
  }

  /** The order of the last repeat of a row. */
  #newest(baseKey: string): KeyedOrder | null {
    return this.#orders.get(baseKey)?.at(-1) ?? null;
  }

  /** Reads the orders of all numbers up to this one, and beyond it until there are none. */
  async #readTo(number: number): Promise<void> {
    for (let found = this.#read === 0; found || this.#read < number; ) {
      const first = this.#read + 1;
      const bases = Array.from({ length: NUMBERS_PER_READ }, (_, index) => this.#baseKey(first + index));
      found = (await this.#readRepeats(bases, 0)).length > 0;
      this.#read += NUMBERS_PER_READ;
    }
  }

  /** Reads the orders of these rows from a repeat on, and gives the rows that have one. */
  async #readRepeats(bases: readonly string[], from: number): Promise<readonly string[]> {
    const repeats = Array.from({ length: REPEATS_PER_READ }, (_, index) => from + index);
    const candidates = bases.flatMap((baseKey) =>
      repeats.map((repeat) => [repeatKey(baseKey, repeat), { baseKey, repeat }] as const),
    );
    const entries = await entriesOfKeys(
      this.#ports,
      candidates.map(([key]) => key),
    );
    const found = new Map(entries.map((entry) => [entry.idempotencyKey, entry]));
    const having = new Set<string>();
    for (const [key, { baseKey, repeat }] of candidates) {
      const entry = found.get(key);
      if (entry === undefined) continue;
      const { id, labels, requestedAt } = entry;
      const order = { id, key, baseKey, repeat, labels, requestedAt };
      this.#orders.set(baseKey, [...(this.#orders.get(baseKey) ?? []), order]);
      having.add(baseKey);
    }
    if (having.size > 0) await this.#readRepeats([...having], from + REPEATS_PER_READ);
    return [...having];
  }
}
