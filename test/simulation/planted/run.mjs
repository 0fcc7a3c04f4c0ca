import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLANTED } from './bugs.mjs';
import { plantedProgram } from './program.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** The page with the table of planted bugs, which begins after the mark. */
export const TABLE = join(ROOT, 'docs', 'evidence', 'simulation.md');
export const MARK = '<!-- planted -->\n';
const HEAD = ['| planted bug | file | seeds | invariant, or test |', '|---|---|---|---|'];
/** Seeds that are tried: some 60 s of processor time. */
const MAX_SEEDS = 300;
/** Far more than a file of tests takes: a bug may make it wait without end. */
const TEST_LIMIT_MS = 600_000;

/** Seeds that a planted bug needs until an invariant fails, and which one; null where none does. */
export async function findBySeeds(load, bug) {
  const { planOf, simulate } = await load(bug);
  for (let seed = 1; seed <= MAX_SEEDS; seed += 1) {
    const { violation } = await simulate(planOf(seed));
    if (violation !== null) return { seeds: seed, by: violation.rule };
  }
  return null;
}

/** The same in a process of its own, whose memory is freed at its end. */
function find({ name }) {
  const args = [join('test', 'simulation', 'run.mjs'), '--find', name];
  const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return JSON.parse(stdout);
}

/** Whether the named test fails with a planted bug. */
function findByTest({ name, test, isBuilt = false }) {
  const copy = mkdtempSync(join(tmpdir(), 'swapctl-planted-'));
  const args = ['test/tool.mjs', 'vitest', 'run', '--config', 'test/vitest.config.mts', test];
  const program = isBuilt ? { SWAPCTL_TEST_PROGRAM: plantedProgram(name, copy) } : {};
  const env = { ...process.env, SWAPCTL_TEST_PLANTED: name, ...program };
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    timeout: TEST_LIMIT_MS,
  });
  rmSync(copy, { recursive: true });
  // A file that does not load proves nothing.
  const hasRun = /Tests .*[0-9]+ failed/.test(stdout);
  return status === 1 && hasRun ? { seeds: '', by: `\`${test}\`` } : null;
}

/** The rows of the table in the documentation, by what they say is planted. */
export function rowsBefore(text) {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return new Map(rows.map((row) => [row.split(' | ')[0].slice(2), row]));
}

/**
 * Plants each bug, or the named ones, has the simulation or a test find it, and writes into the documentation how many
 * seeds that took.
 */
export function runPlanted(print) {
  const names = process.argv.slice(process.argv.indexOf('--planted') + 1);
  for (const bug of PLANTED) {
    if (names.length > 0 && !names.includes(bug.name)) continue;
    const found = bug.test === undefined ? find(bug) : findByTest(bug);
    print(found === null ? `${bug.name}: not found` : `${bug.name}: ${found.seeds} ${found.by}`);
    if (found === null) process.exitCode = 1;
    writeRow(bug, found);
  }
}

/** Writes the row of a bug into the table, which another run may have changed since. */
function writeRow({ what, file }, found) {
  const [text, table = ''] = readFileSync(TABLE, 'utf8').split(MARK);
  const rows = rowsBefore(table);
  rows.set(what, `| ${what} | \`${file}\` | ${found?.seeds ?? 'not found'} | ${found?.by ?? ''} |`);
  const lines = PLANTED.flatMap((bug) => rows.get(bug.what) ?? []);
  writeFileSync(TABLE, `${text}${MARK}${[...HEAD, ...lines].join('\n')}\n`);
}
