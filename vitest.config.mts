import { defineConfig } from 'vitest/config';

/**
 * Tests that drive the client against the built-in service, and so run on the rough one too. The others have no second
 * service to run on:
 * - test/safety, test/client, test/terminal, test/commands/create/reprice.test.ts and wizard-service.test.ts beside it
 *   bring a service of their own, which lies, breaks off or is hostile as each test says;
 * - test/conformance checks the sandbox with and without each habit, test/sandbox is about the sandbox itself, and
 *   test/commands/rough-service.test.ts about what only a rough one answers;
 * - test/client/methods.test.ts, test/commands/quote/networks.test.ts and test/program/rough.test.ts loop over both
 *   services themselves;
 * - all else asks no service: addresses, amounts, databases, the ledger, settings, screens, help and options.
 */
const ON_A_ROUGH_SERVICE = [
  'test/commands/create/{secret-memo,wizard,wizard-cancel,wizard-change,wizard-equivalent}.test.ts',
  'test/commands/{refund-memo,status-profiles,status-several}.test.ts',
  'test/commands/quote/watch.test.ts',
  'test/commands/sandbox/*.test.ts',
  'test/docs/command-line.test.ts',
  'test/program/{auth,errors,read-only-home,seed,shapes,terminal,usage,watch}.test.ts',
  'test/readme.test.ts',
  'test/views/created.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: 'test/database/postgres/shared.ts',
    pool: 'threads',
    // No module of the program keeps anything from one use to the next, so the test files of a worker share theirs:
    // loading them anew for each file took a fifth of the time.
    isolate: false,
    // Most tests wait for a program that they started, so one worker for two cores would leave one idle.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'plain', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'rough', include: ON_A_ROUGH_SERVICE, env: { SWAPCTL_TEST_ROUGH: 'all' } },
      },
    ],
  },
});
