/** Random numbers from a text: the same text gives the same numbers on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: string) {
    let hash = 1_779_033_703 ^ seed.length;
    const next = () => {
      hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
      hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
      hash ^= hash >>> 16;
      return hash | 0;
    };
    for (let index = 0; index < seed.length; index += 1) {
      hash = Math.imul(hash ^ seed.charCodeAt(index), 3_432_918_353);
      hash = (hash << 13) | (hash >>> 19);
    }
    [this.#a, this.#b, this.#c] = [next(), next(), next()];
    for (let round = 0; round < 12; round += 1) this.#word();
  }

  /** From 0 to below 1. */
  readonly next = (): number => (this.#word() >>> 0) / 2 ** 32;

  /** A whole number from 0 to below a bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** A whole number of a range, both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new RangeError('Nothing to pick from.');
    return item;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.#word() & 0xff));
  }

  /** sfc32. */
  #word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum;
  }
}

/** Each of these words as often as its weight says. */
export const weighted = <T extends string>(weights: Readonly<Record<T, number>>): readonly T[] =>
  (Object.keys(weights) as T[]).flatMap((word) => Array<T>(weights[word]).fill(word));
