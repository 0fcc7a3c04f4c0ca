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
