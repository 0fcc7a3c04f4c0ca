import { join } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import { bugOf, planted } from './simulation/planted/plugin.mjs';

type Options = NonNullable<ViteUserConfig['test']>;

export const TEMPORARY_FILES = join(import.meta.dirname, 'helpers', 'temporary-files.ts');
export const FETCH_ALONE = join(import.meta.dirname, 'helpers', 'fetch-alone.ts');
export const POSTGRES = join(import.meta.dirname, 'core', 'database', 'postgres', 'shared.ts');

/** What all runs of the tests share: paths are those of the checkout, and the threads of a run share their modules. */
export const shared = {
  globalSetup: [TEMPORARY_FILES, POSTGRES],
  setupFiles: [join(import.meta.dirname, 'helpers', 'clear-files.ts'), FETCH_ALONE],
  pool: 'threads',
  // No module of the program keeps anything from one use to the next, so the test files of a worker share theirs:
  // loading them anew for each file took a fifth of the time.
  isolate: false,
  // One second, the default, may pass before a busy machine gives a test its turn.
  expect: { poll: { timeout: 15_000 } },
} satisfies Options;

/** A bug that tests of the source have to find; see test/simulation/planted/. */
const PLANTED = process.env['SWAPCTL_TEST_PLANTED'];

/** A configuration for the folder above this one. */
export function configuration(test: Options): ViteUserConfig {
  const plugins = PLANTED === undefined ? [] : [planted(bugOf(PLANTED))];
  return { root: join(import.meta.dirname, '..'), plugins, test };
}
