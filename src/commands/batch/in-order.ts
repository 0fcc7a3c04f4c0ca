/**
 * Works on the items of a source, some at once, and gives the results in the order of the source. What is under way is
 * waited for when the results are no longer asked for.
 */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of source) {
      const result = work(item);
      // Its failure is thrown when its turn comes.
      result.catch(() => undefined);
      running.push(result);
      const first = running.length >= atOnce ? running.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (let first = running.shift(); first !== undefined; first = running.shift()) yield await first;
  } finally {
    await Promise.allSettled(running);
  }
}
