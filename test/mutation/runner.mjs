// Runs tests in a copy of the tree, again and again: run.mjs sends which, and the mutant that is on.

import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createVitest } from 'vitest/node';

const copy = process.argv[2];
let [passed, failed] = [[], []];

// What Vitest returns of a run has the results of earlier ones in it, and its option `bail` counts their failures.
const reporter = {
  onTestCaseResult(test) {
    const { state } = test.result();
    if (state === 'passed') passed.push({ id: test.id, took: test.diagnostic()?.duration ?? 0 });
    if (state === 'failed') fail(test.module, test.id);
  },
  onTestModuleEnd(module) {
    if (module.state() === 'failed' && failed.length === 0) fail(module, null);
  },
};
const config = join(copy, 'vitest.mutation.config.mts');
const vitest = await createVitest('test', { root: copy, config, watch: false, reporters: [reporter] });
const [project] = vitest.projects;

function fail(module, id) {
  failed.push({ file: relative(copy, module.moduleId), id });
  void vitest.cancelCurrentRun('test-failure');
}

process.on('message', async ({ mutant, tests }) => {
  writeFileSync(join(copy, 'on'), String(mutant));
  [passed, failed] = [[], []];
  const specifications = tests.map(([file, ids]) =>
    project.createSpecification(join(copy, file), ids === null ? {} : { testIds: ids }),
  );
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  if (unhandledErrors.length > 0 && failed.length === 0) failed.push({ file: tests[0][0], id: null });
  process.send({ passed, failed });
});
process.on('disconnect', () => vitest.close().then(() => process.exit()));
