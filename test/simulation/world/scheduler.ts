import type { Random } from '../random.ts';

/** Something that happens at a time. */
interface Wake {
  readonly at: number;
  /** Decides between wakes of the same time. */
  readonly tie: number;
  readonly run: () => unknown;
}

/** Owns time: everything that waits is here, and one thing happens after the other. */
export class Scheduler {
  /** Milliseconds since the world began. */
  now = 0;
  /** Things that happened so far. */
  steps = 0;
  readonly #random: Random;
  readonly #heap: Wake[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Has something happen after some milliseconds. */
  after(milliseconds: number, run: () => unknown): void {
    const wake = { at: this.now + Math.max(0, milliseconds), tie: this.#random.next(), run };
    const heap = this.#heap;
    let place = heap.push(wake) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(wake, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = wake;
  }

  /** A pause that belongs to no process. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  /** Work that takes no simulated time, although it waits for files or processes of the real machine. */
  whole<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => this.after(0, () => work().then(resolve, reject)));
  }

  /** Lets things happen until a time, or until the work is done. Then nothing is under way but waits. */
  async run(until: number, isDone: () => boolean, onStep: () => void): Promise<void> {
    while (!isDone()) {
      const next = this.#heap[0];
      if (next === undefined || next.at > until) break;
      this.#removeFirst();
      this.now = Math.max(this.now, next.at);
      this.steps += 1;
      // A request is handled by the service in one step; everything else only wakes a process.
      const result = next.run();
      if (result instanceof Promise) await result;
      await settled();
      onStep();
    }
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child += 1;
      const smaller = heap[child];
      if (smaller === undefined || !isBefore(smaller, last)) break;
      heap[place] = smaller;
      place = child;
    }
    heap[place] = last;
  }
}

function isBefore(a: Wake, b: Wake): boolean {
  return a.at < b.at || (a.at === b.at && a.tie < b.tie);
}

/** All promises have gone as far as they can: Node's own turn of the event loop comes after the last of them. */
function settled(): Promise<void> {
  return new Promise((resolve) => void globalThis.setImmediate(resolve));
}
