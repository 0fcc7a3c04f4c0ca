import { BusyError } from '../../core/database/failures.ts';

/** Most items that are processed at a time. */
const MAX_ITEMS = 64;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Processes items that arrive in one turn of the event loop, or while others are being processed, together: they share one
 * transaction, and so one wait for the disk. `work` returns results in the order of the items. If it fails, its items
 * fail with it; if the database did not finish in time, so do those that wait, who would otherwise wait as long again.
 */
export function inGroups<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const taken = waiting.splice(0, MAX_ITEMS);
      try {
        const results = await work(taken.map(({ item }) => item));
        for (const [index, { resolve }] of taken.entries()) resolve(results[index] as Result);
      } catch (error) {
        const failed = error instanceof BusyError ? taken.concat(waiting.splice(0)) : taken;
        for (const { reject } of failed) reject(error);
      }
    }
    isRunning = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) setImmediate(() => void run());
      isRunning = true;
    });
}
