import { join } from 'node:path';
import { configuration, shared } from './vitest.base.mts';

/** One file, in one worker: test/mutation/runner.mjs runs the tests. */
export default configuration({
  ...shared,
  include: ['test/base/time.test.ts'],
  runner: join(import.meta.dirname, 'mutation', 'runner.mjs'),
  maxWorkers: 1,
  reporters: [],
});
