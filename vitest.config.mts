import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that drive the client against the built-in service, and so run on the rough one too. Of the others, these have
 * no second service to run on, and would show there what they show on the first:
 * - test/safety, test/client, test/commands/quote/watch.test.ts, test/commands/create/reprice.test.ts and
 *   wizard-service.test.ts beside it, test/commands/status-profiles.test.ts and status-several.test.ts beside it,
 *   test/program/errors.test.ts and watch.test.ts beside it bring a service of their own, which answers, lies, breaks off
 *   or is hostile as each test says;
 * - all that use `onEachService`, as the wizard's do, test/client/methods.test.ts and test/program/rough.test.ts loop
 *   over both services themselves;
 * - test/conformance checks the sandbox with and without each habit, test/sandbox and test/commands/sandbox are about
 *   the sandbox itself, and test/commands/rough-service.test.ts about what only a rough one answers;
 * - test/terminal and test/program/terminal.test.ts are about keys and a screen, and standard-output.test.ts beside it
 *   about a pipe that closes and a disk that is full;
 * - all else asks no service: addresses, amounts, databases, the ledger, settings, screens, help and wrong usage.
 */
const ON_A_ROUGH_SERVICE = [
  'test/commands/refund-memo.test.ts',
  'test/docs/command-line.test.ts',
  'test/program/{auth,global-flags,read-only-home,sandbox-errors,seed,shapes}.test.ts',
  'test/readme.test.ts',
  'test/views/created.test.ts',
];

/** Files that take long, the longest first. */
const LONG = [
  'test/simulation/simulation',
  'test/sandbox/page/page',
  'test/library/package',
  'test/reproducible',
  'test/program/terminal',
  'test/completion/shells',
];

/** Begins with the files that take long, which a clone that has not run its tests yet cannot know. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONG.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return rank < 0 ? LONG.length : rank;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/temporary-files.ts', 'test/database/postgres/shared.ts'],
    setupFiles: 'test/helpers/clear-files.ts',
    pool: 'threads',
    // No module of the program keeps anything from one use to the next, so the test files of a worker share theirs:
    // loading them anew for each file took a fifth of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
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
