import { fullSentence, StorageError } from '../../../base/errors.ts';
import type { Ports } from '../ports.ts';

/** What loops that run side by side share. */
export interface LoopContext {
  readonly ports: Pick<Ports, 'sleep' | 'notify'>;
  /** Aborted when everything is to end. */
  readonly stop: AbortSignal;
}

/** Longest pause of a loop, in milliseconds: what other processes record is found by polling the ledger. */
const MAX_PAUSE_MS = 1_000;

/** Waits until a loop is woken, at most a second; ends immediately, without an error, when everything is to end. */
export async function pauseFor(
  { ports, stop }: LoopContext,
  waker: Waker,
  milliseconds: number = MAX_PAUSE_MS,
) {
  if (stop.aborted) return;
  try {
    await waker.pause(() => ports.sleep(Math.max(1, Math.min(milliseconds, MAX_PAUSE_MS)), stop));
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

/** Repeats work until everything is to end. A ledger failure is reported once and retried: it is soon back. */
export async function repeatUntilStopped(loop: LoopContext, waker: Waker, work: () => Promise<void>) {
  let failed = false;
  while (!loop.stop.aborted) {
    try {
      await work();
      failed = false;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (!failed)
        await loop.ports.notify({ level: 'note', text: `${fullSentence(error.message)} Trying again.` });
      failed = true;
      await pauseFor(loop, waker);
    }
  }
}

/** Waits for all. The first that ends ends the others, which finish their current work; a failure is thrown. */
export async function allEnded(parts: readonly Promise<void>[], end: () => void): Promise<void> {
  const results = await Promise.allSettled(parts.map((part) => part.finally(end)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Wakes a loop that pauses; one that is woken during its work does not pause the next time. */
export class Waker {
  #isWoken = false;
  #wake: (() => void) | null = null;

  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Ends with `sleep`, or when it is woken. One may pause at a time. */
  async pause(sleep: () => Promise<void>): Promise<void> {
    if (!this.#isWoken)
      await Promise.race([
        sleep(),
        new Promise<void>((resolve) => {
          this.#wake = resolve;
        }),
      ]);
    this.#isWoken = false;
    this.#wake = null;
  }
}
