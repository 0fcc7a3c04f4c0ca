/** Whether a test that computes for long is part of this run: `npm run test:fast` leaves it out. */
export const IN_LONG_RUN = process.env['SWAPCTL_TEST_FAST'] !== '1';

/**
 * The soak makes all of the random runs, each `npm test` a tenth, `test:fast` and each mutant a hundredth: other ones
 * every time, where no seed is fixed.
 */
const SHARES: Record<string, number> = { all: 1, few: 100 };
const RUNS = process.env['SWAPCTL_TEST_RANDOM'] ?? '';
const SHARE = SHARES[RUNS] ?? (IN_LONG_RUN ? 10 : 100);

/** Whether the program has all mutants in it, which makes it slow. */
export const IS_SLOW = RUNS === 'few';

/** How many of a number of random cases this run tries. */
export function randomRuns(all: number): number {
  return Math.ceil(all / SHARE);
}
