// Draws small mistakes at random, puts each into the code, and shows which of them no test notices.
// Usage: npm run mutate -- [--seed <n>] [--count <n>] [--tests <path>]… [<folder of src>…]

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
/** Far more than the slowest tests take on a busy machine: what is ended by it was found by no test. */
const TIME_LIMIT_MS = 400_000;
/** Test files that reach a mutant in little time are tried first. */
const MOST_FILES = 25;

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
const copy = mkdtempSync(join(tmpdir(), 'swapctl-mutants-'));
try {
  await prepare(drawn);
  const reached = await filesByMutant();
  const known = new Set(read(KNOWN));
  const ends = [];
  for (const one of drawn) {
    const end = known.has(one.key) ? 'killed' : await tried(one, reached.get(one.id) ?? []);
    if (end === 'killed') known.add(one.key);
    ends.push({ ...one, end });
    print(`${ends.length}/${drawn.length} ${end.padEnd(11)} ${one.file}:${one.line} ${one.kind}`);
    mkdirSync(dirname(KNOWN), { recursive: true });
    writeFileSync(KNOWN, JSON.stringify([...known]));
  }
  report(ends);
} finally {
  rmSync(copy, { recursive: true, force: true });
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

/** Copies the tree with all mutants in it, and builds it once. */
async function prepare(mutants) {
  for (const file of tracked) cpSync(join(ROOT, file), join(copy, file));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const file of ['switch.mjs', 'note-test-file.mjs']) {
    const path = join(copy, 'test', 'mutation', file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('__FOLDER__', copy));
  }
  for (const file of new Set(mutants.map((one) => one.file))) {
    const own = mutants.filter((one) => one.file === file);
    const text = readFileSync(join(ROOT, file), 'utf8');
    writeFileSync(join(copy, file), withSwitches(text, own, join(copy, 'test', 'mutation', 'switch.mjs')));
  }
  turnOn(0);
  // The build starts the program that it has built.
  writeFileSync(join(copy, 'test-file'), '');
  const { code, output } = await run('npm', ['run', '-s', 'build']);
  if (code !== 0) throw new Error(`The mutants cannot be built: ${output}`);
  writeFileSync(join(copy, 'reached'), '');
}

function turnOn(id) {
  writeFileSync(join(copy, 'on'), String(id));
}

/** Runs the tests once with no mutant on; the test files that reach each mutant, the fastest first. */
async function filesByMutant() {
  const results = join(copy, 'results.json');
  const config = join(copy, 'vitest.mutation.config.mts');
  const where = ['--config', config, '--root', copy, '--reporter=json', `--outputFile=${results}`];
  await run('npx', ['vitest', 'run', ...where, ...values.tests]);
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  const failed = testResults.filter(({ status }) => status !== 'passed').map(({ name }) => name);
  if (failed.length > 0) print(`Left out, for they fail without a mutant: ${failed.join(', ')}`);
  const took = new Map(testResults.map(({ name, startTime, endTime }) => [name, endTime - startTime]));
  const reached = new Map();
  for (const line of readFileSync(join(copy, 'reached'), 'utf8').trim().split('\n')) {
    const [id, file] = [Number.parseInt(line, 10), line.slice(line.indexOf(' ') + 1)];
    if (took.has(file) && !failed.includes(file)) reached.set(id, (reached.get(id) ?? new Set()).add(file));
  }
  return new Map(
    [...reached].map(([id, files]) => [
      id,
      [...files].sort((a, b) => took.get(a) - took.get(b)).slice(0, MOST_FILES),
    ]),
  );
}

async function tried({ id }, files) {
  if (files.length === 0) return 'not reached';
  turnOn(id);
  const { code, isLate } = await run('npx', [
    'vitest',
    'run',
    '--project',
    'plain',
    '--root',
    copy,
    '--bail=1',
    // A machine that is busy must not count as a test that noticed something.
    `--testTimeout=${TIME_LIMIT_MS}`,
    `--hookTimeout=${TIME_LIMIT_MS}`,
    ...files,
  ]);
  if (isLate) return 'too slow';
  return code === 0 ? 'survived' : 'killed';
}

/** Runs a program in the copy; one that takes too long is ended, and with it what it has started. */
function run(program, args) {
  const child = spawn(program, args, { cwd: copy, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const limit = program === 'npx' && !args.includes('--reporter=json') ? TIME_LIMIT_MS : 2 ** 31 - 1;
  let isLate = false;
  const kill = () => process.kill(-child.pid, 'SIGKILL');
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limit);
  return new Promise((resolve) => {
    child.on('exit', () => {
      try {
        kill();
      } catch {
        // Nothing is left: mutants that never end outlive their test.
      }
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output, isLate });
    });
  });
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

/** A table by folder, and every mutant that no test noticed. */
function report(ends) {
  const folderOf = ({ file }) => file.split('/').slice(0, 3).join('/');
  print('\n| where | mutants | killed | share |\n|---|---|---|---|');
  const line = (name, some) => {
    const killed = some.filter(({ end }) => end === 'killed').length;
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
  for (const { end, file, line: at, kind } of ends)
    if (end !== 'killed') print(`- ${file}:${at} ${kind}: ${end}`);
}
