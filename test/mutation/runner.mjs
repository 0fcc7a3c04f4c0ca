// Vitest loads this in place of its own runner, in a copy of the tree with all mutants in it. It runs tests again and
// again in one process, without loading the program anew: first each file with no mutant on, to see what its tests
// reach, or for each mutant the tests that reach it. run.mjs gives the task, and reads one line of JSON for each step.

import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TestRunner, vi } from 'vitest';

/** Vitest's own, which it does not export. */
const { startTests } = await import(
  createRequire(createRequire(import.meta.url).resolve('vitest')).resolve('@vitest/runner')
);

const FOLDER = process.cwd();
/** Calls of switches; a mutant that has a test make more of them never ends. */
const MOST_CALLS = 300_000_000;
/** How much longer than without a mutant a test may take, on a machine that is busy with something else. */
const PATIENCE = { times: 20, ms: 4000 };
/** A worker that has taken more memory is replaced. */
const MOST_BYTES = 2_500_000_000;

/** What the test under way has reached, and for each test, or its file. */
let own = new Set();
let reached = new Map();
const mutants = { on: 0, left: 0, note };
globalThis.__mutants = mutants;

/** Called millions of times. */
function note(id) {
  if (!own.has(id)) own.add(id);
}

function begin(name) {
  own = reached.get(name) ?? new Set();
  reached.set(name, own);
  mutants.left = MOST_CALLS;
  if (mutants.on === 0) writeFileSync(join(FOLDER, 'current-test'), name);
}

function turn(id) {
  mutants.on = id;
  mutants.left = MOST_CALLS;
  writeFileSync(join(FOLDER, 'on'), String(id));
}

const print = (line) => writeSync(3, `${JSON.stringify(line)}\n`);

/** Runs tests, and tells no one. After the first failure it skips the others. */
class Quiet extends TestRunner {
  failed = false;

  async onBeforeRunSuite(suite) {
    begin(suite.file.name);
    await super.onBeforeRunSuite(suite);
  }

  async onBeforeRunTask(test) {
    if (this.failed && mutants.on !== 0) test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  onBeforeTryTask(test) {
    begin(`${test.file.name} ${test.id}`);
    super.onBeforeTryTask(test);
  }

  onAfterRunTask(test) {
    begin(test.file.name);
    if (test.result?.state === 'fail') this.failed = true;
    super.onAfterRunTask(test);
  }
}

class Trials extends TestRunner {
  /** The file that Vitest was given is never read: the task takes its place, and run.mjs ends the process. */
  async onBeforeCollect() {
    this.quiet = new Quiet({ ...this.config });
    Object.defineProperty(this.quiet, 'moduleRunner', { value: this.moduleRunner });
    this.quiet.__setTraces(this._otel);
    process.on('unhandledRejection', () => {
      this.quiet.failed = true;
    });
    const { files, trials } = JSON.parse(readFileSync(join(FOLDER, 'task'), 'utf8'));
    for (const file of files) await this.look(file);
    for (const trial of trials) {
      const isSpoiled = await this.attempt(trial);
      if (isSpoiled || process.memoryUsage.rss() > MOST_BYTES) break;
    }
    print({ end: true });
    await new Promise(() => {});
  }

  /** What the tests of a file reach, and how long they take. */
  async look(file) {
    print({ at: file });
    turn(0);
    reached = new Map();
    writeFileSync(join(FOLDER, 'reached'), '');
    begin('');
    const { tests, failed } = await this.run(file);
    for (const line of readFileSync(join(FOLDER, 'reached'), 'utf8').split('\n').filter(Boolean)) {
      const [id, ...test] = line.split(' ');
      begin(test.join(' '));
      note(Number(id));
    }
    print({ file, failed, tests, reached: [...reached].map(([name, ids]) => [name, [...ids]]) });
  }

  /**
   * A failure counts if the same tests fail again with the mutant, and pass without it: not what a busy machine or what
   * another test has caused. True where they fail without it because of what this process has done before: a fresh one
   * tries the mutant again, for the last time.
   */
  async attempt({ id, module, files, isLast }) {
    let result = 'survived';
    for (const [file, ids, ms] of files) {
      print({ at: id });
      const passes = (on) => this.passes(on, file, { ids, ms, module });
      if (await passes(id)) continue;
      const sound = await passes(0);
      if (sound && !(await passes(id))) result = 'killed';
      if (result === 'killed') break;
      if (!sound && !isLast) {
        print({ spoiled: id });
        return true;
      }
    }
    if (module !== null) this.forget(module);
    print({ id, result });
    return false;
  }

  async passes(id, file, { ids, ms, module }) {
    turn(id === 0 ? -1 : id);
    if (module !== null) this.forget(module);
    return (await this.run(file, ids, PATIENCE.ms + PATIENCE.times * ms)).passed;
  }

  async run(file, ids, timeLimitMs = 60_000) {
    const { evaluatedModules } = this.workerState;
    const filepath = join(FOLDER, file);
    this.workerState.filepath = filepath;
    for (const each of evaluatedModules.fileToModulesMap.get(filepath) ?? []) unload(each);
    this.quiet.failed = false;
    this.quiet.config.testTimeout = timeLimitMs;
    const [done] = await startTests([{ filepath, testIds: ids }], this.quiet);
    await new Promise(setImmediate);
    vi.restoreAllMocks();
    const [tests, failed] = [[], []];
    const visit = (task) => {
      const isFailed = task.result?.state === 'fail';
      if (isFailed && (task.type === 'test' || task.result.errors?.length > 0)) failed.push(task.name);
      if (task.type === 'test' && task.result?.state === 'pass') tests.push([task.id, task.result.duration]);
      for (const each of task.tasks ?? []) visit(each);
    };
    visit(done);
    return { passed: !this.quiet.failed && failed.length === 0, tests, failed };
  }

  /** Has a module loaded anew, for a mutant that takes effect as it loads, with all modules that import it. */
  forget(module) {
    const { evaluatedModules } = this.workerState;
    const left = [...(evaluatedModules.fileToModulesMap.get(join(FOLDER, module)) ?? [])];
    const seen = new Set(left);
    for (const each of left) {
      for (const id of each.importers) {
        const importer = evaluatedModules.getModuleById(id);
        if (importer === undefined || seen.has(importer)) continue;
        seen.add(importer);
        left.push(importer);
      }
    }
    for (const each of seen) unload(each);
  }
}

/** The text of a module stays. */
function unload(module) {
  module.evaluated = false;
  module.promise = undefined;
  module.exports = undefined;
}

// biome-ignore lint/style/noDefaultExport: Vitest takes a runner from there.
export { Trials as default };
