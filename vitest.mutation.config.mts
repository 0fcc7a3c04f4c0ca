import { defineConfig } from 'vitest/config';

/** One file, in one worker: test/mutation/runner.mjs runs the tests. */
export default defineConfig({
  test: {
    globalSetup: ['test/helpers/temporary-files.ts', 'test/database/postgres/shared.ts'],
    setupFiles: 'test/helpers/clear-files.ts',
    include: ['test/time.test.ts'],
    runner: 'test/mutation/runner.mjs',
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    reporters: [],
  },
});
