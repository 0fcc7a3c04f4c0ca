// Reads a mutant as JSON, and ends with 3 if the simulation detects it.

import { readFileSync, rmSync } from 'node:fs';
import { bundleSimulation } from '../simulation/bundle.mjs';

/** Seeds that are tried: each of the themes that judge requests, answers and lists has had its turn by then. */
const SEEDS = 75;

const bundle = await bundleSimulation(JSON.parse(readFileSync(0, 'utf8')));
const { planOf, simulate } = await import(bundle);
rmSync(bundle);
for (let seed = 1; seed <= SEEDS; seed += 1)
  if ((await simulate(planOf(seed))).violation !== null) process.exit(3);
