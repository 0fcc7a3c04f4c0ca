import type { Context } from '../../context.ts';
import { InterruptedError } from '../../errors.ts';
import { wipeEcho } from '../../terminal/progress.ts';

/**
 * Watches something; a Ctrl-C meanwhile ends nothing but the looking, and `words` say so. It also ends once nobody reads
 * what it prints.
 */
export async function untilInterrupted<T>(
  { streams, watchReaders }: Context,
  words: string,
  watch: () => Promise<T>,
): Promise<T> {
  const stop = await watchReaders();
  try {
    return await watch();
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    wipeEcho(streams);
    throw new InterruptedError(error.signal, words);
  } finally {
    stop();
  }
}
