import { createClient } from '../../src/core/client/client.ts';
import { fetchCoinList } from '../../src/core/client/coin-list.ts';
import type { CoinList } from '../../src/core/client/coin-list-cache.ts';
import { act } from './actors/actors.ts';
import { settle } from './actors/settle.ts';
import type { Violation } from './model/violation.ts';
import { Random } from './random.ts';
import type { Plan } from './world/plan.ts';
import { without } from './world/plan.ts';
import { Scheduler } from './world/scheduler.ts';
import { BASE_URL, openService } from './world/service.ts';
import { World } from './world/world.ts';

export { planOf, without } from './world/plan.ts';

/** What one world came to. */
export interface Story {
  readonly plan: Plan;
  readonly violation: Violation | null;
  /** Creates that were sent. */
  readonly swaps: number;
  readonly faults: ReadonlyMap<string, number>;
  /** Simulated milliseconds. */
  readonly simulatedMs: number;
  readonly steps: number;
}

/** Longest time that actors are given, in milliseconds: what goes on for longer does not end. */
const MAX_MS = 12 * 3_600_000;

let coinList: Promise<CoinList> | null = null;

/** The coin list of the sandbox, which is the same in every world. */
async function coins(): Promise<CoinList> {
  const scheduler = new Scheduler(new Random('coins'));
  const service = await openService(scheduler, { seed: 1, limit: 1_000_000, areTwo: false }, (line) => {
    throw new Error(line);
  });
  const client = createClient({
    baseUrl: BASE_URL,
    credentials: service.accounts[0].credentials,
    timeoutMs: 1000,
    now: () => 0,
    sleep: async () => undefined,
    random: () => 0,
    transport: async (request) => ({ ...(await service.handle(request)), retryAfter: null }),
  });
  const list = await fetchCoinList(client, () => 0);
  await service.close();
  return list;
}

/** Lets one world happen. The same plan gives the same lines. */
export async function simulate(plan: Plan, tell: (line: string) => void = () => undefined): Promise<Story> {
  coinList ??= coins();
  const world = await World.open(plan, await coinList, tell);
  const { model, faults, scheduler } = world;
  // An error that nothing waits for would end the run without a story.
  const onLost = (error: unknown) => void model.fail('internal error', inWords(error));
  process.on('unhandledRejection', onLost);
  try {
    await live(world);
  } finally {
    process.off('unhandledRejection', onLost);
    await world.close();
  }
  if (model.violation !== null) world.tell(`VIOLATION ${model.violation.message}`);
  return {
    plan,
    violation: model.violation,
    swaps: model.posts.length,
    faults: faults.counts,
    simulatedMs: scheduler.now,
    steps: scheduler.steps,
  };
}

async function live(world: World): Promise<void> {
  const { model, plan, scheduler } = world;
  const clocks = new Random(`${plan.seed} clocks`);
  scheduler.after(clocks.between(20_000, 200_000), () => {
    if (world.faults.strikes('clock-back', 'every machine'))
      world.setClocks(
        -(plan.setBackBy ?? clocks.between(1_000, clocks.pick([20_000, 600_000, 10_800_000]))),
        plan.setBackBy === undefined && clocks.chance(0.5),
      );
  });
  let acting = plan.actors.length;
  for (const actor of plan.actors)
    act(world, actor).then(
      () => {
        acting -= 1;
      },
      (error: unknown) => {
        model.fail('simulation', inWords(error));
      },
    );
  const isOver = () => model.violation !== null;
  const step = () => {
    try {
      model.step();
    } catch (error) {
      if (model.violation === null) throw error;
    }
  };
  await scheduler.run(MAX_MS, () => isOver() || acting === 0, step);
  if (!isOver() && acting > 0) model.fail('an end', `${acting} actors never finish`);
  let hasSettled = false;
  if (!isOver())
    settle(world).then(
      () => {
        hasSettled = true;
      },
      (error: unknown) => model.fail('simulation', inWords(error)),
    );
  await scheduler.run(Number.POSITIVE_INFINITY, () => isOver() || hasSettled, step);
  if (!isOver() && !hasSettled) model.fail('an end', 'the last programs never finish');
}

function inWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Leaves out actors and faults as long as the same invariant fails, and returns the names of what was left out. */
export async function shrink(plan: Plan, rule: string): Promise<readonly string[]> {
  const names = [...Object.keys(plan.faults), ...plan.actors.map(({ id }) => id)];
  let left: readonly string[] = [];
  for (let before = -1; before < left.length; ) {
    before = left.length;
    for (const name of names) {
      if (left.includes(name)) continue;
      const { violation } = await simulate(without(plan, [...left, name]));
      if (violation?.rule === rule) left = [...left, name];
    }
  }
  return left;
}
