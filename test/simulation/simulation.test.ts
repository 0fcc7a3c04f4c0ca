import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { bundleSimulation } from './bundle.mjs';
import { PLANTED } from './planted/bugs.mjs';
import { promisesPage } from './planted/promises.mjs';
import { REASONS } from './unreached.mjs';
import type { Plan } from './world/plan.ts';

const SEEDS = 300;
const ROOT = join(import.meta.dirname, '..', '..');

/** Worlds that found a bug once. */
const FOUND: readonly { readonly what: string; readonly plan: Plan }[] = [
  {
    what: 'a batch that waited long for its budget showed an order as fundable that had been paid since',
    plan: {
      seed: 1213,
      actors: [
        { id: 'create-1', kind: 'create', size: 6 },
        { id: 'batch-2', kind: 'batch', size: 9 },
        { id: 'listen-3', kind: 'listen', size: 1 },
        { id: 'watch-4', kind: 'watch', size: 2 },
        { id: 'owner-5', kind: 'owner', size: 1 },
      ],
      faults: {
        ...{ killed: 0.003, interrupted: 0.0005, 'request-lost': 0.02, 'answer-lost': 0.02 },
        ...{
          'request-repeated': 0.02,
          garbage: 0.02,
          stale: 0.02,
          echo: 0.1,
          busy: 0.15,
          'disk-full': 0.001,
        },
      },
      serviceLimit: 1200,
      knowsWindows: true,
      clocksDiffer: 0,
      policy: {
        caps: [
          { coin: 'BTC', amount: '2', minutes: 60 },
          { coin: 'ETH', amount: '20', minutes: 60 },
          { coin: 'XRP', amount: '20000', minutes: 5 },
        ],
        count: null,
        approve: null,
      },
    },
  },
  {
    what: 'a raw create recorded the order of another key pair as its own, after the network had mixed up two answers',
    plan: {
      seed: 301211984,
      actors: [
        { id: 'create-1', kind: 'create', size: 3 },
        { id: 'batch-2', kind: 'batch', size: 3, isOther: true },
        { id: 'staff-3', kind: 'staff', size: 2 },
        { id: 'watch-4', kind: 'watch', size: 1 },
        { id: 'refund-5', kind: 'refund', size: 2 },
        { id: 'owner-6', kind: 'owner', size: 3 },
        { id: 'approver-7', kind: 'approver', size: 4 },
        { id: 'api-8', kind: 'api', size: 5 },
      ],
      faults: {
        ...{ slow: 0.02, garbage: 0.02, 'request-tampered': 0.3, stale: 0.1, echo: 0.1, busy: 0.02 },
        ...{ 'disk-slow': 0.005, receiver: 0.1, 'clock-back': 1 },
      },
      serviceLimit: 1200,
      knowsWindows: true,
      clocksDiffer: 0,
      policy: {
        caps: [
          { coin: 'BTC', amount: '2', minutes: 5 },
          { coin: 'ETH', amount: '20', minutes: 5 },
          { coin: 'XRP', amount: '20000', minutes: 60 },
        ],
        count: { most: 8, minutes: 60 },
        approve: { coin: 'XRP', above: '4000' },
      },
    },
  },
];

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

  it.each(FOUND)('holds every invariant where once $what', async ({ plan }) => {
    const { violation } = await simulation.simulate(plan);
    expect(violation?.message).toBeUndefined();
  });

  it('repeats the same story for a seed, in this process and in others', {
    timeout: 300_000,
  }, async () => {
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
    for (const { name, file, find } of PLANTED)
      expect(readFileSync(join(ROOT, file), 'utf8').split(find).length, name).toBe(2);
  });
});
