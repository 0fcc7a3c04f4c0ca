import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { bundleSimulation } from './bundle.mjs';
import { PLANTED } from './planted/bugs.mjs';
import { promisesPage } from './planted/promises.mjs';
import { REASONS } from './unreached.mjs';

const SEEDS = 300;
const ROOT = join(import.meta.dirname, '..', '..');

let simulation: typeof import('./simulate.ts');

beforeAll(async () => {
  const file = await bundleSimulation();
  simulation = await import(file);
  rmSync(file);
});

/** The story of a seed, with the invariant that failed, if any. */
async function storyOf(seed: number): Promise<string> {
  const lines: string[] = [];
  await simulation.simulate(simulation.planOf(seed), (line) => lines.push(line));
  return lines.join('\n');
}

describe('the simulation', () => {
  it(`holds every invariant in the worlds of ${SEEDS} seeds`, { timeout: 900_000 }, async () => {
    const failed: string[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { violation } = await simulation.simulate(simulation.planOf(seed));
      if (violation !== null) failed.push(`npm run simulate -- --seed ${seed}: ${violation.message}`);
    }
    expect(failed).toEqual([]);
  });

  it('repeats the same story for a seed, in this process and in others', { timeout: 300_000 }, async () => {
    for (const seed of [7, 52]) expect(await storyOf(seed)).toBe(await storyOf(seed));
    const file = join(await temporaryFolder(), 'story.txt');
    const args = ['test/simulation/run.mjs', '--seed', '52', '--trace', file];
    expect(spawnSync(process.execPath, args, { cwd: ROOT }).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain(`\n${await storyOf(52)}\n`);
  });

  it('finds a bug that sends a create twice, and shows how', { timeout: 300_000 }, async () => {
    const file = await bundleSimulation(PLANTED.find(({ name }) => name === 'post-repeated') ?? null);
    const { planOf, shrink, simulate, without }: typeof simulation = await import(file);
    rmSync(file);
    let seed = 0;
    let rule = '';
    // In a world of three, all may be needed.
    while (rule === '' && seed < 100) {
      do seed += 1;
      while (planOf(seed).actors.length < 4);
      rule = (await simulate(planOf(seed))).violation?.rule ?? '';
    }
    expect(rule).toBe('claim');
    const plan = without(planOf(seed), await shrink(planOf(seed), rule));
    expect(plan.actors.length).toBeLessThan(planOf(seed).actors.length);
    expect((await simulate(plan)).violation?.rule).toBe(rule);
  });

  it('is recorded for each promise of docs/safety.md, as `npm run simulate -- --promises` writes it', () => {
    expect(readFileSync(join(ROOT, 'docs', 'evidence', 'promises.md'), 'utf8')).toBe(promisesPage());
  });

  it('says of each function of use cases and ledger why it does not reach all of it', () => {
    const page = readFileSync(join(ROOT, 'docs', 'evidence', 'coverage.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(.*?)` \| `(.*?)` \| [0-9]+ \| .* \| (.*?) ?\|$/gm)];
    expect(rows.length).toBeGreaterThan(0);
    for (const [, file, name, why] of rows) expect(why, `${file} ${name}`).not.toBe('');
  });

  it('has no reason for a function that no longer exists', () => {
    const gone = Object.entries(REASONS).flatMap(([file, functions]) => {
      const text = readFileSync(join(ROOT, 'src', 'core', file), 'utf8');
      return Object.keys(functions).filter((name) => !text.includes(name));
    });
    expect(gone).toEqual([]);
  });

  it('can plant each of its bugs in the source as it is', () => {
    expect(new Set(PLANTED.map(({ name }) => name)).size).toBe(PLANTED.length);
    for (const { name, file, find } of PLANTED)
      expect(readFileSync(join(ROOT, file), 'utf8').split(find).length, name).toBe(2);
  });
});
