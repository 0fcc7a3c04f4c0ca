// Usage: npm run simulate -- [--seeds <n>] [--from <seed>] [--minutes <n>] | --seed <n> [--without <names>] [--trace <file>]
//        npm run simulate -- --planted [<name>…] | --promises | --guards
// --coverage writes docs/evidence/coverage.md; --missed <file> writes the lines of use cases and ledger where branches begin that never ran.

import { randomInt } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleSimulation, COUNTED } from './bundle.mjs';
import { branchesOf, countBranches } from './coverage.mjs';
import { runGuards, withoutGuard } from './guards.mjs';
import { bugOf } from './planted/plugin.mjs';
import { writePromises } from './planted/promises.mjs';
import { findBySeeds, runPlanted } from './planted/run.mjs';
import { writeCoverage } from './unreached.mjs';

const { values, positionals } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string' },
    without: { type: 'string' },
    trace: { type: 'string' },
    minutes: { type: 'string' },
    missed: { type: 'string' },
    coverage: { type: 'boolean' },
    planted: { type: 'boolean' },
    find: { type: 'string' },
    promises: { type: 'boolean' },
    guards: { type: 'boolean' },
    guard: { type: 'string' },
  },
  allowPositionals: true,
});

const print = (line) => process.stdout.write(`${line}\n`);

/** Loads the bundle, whose file is not needed any more. */
async function load(bug) {
  const file = await bundleSimulation(bug);
  const module = await import(file);
  rmSync(file);
  return module;
}

/** Loads the bundle so that `branches` tells which parts of the use cases have run. */
async function loadCounted() {
  const file = await bundleSimulation(null, true);
  const session = await countBranches();
  const simulation = await import(file);
  const bundle = {
    url: pathToFileURL(file).href,
    code: readFileSync(file, 'utf8'),
    map: readFileSync(`${file}.map`, 'utf8'),
  };
  for (const each of [file, `${file}.map`]) rmSync(each);
  return { simulation, branches: () => branchesOf(session, bundle, COUNTED) };
}

/** Prints how much of use cases and ledger has run. */
function printBranches(files, seeds) {
  const count = (of) => [...files.values()].reduce((sum, file) => sum + of(file), 0);
  const [ran, missed] = [count((file) => file.ran), count((file) => file.missed.length)];
  print(
    `use cases and ledger: ${ran} of ${ran + missed} branches ran, ${Math.round((100 * ran) / (ran + missed))} %`,
  );
  if (values.coverage === true) writeCoverage(files, seeds);
  if (values.missed === undefined) return;
  const lines = [...files].flatMap(([file, { missed: at }]) =>
    at.map(({ line, within }) => `${file}:${line} ${within}\n`),
  );
  writeFileSync(values.missed, lines.join(''));
}

/** Prints the story of a failing seed, shrunk to what matters, and how to see it again. */
async function tellFailure({ planOf, shrink, simulate, without }, seed, rule) {
  const left = await shrink(planOf(seed), rule);
  const lines = [];
  await simulate(without(planOf(seed), left), (line) => lines.push(line));
  print(`\nSeed ${seed} breaks an invariant. Its story, without what does not matter:\n`);
  print(lines.join('\n'));
  print(`\nSee it again: npm run simulate -- --seed ${seed} --without ${left.join(',')} --trace story.txt\n`);
}

async function runOne(simulation, seed) {
  const lines = [];
  const plan = simulation.without(simulation.planOf(seed), (values.without ?? '').split(','));
  const { violation } = await simulation.simulate(plan, (line) => lines.push(line));
  const text = `${JSON.stringify(plan)}\n${lines.join('\n')}\n`;
  if (values.trace === undefined) print(text);
  else writeFileSync(values.trace, text);
  if (violation !== null) process.exitCode = 1;
}

async function runMany({ simulation, branches }, from, isOver) {
  const begun = process.cpuUsage();
  const faults = new Map();
  const totals = { seeds: 0, swaps: 0, failed: 0, simulatedMs: 0 };
  print(`seeds from ${from}`);
  for (let seed = from; !isOver(totals.seeds); seed += 1) {
    const story = await simulation.simulate(simulation.planOf(seed));
    totals.seeds += 1;
    totals.swaps += story.swaps;
    totals.simulatedMs += story.simulatedMs;
    for (const [name, count] of story.faults) faults.set(name, (faults.get(name) ?? 0) + count);
    if (story.violation === null) continue;
    totals.failed += 1;
    print(`seed ${seed}: ${story.violation.message}`);
    if (totals.failed === 1) await tellFailure(simulation, seed, story.violation.rule);
  }
  const { user, system } = process.cpuUsage(begun);
  const seconds = (user + system) / 1_000_000;
  print(`${totals.seeds} seeds, ${totals.failed} failed`);
  print(
    `${totals.swaps} swaps, ${Math.round(totals.swaps / seconds)} in a second of processor time, which was ${seconds.toFixed(1)} s`,
  );
  print(`${(totals.simulatedMs / 86_400_000).toFixed(1)} days of simulated time`);
  const counted = [...faults].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  print(`faults: ${counted.join(', ')}`);
  printBranches(await branches(), totals.seeds);
  if (totals.failed > 0) process.exitCode = 1;
}

if (values.planted === true) runPlanted(print);
else if (values.find !== undefined) print(JSON.stringify(await findBySeeds(load, bugOf(values.find))));
else if (values.promises === true) writePromises();
else if (values.guards === true) await runGuards(print);
else if (values.guard !== undefined)
  print(String(await withoutGuard(values.guard, positionals[0].split(',').map(Number))));
else {
  if (values.seed !== undefined) await runOne(await load(null), Number.parseInt(values.seed, 10));
  else {
    const minutes = values.minutes === undefined ? null : Number.parseInt(values.minutes, 10);
    const end = Date.now() + (minutes ?? 0) * 60_000;
    const seeds = Number.parseInt(values.seeds ?? '200', 10);
    const from = Number.parseInt(
      values.from ?? (minutes === null ? '1' : String(randomInt(1_000_000, 1_000_000_000))),
      10,
    );
    await runMany(await loadCounted(), from, (done) =>
      minutes === null ? done >= seeds : Date.now() >= end,
    );
  }
}
