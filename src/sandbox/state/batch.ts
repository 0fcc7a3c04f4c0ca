import { BusyError } from '../../core/database/failures.ts';

/** Processes a batch; returns results in the order of the items. */
type Flush<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** Maximum event-loop turns for which work is delayed while more callers join. */
const MAX_TURNS = 8;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes callers share one piece of work: they are collected until one event-loop turn brings no new one. The work
 * begins after the last of them called, so no caller gets a result older than the call.
 */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  let callers = 0;
  return () => {
    callers += 1;
    pending ??= new Promise<void>((resolve) => {
      afterIdleTurn(() => callers, resolve);
    }).then(() => {
      pending = undefined;
      callers = 0;
      return work();
    });
    return pending;
  };
}

/**
 * Collects items into batches: items are collected until one event-loop turn brings no new one, or while the maximum of
 * batches is running. If a batch fails, all of its callers get its error. If the database did not finish in time, so do
 * all waiting callers, who would otherwise wait as long again.
 */
export function batch<Item, Result>(
  flush: Flush<Item, Result>,
  maxItems: number,
  maxRunning = 1,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isScheduled = false;
  const begin = (): void => {
    isScheduled = false;
    while (running < maxRunning && waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      running += 1;
      void settle(flush, batch).then((error) => {
        running -= 1;
        if (error instanceof BusyError) for (const { reject } of waiting.splice(0)) reject(error);
        schedule();
      });
    }
  };
  const schedule = (): void => {
    if (isScheduled || running >= maxRunning || waiting.length === 0) return;
    isScheduled = true;
    afterIdleTurn(() => waiting.length, begin);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

function afterIdleTurn(joined: () => number, begin: () => void, turns = MAX_TURNS): void {
  const before = joined();
  setImmediate(() => {
    if (joined() > before && turns > 1) afterIdleTurn(joined, begin, turns - 1);
    else begin();
  });
}

async function settle<Item, Result>(
  flush: Flush<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<unknown> {
  try {
    const results = await flush(batch.map(({ item }) => item));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index];
      if (result === undefined) reject(new RangeError('A batch gave too few results.'));
      else resolve(result);
    }
    return undefined;
  } catch (error) {
    for (const { reject } of batch) reject(error);
    return error;
  }
}
