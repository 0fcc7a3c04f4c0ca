// Ends with 3 if the simulation detects a mutant. Usage: node test/mutation/simulate.mjs <mutant as JSON>

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleSimulation } from '../simulation/bundle.mjs';

/** Seeds that are tried: each of the themes that judge requests, answers and lists has had its turn by then. */
const SEEDS = 75;

const { file, start, end, to } = JSON.parse(process.argv[2]);
const text = readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');
const replace = `${text.slice(0, start)}${to ?? ''}${text.slice(end)}`;
const bundle = await bundleSimulation({ name: 'mutant', file, find: text, replace });
const { planOf, simulate } = await import(bundle);
rmSync(bundle);
for (let seed = 1; seed <= SEEDS; seed += 1)
  if ((await simulate(planOf(seed))).violation !== null) process.exit(3);
