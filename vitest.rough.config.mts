import { defineConfig } from 'vitest/config';

/** The tests that drive commands against the built-in service, with every rough habit switched on for it. */
export default defineConfig({
  test: {
    include: [
      'test/program/*.test.ts',
      'test/commands/*.test.ts',
      'test/client/*.test.ts',
      'test/terminal/{created,quote-watch}.test.ts',
      'test/readme.test.ts',
    ],
    env: { SWAPCTL_TEST_ROUGH: 'all' },
    pool: 'threads',
    maxWorkers: 3,
    testTimeout: 40_000,
    hookTimeout: 60_000,
  },
});
