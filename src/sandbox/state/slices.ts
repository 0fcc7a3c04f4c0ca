import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items that are processed before other work gets its turn: some milliseconds. */
const SLICE = 2000;

/** Passes pages on, and gives other work a turn between two of them. */
export async function* inTurns<T>(pages: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  for await (const page of pages) {
    yield page;
    await nextTurn();
  }
}

/** Splits a long list into short ones. */
export function* slicesOf<T>(items: readonly T[], size = SLICE): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Sorts a long list as `toSorted` does, without blocking the event loop. */
export async function sortInTurns<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for await (const slice of inTurns(slicesOf(items))) runs.push(slice.toSorted(compare));
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await mergeInTurns(runs[index] ?? [], runs[index + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeInTurns<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  const merged: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    const [a, b] = [left[l] as T, right[r] as T];
    const takeLeft = compare(a, b) <= 0;
    merged.push(takeLeft ? a : b);
    if (takeLeft) l += 1;
    else r += 1;
    if (merged.length % SLICE === 0) await nextTurn();
  }
  return merged.concat(left.slice(l), right.slice(r));
}
