/** How many requests a key has sent in a window, and when the window ends. */
export interface Count {
  readonly points: number;
  readonly expire: number;
}

/**
 * Counts of this process alone, for as long as the database takes none: a full disk is no reason to refuse a read, and
 * none to let everybody send as much as they like.
 */
export class CountsInMemory {
  readonly #counts = new Map<string, Count>();

  /** Remembers what the database counted last, to go on from there. */
  note(key: string, count: Count): void {
    this.#counts.set(key, count);
  }

  /** Adds requests of a key to its window, which begins now if the last one is over. Times in milliseconds. */
  add(key: string, points: number, windowMs: number, now: number): Count {
    const last = this.#counts.get(key);
    const isOver = last === undefined || last.expire <= now;
    const count = isOver
      ? { points, expire: now + windowMs }
      : { points: last.points + points, expire: last.expire };
    this.#counts.set(key, count);
    return count;
  }
}
