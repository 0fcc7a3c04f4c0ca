/** What a batch does with its items: results in the order of the items. */
export type Flush<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets all callers of one turn of the event loop share one piece of work. It begins after the last of them asked,
 * so nobody is answered with something older than the question.
 */
export function sharedPerTurn<T>(work: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= new Promise<void>((resolve) => {
      setImmediate(resolve);
    }).then(() => {
      pending = undefined;
      return work();
    });
    return pending;
  };
}

/**
 * Collects the items of one turn of the event loop, and of the time that the batch before takes, into one batch.
 * If a batch fails, all of its callers get its error.
 */
export function batchedPerTurn<Item, Result>(
  flush: Flush<Item, Result>,
  largest: number,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = false;
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      await settle(flush, batch);
    }
    running = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running) return;
      running = true;
      setImmediate(run);
    });
}

async function settle<Item, Result>(
  flush: Flush<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await flush(batch.map(({ item }) => item));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index];
      if (result === undefined) reject(new RangeError('A batch gave too few results.'));
      else resolve(result);
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
