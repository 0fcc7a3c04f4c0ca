import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { configuration, shared } from './vitest.base.mts';

/** Files that take long, the longest first. */
const LONG = [
  'test/simulation/simulation',
  'test/library/package',
  'test/reproducible',
  'test/sandbox/page/page',
  'test/cli/commands/mcp/conformance-suite',
  'test/conformance/conformance',
  'test/sandbox/snapshots/snapshots',
  'test/sandbox/standstill',
  'test/cli/program/terminal',
  'test/cli/completion/shells',
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

export default configuration({
  ...shared,
  sequence: { sequencer: LongestFirst },
  // Most tests wait for a program that they started, a server or a lock, so two workers would leave a core idle.
  maxWorkers: 3,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  include: ['test/**/*.test.ts'],
});
