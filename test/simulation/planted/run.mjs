import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLANTED } from './bugs.mjs';

const TABLE = join(import.meta.dirname, '..', '..', '..', 'docs', 'evidence', 'simulation.md');
const MARK = '<!-- planted -->\n';
const MAX_SEEDS = 2_000;

/** Seeds that a planted bug needs until an invariant fails, and which one; null where none does. */
async function find(load, bug) {
  const { planOf, simulate } = await load(bug);
  for (let seed = 1; seed <= MAX_SEEDS; seed += 1) {
    const { violation } = await simulate(planOf(seed));
    if (violation !== null) return { seeds: seed, rule: violation.rule };
  }
  return null;
}

/** Runs the simulation with each planted bug, and writes into the documentation how many seeds found it. */
export async function runPlanted(load, print) {
  const [, name] = process.argv.slice(process.argv.indexOf('--planted'));
  const bugs = PLANTED.filter((bug) => name === undefined || bug.name === name);
  const rows = [];
  for (const bug of bugs) {
    const found = await find(load, bug);
    print(
      `${bug.name}: ${found === null ? `not found in ${MAX_SEEDS} seeds` : `seed ${found.seeds}, ${found.rule}`}`,
    );
    rows.push(`| ${bug.what} | \`${bug.file}\` | ${found?.seeds ?? 'not found'} | ${found?.rule ?? ''} |`);
    if (found === null) process.exitCode = 1;
  }
  if (name !== undefined) return;
  const [head] = readFileSync(TABLE, 'utf8').split(MARK);
  const table = ['| planted bug | file | seeds | invariant |', '|---|---|---|---|', ...rows].join('\n');
  writeFileSync(TABLE, `${head}${MARK}${table}\n`);
}
