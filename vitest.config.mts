import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/database/postgres/shared.ts',
    pool: 'threads',
    // No module of the program keeps anything from one use to the next, so the test files of a worker share theirs:
    // loading them anew for each file took a fifth of the time.
    isolate: false,
    // Most tests wait for a program that they started, so one worker for two cores would leave one idle.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
