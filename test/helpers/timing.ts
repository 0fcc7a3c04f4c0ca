import { readFileSync } from 'node:fs';

/** Milliseconds of a clock tick in /proc, which Linux counts by hundredths of a second. */
const TICK_MS = 10;

/**
 * Processor time of this thread so far, in milliseconds: unlike the time on the wall it is the same on a busy machine.
 * Away from Linux it is that of all threads.
 */
export function processorMs(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1000;
  const stat = readFileSync('/proc/thread-self/stat', 'latin1');
  const [user = '', system = ''] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number.parseInt(user, 10) + Number.parseInt(system, 10)) * TICK_MS;
}

/**
 * The shortest time that work took, in milliseconds; it is done again, up to `tries` times, while it took as long as the
 * limit: any one of them may wait for other programs.
 */
export async function shortestMs(limitMs: number, tries: number, work: () => Promise<void>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0 && shortest >= limitMs; left -= 1) {
    const began = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - began);
  }
  return shortest;
}
