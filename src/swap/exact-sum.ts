import type { Decimal } from './amount.ts';
import { fromSmallestUnit } from './amount.ts';

/** A sum of decimals that loses no digit, however long they are. */
export class ExactSum {
  #units = 0n;
  #places = 0;

  add(amount: Decimal): void {
    const dot = amount.indexOf('.');
    if (dot < 0) this.#add(BigInt(amount), 0);
    else this.#add(BigInt(amount.slice(0, dot) + amount.slice(dot + 1)), amount.length - dot - 1);
  }

  addSum(other: ExactSum): void {
    this.#add(other.#units, other.#places);
  }

  /** The sum without trailing zeros. */
  get amount(): Decimal {
    return fromSmallestUnit(this.#units, this.#places);
  }

  #add(units: bigint, places: number): void {
    if (places > this.#places) {
      this.#units *= 10n ** BigInt(places - this.#places);
      this.#places = places;
    }
    this.#units += places < this.#places ? units * 10n ** BigInt(this.#places - places) : units;
  }
}
