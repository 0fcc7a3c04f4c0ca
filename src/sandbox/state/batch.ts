import { BusyError } from '../../database/failures.ts';

/** What a batch does with its items: results in the order of the items. */
type Flush<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** Turns of the event loop that work is put off at most while others keep joining. */
const MAX_TURNS = 8;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets callers share one piece of work, as many as ask before a turn of the event loop passes in which nobody does.
 * It begins after the last of them asked, so nobody is answered with something older than the question.
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
 * Collects items into batches: as many as come before a turn of the event loop passes in which none does, or while as
 * many batches as may be are under way. If a batch fails, all of its callers get its error; if that is a database that
 * is locked for long, so do all who wait for a batch, for they would wait as long once more.
 */
export function batch<Item, Result>(
  flush: Flush<Item, Result>,
  largest: number,
  atOnce = 1,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let gathering = false;
  const begin = (): void => {
    gathering = false;
    while (underWay < atOnce && waiting.length > 0) {
      const batch = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      underWay += 1;
      void settle(flush, batch).then((error) => {
        underWay -= 1;
        if (error instanceof BusyError) for (const { reject } of waiting.splice(0)) reject(error);
        gather();
      });
    }
  };
  const gather = (): void => {
    if (gathering || underWay >= atOnce || waiting.length === 0) return;
    gathering = true;
    afterIdleTurn(() => waiting.length, begin);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      gather();
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
