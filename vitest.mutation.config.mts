import { defineConfig } from 'vitest/config';

/** The plain tests, each file in a world of its own, so that what it reaches while it loads is its own too. */
export default defineConfig({
  test: {
    globalSetup: ['test/helpers/temporary-files.ts', 'test/database/postgres/shared.ts'],
    setupFiles: ['test/helpers/clear-files.ts', 'test/mutation/note-test.mjs'],
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    isolate: true,
    maxWorkers: 1,
    // A machine that is busy must not count as a test that detected something.
    testTimeout: 100_000,
    hookTimeout: 100_000,
  },
});
