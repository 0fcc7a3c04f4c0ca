// Draws small mistakes at random, puts each into the code, and shows which of them no test detects.
// Usage: npm run mutate -- [--seed <n>] [--count <n>] [--tests <path>]… [<folder of src>…]

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { mutantsOf, withSwitches } from './mutants.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
/** What decides money, durability and order. */
const HEART = ['src/swap', 'src/swaps', 'src/ledger', 'src/client'];
/** Killed mutants of earlier runs: their code is the same, so they need not be tried again. */
const KNOWN = join(ROOT, 'node_modules', '.cache', 'swapctl-mutants.json');
/** Far more than the tests of one trial take on a busy machine: a mutant that takes longer never ends, and is detected. */
const TIME_LIMIT_MS = 240_000;
/** The tests of one trial: those that reach the mutant in the least time. */
const MOST_FILES = 25;
const MOST_MS = 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '50' },
    tests: { type: 'string', multiple: true, default: [] },
  },
});

const print = (line) => process.stdout.write(`${line}\n`);
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const drawn = draw(positionals.length > 0 ? positionals : HEART, Number.parseInt(values.seed, 10));
const folder = mkdtempSync(join(tmpdir(), 'swapctl-mutants-'));
const copies = ['1', '2'].map((name) => join(folder, name));
const runners = new Map();
try {
  await prepare(drawn);
  const reached = await testsByMutant();
  const known = new Set(read(KNOWN));
  const ends = [];
  const left = [...drawn];
  await Promise.all(
    copies.map(async (copy) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const tests = reached.get(one.id) ?? new Map();
        const result = known.has(one.key) ? 'killed' : await tried(copy, one, tests);
        if (result === 'killed') known.add(one.key);
        ends.push({ ...one, result });
        print(`${ends.length}/${drawn.length} ${result.padEnd(12)} ${one.file}:${one.line} ${one.kind}`);
        mkdirSync(dirname(KNOWN), { recursive: true });
        writeFileSync(KNOWN, JSON.stringify([...known]));
      }
    }),
  );
  report(ends);
} finally {
  for (const copy of copies) end(copy);
  rmSync(folder, { recursive: true, force: true });
}

/** Draws without putting back, by a seed: the mutants with the smallest digests. */
function draw(folders, seed) {
  const digest = (text) => createHash('sha256').update(text).digest('hex');
  const sources = tracked.filter(
    (file) => file.endsWith('.ts') && folders.some((folder) => file.startsWith(folder)),
  );
  const all = sources.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return mutantsOf(file, text).map((one) => ({
      ...one,
      key: digest(`${text}\n${one.start} ${one.end} ${one.to}`),
    }));
  });
  print(`${all.length} mutants in ${sources.length} files.`);
  const order = (one) => digest(`${seed} ${one.file} ${one.start} ${one.end} ${one.to}`);
  const sorted = all.map((one) => [order(one), one]).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted
    .slice(0, Number.parseInt(values.count, 10))
    .map(([, one], index) => ({ ...one, id: index + 1 }));
}

/** Copies the tree twice, one for each core, with all mutants in it, and builds each. */
async function prepare(mutants) {
  for (const copy of copies) {
    for (const file of tracked) cpSync(join(ROOT, file), join(copy, file));
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const file of ['switch.mjs', 'note-test.mjs']) {
      const path = join(copy, 'test', 'mutation', file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('__FOLDER__', copy));
    }
    for (const file of new Set(mutants.map((one) => one.file))) {
      const own = mutants.filter((one) => one.file === file);
      const text = readFileSync(join(ROOT, file), 'utf8');
      writeFileSync(join(copy, file), withSwitches(text, own, join(copy, 'test', 'mutation', 'switch.mjs')));
    }
    writeFileSync(join(copy, 'on'), '0');
    // The build starts the program that it has built.
    writeFileSync(join(copy, 'current-test'), '');
    execFileSync('npm', ['run', '-s', 'build'], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] });
    writeFileSync(join(copy, 'reached'), '');
  }
}

/** Runs the tests once with no mutant on: for each mutant the tests that reach it, by file, the fastest first. */
async function testsByMutant() {
  const files = tracked.filter(
    (file) =>
      file.endsWith('.test.ts') &&
      (values.tests.length === 0 || values.tests.some((start) => file.startsWith(start))),
  );
  const tests = new Map();
  const left = [...files];
  await Promise.all(
    copies.map(async (copy) => {
      for (let file = left.shift(); file !== undefined; file = left.shift()) {
        const done = await run(copy, 0, [[file, null]]);
        if (done === null || done.failed.length > 0)
          print(`Left out, for it fails without a mutant: ${file}`);
        else for (const test of done.passed) tests.set(test.id, { ...test, file });
      }
    }),
  );
  const reached = new Map();
  for (const line of copies.flatMap((copy) =>
    readFileSync(join(copy, 'reached'), 'utf8').trim().split('\n'),
  )) {
    // A mutant that is reached outside a test, as a file is loaded, is reached by all tests of the file.
    const [id, file, test] = line.split(' ');
    const those =
      test === undefined ? [...tests.values()].filter((each) => each.file === file) : [tests.get(test)];
    const own = reached.get(Number(id)) ?? new Set();
    for (const each of those) if (each !== undefined) own.add(each);
    reached.set(Number(id), own);
  }
  return new Map([...reached].map(([id, those]) => [id, fastest([...those])]));
}

function fastest(tests) {
  const byFile = new Map();
  let ms = 0;
  for (const { id, file, took } of tests.toSorted((a, b) => a.took - b.took)) {
    if (!byFile.has(file) && byFile.size === MOST_FILES) continue;
    ms += took;
    if (ms > MOST_MS && byFile.size > 0) break;
    byFile.set(file, [...(byFile.get(file) ?? []), id]);
  }
  return byFile;
}

/**
 * How the tests that reach a mutant end with it on. A failure, or a run that does not end, counts if the same tests by
 * themselves fail with the mutant and pass without it: not what a busy machine or another test has caused.
 */
async function tried(copy, { id }, tests) {
  if (tests.size === 0) return 'not reached';
  const left = new Map(tests);
  while (left.size > 0) {
    const done = await run(copy, id, [...left]);
    if (isPassed(done)) return 'survived';
    const [failed] = done?.failed ?? [];
    const same =
      failed === undefined
        ? [...left]
        : [[failed.file, failed.id === null ? left.get(failed.file) : [failed.id]]];
    const [without, again] = [await run(copy, 0, same), await run(copy, id, same)];
    if (isPassed(without) && !isPassed(again)) return 'killed';
    if (failed === undefined) return 'does not end';
    left.delete(failed.file);
  }
  return 'survived';
}

function isPassed(done) {
  return done !== null && done.failed.length === 0;
}

/** Has the runner of a copy run tests, `[file, ids]` each, with a mutant on; null where they do not end. */
async function run(copy, mutant, tests) {
  const runner = runners.get(copy) ?? begin(copy);
  const timer = setTimeout(() => killAll(runner), TIME_LIMIT_MS);
  runner.send({ mutant, tests });
  const [done] = await Promise.race([once(runner, 'message'), runner.ended]);
  clearTimeout(timer);
  // What mutants leave behind goes with their runner.
  if (done === null || ++runner.runs === 40) end(copy);
  return done;
}

function begin(copy) {
  const script = join(ROOT, 'test', 'mutation', 'runner.mjs');
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  const runner = spawn(process.execPath, [script, copy], { cwd: copy, detached: true, stdio });
  const ended = once(runner, 'exit').then(() => {
    killAll(runner);
    return [null];
  });
  runners.set(copy, Object.assign(runner, { ended, runs: 0 }));
  return runner;
}

function end(copy) {
  const runner = runners.get(copy);
  runners.delete(copy);
  if (runner?.connected) runner.disconnect();
}

/** Kills a runner and all that it has started. */
function killAll({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

/** A table by folder, and every mutant that no test detected. */
function report(ends) {
  const folderOf = ({ file }) => file.split('/').slice(0, 3).join('/');
  print('\n| where | mutants | killed | share |\n|---|---|---|---|');
  const line = (name, some) => {
    const killed = some.filter(({ result }) => result === 'killed').length;
    print(`| ${name} | ${some.length} | ${killed} | ${Math.round((100 * killed) / some.length)} % |`);
  };
  const folders = [...new Set(ends.map(folderOf))].sort();
  for (const folder of folders)
    line(
      folder,
      ends.filter((one) => folderOf(one) === folder),
    );
  line('all', ends);
  print('');
  for (const { result, file, line: at, kind } of ends)
    if (result !== 'killed') print(`- ${file}:${at} ${kind}: ${result}`);
}
