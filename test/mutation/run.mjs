// Draws small mistakes at random, puts all into the code behind a switch, and shows which of them no test detects.
// Usage: npm run mutate -- [--seed <n>] [--count <n>] [--tests <path>]… [--near] [--least <percent>] [<folder of src>…]
// With --least it fails where a smaller share is detected.

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { load, startDatabases } from './databases.mjs';
import { mutantsOf, report, withSwitches } from './mutants.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
/** What decides money, durability and order. */
const HEART = ['src/core/swap', 'src/core/swaps', 'src/core/ledger', 'src/core/client'];
/** Killed mutants of earlier runs: their code is the same, so they need not be tried again. */
const KNOWN = join(ROOT, 'node_modules', '.cache', 'swapctl-mutants.json');
/** The tests next to it, which detect most. */
const NEAR = ['test/core/swap/', 'test/core/swaps/', 'test/core/ledger/', 'test/core/client/'];
/** Tests that take minutes, and reach all or nothing of it; the simulation comes last. */
const FAR = [
  'test/simulation/',
  'test/reproducible',
  'test/conformance/',
  'test/sandbox/',
  'test/library/package',
];
/** Far more than a file takes on a busy machine. */
const TIME_LIMIT_MS = { look: 300_000, attempt: 120_000, simulation: 900_000 };
/** The tests of one trial: those that reach the mutant in the least time. */
const MOST_FILES = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '50' },
    tests: { type: 'string', multiple: true, default: [] },
    near: { type: 'boolean', default: false },
    least: { type: 'string', default: '0' },
  },
});

const print = (line) => process.stdout.write(`${line}\n`);
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n');
const texts = new Map();
const all = numbered(positionals.length > 0 ? positionals : HEART);
const drawn = draw();
// All files of the run are in memory where there is room.
const removeFiles = (await load('helpers/temporary-files.ts')).setup() ?? (() => undefined);
const folder = openFolder(tmpdir(), 'mutants-');
const databases = await startDatabases();
const copies = await Promise.all(
  ['1', '2'].map(async (name) => ({ path: join(folder, name), databases: await databases.front() })),
);
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await clear();
    process.exit(1);
  });
const results = new Map();
const known = new Set(read(KNOWN));
for (const { id, key } of drawn) if (known.has(key)) results.set(id, 'killed');
try {
  prepare();
  const tests = tracked.filter(
    (file) =>
      file.endsWith('.test.ts') &&
      (values.tests.length === 0 || values.tests.some((start) => file.startsWith(start))),
  );
  const isNear = (file) => NEAR.some((start) => file.startsWith(start));
  await round(tests.filter(isNear), 20_000);
  const others = tests.filter((file) => !isNear(file) && !FAR.some((start) => file.startsWith(start)));
  if (!values.near) await round(others, 30_000);
  if (!values.near) await simulateAll();
  const share = report(
    drawn.map((one) => ({ ...one, result: results.get(one.id) ?? 'not reached' })),
    print,
  );
  if (share < Number.parseInt(values.least, 10)) process.exitCode = 1;
} finally {
  await clear();
}

async function clear() {
  for (const { pid } of running) kill(pid);
  await databases.remove();
  rmSync(folder, { recursive: true, force: true });
  removeFiles();
}

/** A temporary folder that PostgreSQL can enter, which runs as another user where we are root. */
function openFolder(above, name) {
  const path = mkdtempSync(join(above, name));
  chmodSync(path, 0o711);
  return path;
}

/** All mutants of folders, and a number for each. */
function numbered(folders) {
  const sources = tracked.filter(
    (file) => file.endsWith('.ts') && folders.some((folder) => file.startsWith(folder)),
  );
  return sources
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      texts.set(file, text);
      return mutantsOf(file, text).map((one) => ({
        ...one,
        key: digest(`${text}\n${one.start} ${one.end} ${one.to}`),
      }));
    })
    .map((one, index) => ({ ...one, id: index + 1 }));
}

/** Draws without putting back, by a seed: the mutants with the smallest digests. */
function draw() {
  const order = (one) => digest(`${values.seed} ${one.file} ${one.start} ${one.end} ${one.to}`);
  const sorted = all.map((one) => [order(one), one]).sort(([a], [b]) => (a < b ? -1 : 1));
  const some = sorted.slice(0, Number.parseInt(values.count, 10)).map(([, one]) => one);
  print(`${some.length} of ${all.length} mutants.`);
  return some;
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Copies the tree twice, one for each core, with all mutants in it. */
function prepare() {
  for (const { path: copy } of copies) {
    for (const file of tracked) cpSync(join(ROOT, file), join(copy, file));
    for (const modules of ['node_modules', 'test/node_modules'])
      symlinkSync(join(ROOT, modules), join(copy, modules));
    const path = join(copy, 'test', 'mutation', 'switch.mjs');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('__FOLDER__', copy));
    for (const [file, text] of texts) {
      const own = all.filter((one) => one.file === file);
      writeFileSync(join(copy, file), withSwitches(text, own, path));
    }
    writeFileSync(join(copy, 'on'), '-1');
    writeFileSync(join(copy, 'current-test'), '');
    // The build starts the program that it has built.
    execFileSync('npm', ['run', '-s', 'build'], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

/** Tries the mutants that are left with some tests; those next to the code come first, and detect most of them. */
async function round(tests, mostMs) {
  const looks = [];
  await shared(tests, async (copy, files) => {
    const left = new Set(files);
    while (left.size > 0) {
      const stuck = await work(copy, { files: [...left], trials: [] }, (line) => {
        looks.push(line);
        left.delete(line.file);
      });
      if (stuck !== null) left.delete(stuck);
    }
  });
  for (const { file, failed } of looks)
    for (const name of failed) print(`Left out, for it fails without a mutant: ${file}, ${name}`);
  await tryAll(trialsWith(looks, mostMs, false));
  // What a module computes once and keeps, such as a table, has a mutant only if the module is loaded with it.
  await tryAll(trialsWith(looks, mostMs, true));
}

async function tryAll(trials) {
  print(`${trials.length} mutants to be tried.`);
  await shared(trials, async (copy, some) => {
    const left = new Map(some.map((trial) => [trial.id, trial]));
    const settle = ({ id, result, spoiled }) => {
      if (spoiled !== undefined) left.get(spoiled).isLast = true;
      if (result === undefined) return;
      left.delete(id);
      results.set(id, result);
      const one = all[id - 1];
      print(`${results.size}/${drawn.length} ${result.padEnd(8)} ${one.file}:${one.line} ${one.kind}`);
      if (result === 'killed') known.add(one.key);
    };
    while (left.size > 0) {
      const stuck = await work(copy, { files: [], trials: [...left.values()] }, settle);
      if (stuck !== null) settle({ id: stuck, result: 'killed' });
      mkdirSync(dirname(KNOWN), { recursive: true });
      writeFileSync(KNOWN, JSON.stringify([...known]));
    }
  });
}

/** Tries the mutants that are left with the simulation, which is a test like the others, and takes the most time. */
async function simulateAll() {
  const left = drawn.filter(({ id }) => results.get(id) !== 'killed');
  const [first] = left;
  if (first === undefined) return;
  if (await simulate({ ...first, to: texts.get(first.file).slice(first.start, first.end) }))
    throw new Error('The simulation fails without a mutant.');
  print(`${left.length} mutants to be simulated.`);
  await shared(left, async (_, some) => {
    for (const one of some) {
      const isDetected = await simulate(one);
      if (isDetected) {
        results.set(one.id, 'killed');
        known.add(one.key);
      }
      print(`${isDetected ? 'killed  ' : 'survived'} in the simulation ${one.file}:${one.line} ${one.kind}`);
    }
  });
  writeFileSync(KNOWN, JSON.stringify([...known]));
}

/** Whether the simulation fails with a mutant, or does not end. */
async function simulate({ file, start, end, to }) {
  const find = texts.get(file);
  const replace = `${find.slice(0, start)}${to ?? ''}${find.slice(end)}`;
  const args = [join(ROOT, 'test/mutation/simulate.mjs')];
  const stdio = ['pipe', 'ignore', 'ignore'];
  const simulation = spawn(process.execPath, args, { cwd: ROOT, detached: true, stdio });
  running.add(simulation);
  simulation.stdin.end(JSON.stringify({ name: 'mutant', file, find, replace }));
  const timer = setTimeout(() => kill(simulation.pid), TIME_LIMIT_MS.simulation);
  const [code, signal] = await once(simulation, 'exit');
  clearTimeout(timer);
  running.delete(simulation);
  return code === 3 || signal !== null;
}

/** One half for each copy. */
function shared(list, each) {
  return Promise.all(
    copies.map((copy, index) =>
      each(
        copy,
        list.filter((_, at) => at % copies.length === index),
      ),
    ),
  );
}

/** For each mutant that is left the tests that reach it, the fastest first, and of its own folder before others. */
function trialsWith(looks, mostMs, isLoaded) {
  const left = new Map(
    drawn.filter(({ id }) => results.get(id) !== 'killed').map((one) => [one.id, new Map()]),
  );
  const atLoad = new Set(drawn.filter((one) => isLoaded || one.atLoad).map(({ id }) => id));
  /** For each source file the tests that reach any mutant in it. */
  const ofSource = new Map(all.map(({ file }) => [file, new Map()]));
  for (const { file, tests, reached } of looks) {
    const took = new Map(tests);
    for (const [name, ids] of reached) {
      const test = name.slice(file.length + 1);
      const those = took.has(test) ? [test] : name === file ? [...took.keys()] : [];
      for (const id of ids) {
        if (name === '') atLoad.add(id);
        const own = ofSource.get(all[id - 1].file);
        for (const each of those) {
          left.get(id)?.set(each, { file, took: took.get(each) });
          if (took.has(test)) own.set(each, { file, took: took.get(each) });
        }
      }
    }
  }
  const trials = [];
  for (const [id, reaching] of left) {
    const { file } = all[id - 1];
    const tests = atLoad.has(id) ? ofSource.get(file) : reaching;
    const files = fastest(tests, file, mostMs, MOST_FILES);
    if (files.length > 0) trials.push({ id, module: atLoad.has(id) ? file : null, files });
  }
  return trials;
}

function fastest(tests, source, mostMs, mostFiles) {
  // Each folder that both are in, such as core and swap, counts like a tenth of the time.
  const depth = (file) => file.split('/').findIndex((name, at) => at > 0 && name !== source.split('/')[at]);
  const cost = ([, { file, took }]) => took / 10 ** depth(file);
  const byFile = new Map();
  let ms = 0;
  for (const [id, { file, took }] of [...tests].sort((a, b) => cost(a) - cost(b))) {
    if (!byFile.has(file) && byFile.size === mostFiles) continue;
    ms += took;
    if (ms > mostMs && byFile.size > 0) break;
    const [ids, longest] = byFile.get(file) ?? [[], 0];
    byFile.set(file, [[...ids, id], Math.max(longest, took)]);
  }
  return [...byFile].map(([file, [ids, longest]]) => [file, ids, longest]);
}

/** Has a worker do a task in a copy, and hears its lines. Ends with what the worker was at if it stopped there, or null. */
async function work(copy, task, hear) {
  const { path: cwd, databases } = copy;
  writeFileSync(join(cwd, 'task'), JSON.stringify(task));
  // With a short name, because messages that name a file are wrapped.
  const files = openFolder(tmpdir(), 'w');
  const worker = spawn(
    process.execPath,
    [join(ROOT, 'test/node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.mutation.config.mts'],
    {
      cwd,
      detached: true,
      env: {
        ...process.env,
        TMPDIR: files,
        SWAPCTL_TEST_DATABASES: databases.url,
        SWAPCTL_TEST_RANDOM: 'few',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    },
  );
  running.add(worker);
  const limit = task.files.length > 0 ? TIME_LIMIT_MS.look : TIME_LIMIT_MS.attempt;
  const timer = setTimeout(() => kill(worker.pid), limit);
  const ended = once(worker, 'exit');
  let at;
  for await (const text of createInterface({ input: worker.stdio[3] })) {
    timer.refresh();
    const line = JSON.parse(text);
    if (line.at === undefined) databases.next();
    if (line.at !== undefined) at = line.at;
    else if (line.end === undefined) hear(line);
    else {
      at = null;
      kill(worker.pid);
    }
  }
  await ended;
  clearTimeout(timer);
  kill(worker.pid);
  running.delete(worker);
  rmSync(files, { recursive: true, force: true, maxRetries: 3 });
  if (at === undefined) throw new Error('The tests could not be started.');
  return at;
}

/** Kills a worker and all that it has started. */
function kill(pid) {
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
