import { defineConfig } from 'vitest/config';

/** The plain tests, each file in a world of its own, so that what it reaches while it loads is its own too. */
export default defineConfig({
  test: {
    globalSetup: 'test/database/postgres/shared.ts',
    setupFiles: ['test/mutation/note-test-file.mjs'],
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    isolate: true,
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
