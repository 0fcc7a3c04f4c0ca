// Reads a mutant as JSON, and ends with 3 if the simulation detects it.

import { readFileSync, rmSync } from 'node:fs';
import { bundleSimulation } from '../simulation/bundle.mjs';

/** Seeds that are tried: each of the themes that judge requests, answers, lists and command lines has had its turns by then. */
const SEEDS = 150;

const bundle = await bundleSimulation(JSON.parse(readFileSync(0, 'utf8')));
const { planOf, simulate } = await import(bundle);
rmSync(bundle);
for (let seed = 1; seed <= SEEDS; seed += 1)
  if ((await simulate(planOf(seed))).violation !== null) process.exit(3);
