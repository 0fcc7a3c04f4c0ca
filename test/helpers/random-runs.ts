/** The soak makes all of the random runs, each `npm test` a tenth: other ones every time, where no seed is fixed. */
const SHARE = process.env['SWAPCTL_TEST_RANDOM'] === 'all' ? 1 : 10;

/** How many of a number of random cases this run tries. */
export function randomRuns(all: number): number {
  return Math.ceil(all / SHARE);
}
