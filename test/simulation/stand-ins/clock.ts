import { Random } from '../random.ts';

/** What the stand-ins give to the product while a world runs; the world sets it at its start. */
export const simulated = {
  random: new Random('none'),
  /** Milliseconds since the world began. */
  now: () => 0,
  sleep: async (_milliseconds: number): Promise<void> => undefined,
  after: (_milliseconds: number, _work: () => void): void => undefined,
};

/** Stands for the global of Node. */
export const performance = { now: () => simulated.now() };

/** Stands for the global of Node: every wait belongs to the scheduler, so this is the next turn of the queue of promises. */
export function setImmediate(work: () => void): void {
  queueMicrotask(work);
}

/** Stands for the global of Node. */
export function setTimeout(work: () => void, milliseconds = 0): { unref(): void } {
  simulated.after(milliseconds, work);
  return { unref: () => undefined };
}
