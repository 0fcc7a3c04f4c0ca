import type { Context } from '../../context.ts';
import { fullSentence, StorageError } from '../../errors.ts';
import type { Owner } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Service } from '../../swaps/ports.ts';
import type { Bell } from './bell.ts';
import type { ListenOptions } from './options.ts';

/** State that the parts of a listening program share. */
export interface Listening {
  readonly context: Context;
  readonly service: Service;
  readonly ledger: Ledger;
  readonly owner: Owner;
  readonly options: ListenOptions;
  /** Orders that alone are meant; null for all of the profile. */
  readonly orders: readonly string[] | null;
  /** Aborted when everything is to end. */
  readonly stop: AbortSignal;
}

/** Longest pause of a loop, in milliseconds: what other processes record is found by looking. */
const MAX_PAUSE_MS = 1_000;

/** Pause before a ledger that failed is tried again, in milliseconds. */
const LEDGER_PAUSE_MS = 2_000;

/** Waits until a bell rings, at most a second; ends at once, and without an error, when everything is to end. */
export async function pauseFor(
  { context, stop }: Pick<Listening, 'context' | 'stop'>,
  bell: Bell,
  milliseconds: number = MAX_PAUSE_MS,
): Promise<void> {
  if (stop.aborted) return;
  try {
    await bell.pause(() => context.sleep(Math.max(1, Math.min(milliseconds, MAX_PAUSE_MS)), stop));
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

/**
 * Does a piece of work again and again until everything is to end. A ledger that fails is told of once and tried again,
 * for a database that restarts is back soon.
 */
export async function keepOn(listening: Listening, bell: Bell, work: () => Promise<void>): Promise<void> {
  let failed = false;
  while (!listening.stop.aborted) {
    try {
      await work();
      failed = false;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (!failed) listening.context.streams.note(`${fullSentence(error.message)} Trying again.`, true);
      failed = true;
      await pauseFor(listening, bell, LEDGER_PAUSE_MS);
    }
  }
}
