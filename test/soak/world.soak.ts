import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { act } from '../simulation/actors/actors.ts';
import { ANYONE } from '../simulation/model/order.ts';
import { plantedProgram } from '../simulation/planted/program.mjs';
import { Random } from '../simulation/random.ts';
import { watchFile, watchPostgres } from './world/ledger.ts';
import { nextActor, soakPlan } from './world/plan.ts';
import { startService } from './world/service.ts';
import { guard, settle } from './world/settle.ts';
import { RealWorld } from './world/world.ts';

/** Real seconds for each database. */
const SECONDS = Number.parseInt(process.env['SWAPCTL_SOAK_SECONDS'] ?? '150', 10);
const SEED = Number.parseInt(process.env['SWAPCTL_SOAK_SEED'] ?? String(Date.now() % 1_000_000), 10);
/** The name of a bug in test/simulation/planted that must be found. */
const PLANTED = process.env['SWAPCTL_SOAK_PLANTED'];

/** Number of actors at the same time. */
const ACTING = 9;
/** Number of log lines printed with a failure; the file has all. */
const SHOWN_LINES = 40;

describe.each(BOTH_DATABASES)('real swapctl processes on $kind', ({ kind, fresh }) => {
  it(`hold every invariant of the simulation, with seed ${SEED}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'swapctl-world-'));
    const copy = join(folder, 'planted');
    const location = await fresh();
    const service = await startService(folder, SEED);
    const world = await RealWorld.open({
      plan: soakPlan(SEED),
      service,
      folder,
      program: PLANTED === undefined ? undefined : plantedProgram(PLANTED, copy),
      openLedger: (processOf) =>
        kind === 'postgres'
          ? watchPostgres(location, folder, processOf)
          : watchFile(location, { name: ANYONE, account: service.accounts[0], isAlive: true, now: Date.now }),
    });
    try {
      await guard(world);
      await world.live(SECONDS * 1000, () => actAll(world));
      if (world.model.violation === null) await settle(world);
    } catch (error) {
      // A violation is reported below with its log.
      if (world.model.violation === null) throw error;
    } finally {
      await world.close();
      rmSync(copy, { recursive: true, force: true });
    }
    const { violation, posts } = world.model;
    const figures = [...world.faults.counts].map(([name, count]) => `${name} ${count}`);
    process.stdout.write(
      `${kind}: ${world.counts.processes} processes, ${posts.length} creates; ${figures.join(', ')}\n`,
    );
    if (violation !== null) throw new Error(storyOf(world, violation.message));
    rmSync(folder, { recursive: true });
    // Even a slow machine must have made some creates, or nothing was tested.
    expect(posts.length).toBeGreaterThan(SECONDS / 20);
  });
});

/** Runs actors at the same time until the world ends. */
async function actAll(world: RealWorld): Promise<void> {
  const random = new Random(`actors ${SEED}`);
  let number = 0;
  const actOn = async () => {
    while (!world.isOver) {
      number += 1;
      await act(world, nextActor(number, random));
    }
  };
  await Promise.all(Array.from({ length: ACTING }, actOn));
}

/** The log lines about the names in a message. */
function storyOf(world: RealWorld, message: string): string {
  const file = join(world.folder, 'story.txt');
  writeFileSync(file, `${world.story.join('\n')}\n`);
  const names = message.match(/\b(?:[a-z]+-\d+|[A-Z]{6})\b/g) ?? [];
  const lines = world.story.filter((line) => names.some((name) => line.includes(name)));
  const shown = (lines.length === 0 ? world.story : lines)
    .slice(-SHOWN_LINES)
    .map((line) => line.slice(0, 300))
    .join('\n');
  return `${message}\n\n${shown}\n\nSeed ${SEED}. The whole story: ${file}`;
}
