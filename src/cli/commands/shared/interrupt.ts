import { InterruptedError, StoppedError } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import { wipeEcho } from '../../terminal/progress.ts';

/** Watches something; Ctrl-C during this time ends only the watching, as `words` say. */
export async function untilInterrupted<T>({ streams }: Context, words: string, watch: () => Promise<T>) {
  try {
    return await watch();
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    wipeEcho(streams);
    throw new StoppedError(error.signal, words);
  }
}

/** Resolves once a signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
