import { SwapctlError } from '../../../src/base/errors.ts';
import type { SwapInput } from '../../../src/core/swaps/check.ts';
import type { TrueOrder } from '../model/order.ts';
import type { Job } from '../model/shown.ts';
import { Random } from '../random.ts';
import { anotherSwap, movedTo, refundAddressOf, wantedSwap } from '../world/coins.ts';
import { mistyped } from '../world/mistyped.ts';
import type { ActorKind, ActorPlan } from '../world/plan.ts';
import type { Account } from '../world/service.ts';
import { borrowApprovals } from './borrow.ts';
import { setRefund } from './refund.ts';
import type { Acting, BatchTerms, Stage } from './stage.ts';
import { isWorthRepeating, pauseOf, wantedApproval } from './stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MAX_TRIES = 4;

/** Lets an actor do what it does, to the end. */
export async function act(world: Stage, plan: ActorPlan): Promise<void> {
  const random = new Random(`${world.plan.seed} ${plan.id}`);
  await world.scheduler.sleep(random.between(0, 60 * SECOND));
  const [first, other = first] = world.service.accounts;
  // Of its own, so that it changes nothing else of a world.
  const usesLibrary = new Random(`${world.plan.seed} ${plan.id} library`).chance(0.4);
  await ACTS[plan.kind](
    actingFor({
      library: usesLibrary ? (world.programs.library ?? null) : null,
      world,
      programs: world.programs,
      plan,
      random,
      account: plan.isOther === true ? other : first,
    }),
  );
}

function actingFor(acting: Omit<Acting, 'run'>): Acting {
  const { world, plan, random, account } = acting;
  return {
    ...acting,
    run: (work, options) => world.run(plan.id, world.machine(random), work, { ...options, account }),
  };
}

const ACTS: Readonly<Record<ActorKind, (acting: Acting) => Promise<void>>> = {
  create: shop,
  twins: shopTogether,
  batch: payList,
  status: lookAround,
  listen: keepListening,
  watch: watchOne,
  clerk: settleUnknown,
  refund: changeRefunds,
  staff: workAtService,
  report: readAll,
  owner: stopAndResume,
  approver: approve,
  api: sendRaw,
  regular: shopForHours,
  deadline: pollAtDeadlines,
  borrower: borrowApprovals,
  desk: workAtDesk,
};

function jobOf(
  { world, plan, random, library }: Acting,
  number: number,
  asked = wantedSwap(random, plan.coin),
  team: string | null = null,
): Job {
  // The library takes no tolerance.
  const wanted = library === null ? asked : { ...asked, tolerance: null };
  const job = { id: `${plan.id}-${number}`, asked: wanted, team };
  world.model.jobs.set(job.id, job);
  return job;
}

/** Somebody creates one swap after the other, and repeats what failed. */
async function shop(acting: Acting): Promise<void> {
  const { world, plan, random } = acting;
  // The amount of a deposit that the service computes would differ each time.
  const alike: SwapInput | null =
    plan.isAlike === true
      ? { ...wantedSwap(new Random(`${world.plan.seed} alike`), 'BTC'), lastSource: 'deposit', amount: '0.5' }
      : null;
  let before: SwapInput | null = alike;
  for (let number = 1; number <= plan.size; number += 1) {
    // Some want the same again, which makes orders that are alike.
    const asked: SwapInput =
      alike ?? (before !== null && random.chance(0.2) ? before : wantedSwap(random, plan.coin, plan.side));
    before = asked;
    const job = jobOf(acting, number, asked);
    const key = plan.isKeyed === true || random.chance(0.6) ? `key-${job.id}` : null;
    await created(acting, job, key);
    await world.scheduler.sleep(pauseOf(acting, 0, 20 * SECOND));
    if (plan.isKeyed === true) await created(acting, job, key);
  }
}

/** Somebody creates swaps of the coin that the policy caps for hours, and sometimes takes an earlier key again. */
async function shopForHours(acting: Acting): Promise<void> {
  const { world, plan, random } = acting;
  const coin = world.plan.policy?.caps[0]?.coin;
  const keys: string[] = [];
  for (let number = 1; number <= plan.size; number += 1) {
    const asked = wantedSwap(random, random.chance(0.85) ? coin : undefined);
    const job = jobOf(acting, number, asked, random.pick(['a', 'b', null, null]));
    const isReused = keys.length > 0 && random.chance(0.1);
    const key = isReused ? random.pick(keys) : random.chance(0.6) ? `key-${job.id}` : null;
    if (key !== null) keys.push(key);
    await created(acting, job, key);
    const pauses = [
      [20 * SECOND, 2 * MINUTE],
      [3 * MINUTE, 12 * MINUTE],
      [25 * MINUTE, 40 * MINUTE],
    ] as const;
    await world.scheduler.sleep(random.between(...random.pick(pauses)));
  }
}

/**
 * Two processes create the same swap with one key; where the second has a key pair of its own, or someone who varies it, it
 * is another swap.
 */
async function shopTogether(acting: Acting): Promise<void> {
  const { world, plan, random } = acting;
  const other = world.service.accounts.find((account) => account !== acting.account);
  for (let number = 1; number <= plan.size; number += 1) {
    const job = jobOf(acting, number);
    const key = `key-${job.id}`;
    const second = async () => {
      await world.scheduler.sleep(
        random.between(0, plan.isVaried === true ? random.pick([150, 150, 20_000]) : 300),
      );
      if (plan.isVaried === true) {
        const asked = world.plan.policy == null ? anotherSwap(job.asked, random) : undefined;
        return created(acting, jobOf(acting, number + plan.size, asked), key);
      }
      if (other === undefined || random.chance(0.5)) return created(acting, job, key);
      const apart = { ...acting, account: other };
      return created(actingFor(apart), jobOf(apart, number + plan.size, job.asked), key);
    };
    await Promise.all([created(acting, job, key), second()]);
    await world.scheduler.sleep(random.between(0, 20 * SECOND));
  }
}

/** Creates a swap; with a key, and after an error that says so, again. */
async function created(acting: Acting, job: Job, key: string | null): Promise<void> {
  const { world, programs, plan, random, library, run } = acting;
  let approval: string | null = null;
  const asks = plan.isVaried === true && library === null ? random : null;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    // Someone types another label the second time, which changes nothing.
    const typed = asks !== null && tries > 1 ? { ...job, team: 'c' } : job;
    const ended = await run(async (program) => {
      const { model } = world;
      const checkKey = model.begins(program.process, key);
      try {
        const result = await (library ?? programs).create(program, typed, key, approval, asks);
        if (!program.process.isAlive || result === null) return;
        const { order } = result.swap;
        if (!result.replayed) model.acknowledged(program.process, order, result.ledgerError === null);
        model.checkReportedOrder(program.process, order, job);
        for (const notice of result.notices) model.refuseSecrets(program.process, notice);
        if (!result.replayed) model.checkWarned(program.process, job, result);
        program.show(result.swap);
        if (result.ledgerError !== null) throw result.ledgerError;
      } catch (error) {
        if (error instanceof SwapctlError && program.process.isAlive) {
          model.refused(program.process, error.outcome, model.fatesOf(program.process), error.message);
          model.failed(program.process, error);
          checkKey(error);
        }
        if (error instanceof SwapctlError && error.code === 'not_found')
          model.fail(
            'one order',
            `${program.process.name} is given an order that its key pair does not have`,
          );
        throw error;
      }
    });
    if (ended.kind === 'done') return;
    // Without a key nobody repeats what may have been sent.
    const isSafe =
      ended.kind === 'failed' && ended.error.outcome !== 'unknown' && ended.error.outcome !== 'done';
    if (key === null && !isSafe) return;
    if (ended.kind === 'failed' && isSafe && !isWorthRepeating(ended.error)) return;
    approval = wantedApproval(ended) ?? approval;
    await world.scheduler.sleep(pauseOf(acting, 100, 30 * SECOND));
  }
}

/** Somebody pays a list, and runs the same file again after it was cut short. */
async function payList(acting: Acting): Promise<void> {
  const { world, programs, plan, random, run } = acting;
  const jobs =
    plan.isVaried === true
      ? variedRows(acting)
      : Array.from({ length: plan.size }, (_, index) => {
          const job = jobOf(acting, index + 1, wantedSwap(random, plan.coin, plan.side));
          return plan.isKeyed === true ? { ...job, rowKey: `row-${job.id}` } : job;
        });
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    let isComplete = true;
    const isWrong = plan.isVaried === true && random.chance(0.2);
    const typed = (job: Job) =>
      random.chance(0.5) ? { ...job, asked: { ...job.asked, ...mistyped(random).typed } } : job;
    const rows = isWrong ? jobs.map(typed) : jobs;
    const once = () =>
      run(
        (program) =>
          programs.batch(
            program,
            rows,
            (job, end, begunAt) => {
              const { model } = world;
              const fates = model.posts
                .filter(
                  (post) =>
                    post.process === program.process.name && model.intents.get(post.intent)?.job === job.id,
                )
                .map(({ fate }) => fate);
              if (end.error !== null) {
                isComplete = false;
                model.refuseSecrets(program.process, JSON.stringify(end.error.toJSON()));
                model.refused(program.process, end.error.outcome, fates, end.error.message);
                model.failed(program.process, end.error);
              }
              // A row that has its order is shown as it was seen in the last ten minutes.
              const age = world.scheduler.now - begunAt + (end.isEarlier ? 10 * MINUTE : 0);
              if (end.swap !== null) program.show(end.swap, age);
            },
            plan.isVaried === true ? batchTerms(jobs, tries, random) : undefined,
          ),
        { isBudgeted: true },
      );
    // Some run the same file twice at the same time.
    const isTwice = plan.isVaried === true && random.chance(0.25);
    const [ended] = await Promise.all([once(), ...(isTwice ? [once()] : [])]);
    if (ended.kind === 'done' && isComplete && plan.pauses === undefined && random.chance(0.7)) return;
    const [low, high] = random.chance(0.3) ? [11 * MINUTE, 45 * MINUTE] : [SECOND, MINUTE];
    await world.scheduler.sleep(pauseOf(acting, low, high));
  }
}

/** Rows of which some are equal, have no labels, or have a least payout; most are near each other, as their prices are. */
function variedRows(acting: Acting): readonly Job[] {
  const { plan, random } = acting;
  const first: SwapInput = { ...wantedSwap(random), lastSource: 'deposit', type: 'float', tolerance: '5' };
  const isUnlabelled = random.chance(0.6);
  return Array.from({ length: plan.size }, (_, index) => {
    const near = { ...first, amount: (Number(first.amount) * (1 + index / 9)).toFixed(3) };
    const asked = random.pick([near, near, near, first, { ...wantedSwap(random), minReceive: '0.0001' }]);
    const job = jobOf(acting, index + 1, asked);
    if (isUnlabelled) return { ...job, isUnlabelled };
    return random.chance(0.2) ? { ...job, rowKey: `row-${job.id}` } : job;
  });
}

/** The flags of a batch. A repeat creates the same again, so its rows must not be wanted once. */
function batchTerms(rows: readonly Job[], tries: number, random: Random): BatchTerms {
  const canRepeat = rows.every(({ isUnlabelled }) => isUnlabelled === true);
  const isAgain = tries > 1 && random.chance(0.7);
  const repeat = isAgain && canRepeat && random.chance(0.6);
  return { resume: isAgain && !repeat, repeat, dryRun: random.chance(0.2) };
}

async function lookAround(acting: Acting): Promise<void> {
  const { world, programs, plan, run } = acting;
  for (let number = 1; number <= plan.size; number += 1) {
    await world.scheduler.sleep(pauseOf(acting, 5 * SECOND, 4 * MINUTE));
    await run(programs.status, { isBudgeted: true });
  }
}

/** Someone polls the swaps shortly before the window of one ends, and shortly after. */
async function pollAtDeadlines({ world, programs, plan, random, account, run }: Acting): Promise<void> {
  const { scheduler } = world;
  for (let number = 1; number <= plan.size; number += 1) {
    await scheduler.sleep(random.between(MINUTE, 4 * MINUTE));
    const ends = ownOrders(world, account).map(({ windowEndsAt }) => windowEndsAt);
    const open = ends.filter((end) => end > scheduler.now + 30 * SECOND);
    if (open.length === 0) continue;
    const end = random.pick(open);
    for (const at of [
      end - random.between(SECOND, 15 * SECOND),
      end + random.between(4 * SECOND, 12 * SECOND),
    ]) {
      await scheduler.sleep(at - scheduler.now);
      await run(programs.status, { isBudgeted: true });
    }
  }
}

/** A listener, started again whenever it ends. */
async function keepListening(acting: Acting): Promise<void> {
  const { world, programs, library, plan, random, run } = acting;
  for (let number = 1; number <= plan.size; number += 1) {
    const forMs = random.chance(0.5) ? null : random.between(5 * SECOND, 60 * SECOND);
    const follows = forMs === null ? null : library?.follow;
    await run(
      (program) =>
        forMs !== null && follows != null ? follows(program, forMs) : programs.listen(program, forMs),
      { isBudgeted: true },
    );
    await world.scheduler.sleep(pauseOf(acting, 0, 2 * MINUTE));
  }
}

function ownOrders({ model }: Stage, account: Account): readonly TrueOrder[] {
  return [...model.orders.values()].filter(({ post }) => post.account === account);
}

async function watchOne(acting: Acting): Promise<void> {
  const { world, programs, plan, random, account, run } = acting;
  for (let number = 1; number <= plan.size; number += 1) {
    await world.scheduler.sleep(pauseOf(acting, 10 * SECOND, 2 * MINUTE));
    const orders = ownOrders(world, account);
    if (orders.length === 0) continue;
    const { order } = random.pick(orders);
    const forMs = random.between(10 * SECOND, 90 * SECOND);
    await run((program) => programs.watch(program, order, forMs), { isBudgeted: true });
  }
}

/** A clerk settles unknown outcomes: asks the service's desk for the order, or dismisses it where there is none. */
async function settleUnknown(acting: Acting): Promise<void> {
  const { world, programs, plan, random, account, run } = acting;
  for (let number = 1; number <= plan.size; number += 1) {
    await world.scheduler.sleep(pauseOf(acting, 20 * SECOND, random.pick([MINUTE, 8 * MINUTE])));
    const listed = await run(programs.history);
    if (listed.kind !== 'done') continue;
    const unknown = listed.value.filter(
      (entry) => entry.outcome === 'unknown' && entry.account === account.owner.account,
    );
    // The last one first gets the order that is the oldest.
    if (world.plan.isPinned === true) unknown.sort((a, b) => b.requestedAt - a.requestedAt);
    for (const { id, requestedAt } of unknown) {
      const made = [...world.model.orders.values()].filter(({ post }) => post.intent === id);
      if (plan.isHurried === true && made.length > 0) continue;
      const found = plan.isVaried === true ? null : (made[0]?.order ?? null);
      const order = plan.isHurried === true ? orderLike(world, id) : found;
      // A create of this minute may be under way, and make its order yet.
      const isUnderWay = world.ageOf(requestedAt) < 3 * MINUTE && plan.isImpatient !== true;
      if (order === null && (plan.isHurried === true || isUnderWay)) continue;
      const mistyped = orderUnlike(world, id);
      if (mistyped !== null) await run((program) => programs.resolve(program, id, mistyped));
      world.model.settledByHand.set(id, order);
      await run((program) => programs.resolve(program, id, order));
    }
  }
}

/** An order of another create of unknown outcome that was sent with the same content; null for none that is left. */
function orderLike({ model: { intents, orders, settledByHand } }: Stage, id: string): string | null {
  const body = intents.get(id)?.posts[0]?.body;
  const taken = [...settledByHand.values()];
  const other = [...orders.values()].find(
    ({ order, post }) =>
      post.body === body && intents.get(post.intent)?.outcome === 'unknown' && !taken.includes(order),
  );
  return other?.order ?? null;
}

/** An order of another create of unknown outcome that pays to another address; null where an answer may hide that. */
function orderUnlike({ model: { intents, orders }, plan }: Stage, id: string): string | null {
  const { tampered, stale } = plan.faults;
  const own = intents.get(id)?.posts[0];
  if (own === undefined || tampered !== undefined || stale !== undefined) return null;
  const payee = (body: string) => /"receiveAddress":"[^"]*"/.exec(body)?.[0];
  const other = [...orders.values()].find(
    ({ post }) =>
      post.account === own.account &&
      intents.get(post.intent)?.outcome === 'unknown' &&
      payee(post.body) !== payee(own.body),
  );
  return other?.order ?? null;
}

/** Someone changes where refunds go, and asks for an approval where the policy wants one. */
async function changeRefunds(acting: Acting): Promise<void> {
  const { world, plan, random, account } = acting;
  for (let number = 1; number <= plan.size; number += 1) {
    await world.scheduler.sleep(pauseOf(acting, 10 * SECOND, 3 * MINUTE));
    const orders = ownOrders(world, account);
    if (orders.length === 0) continue;
    const { order, deposit } = random.pick(orders);
    const coin = plan.isVaried === true && random.chance(0.5) ? movedTo(deposit.coin) : deposit.coin;
    await setRefund(acting, order, refundAddressOf(coin, random));
  }
}

/** People at the service hold, fail and pay back orders. */
async function workAtService(acting: Acting): Promise<void> {
  const { world, plan, random } = acting;
  for (let number = 1; number <= plan.size * 2; number += 1) {
    await world.scheduler.sleep(pauseOf(acting, 10 * SECOND, 3 * MINUTE));
    const orders = [...world.model.orders.values()].filter(({ paid }) => paid.length > 0);
    if (orders.length === 0) continue;
    const { order } = random.pick(orders);
    const verb = random.pick(['pause', 'resume', 'freeze', 'fail', 'refund', 'succeed'] as const);
    try {
      await world.service.operator.orders.move(order, verb);
      world.tell(`the service's staff: ${verb} ${order}`);
    } catch (error) {
      if (!(error instanceof SwapctlError)) throw error;
    }
  }
}

async function readAll({ world, programs, plan, random, run }: Acting): Promise<void> {
  for (let number = 1; number <= plan.size; number += 1) {
    await world.scheduler.sleep(random.between(30 * SECOND, 5 * MINUTE));
    await run(programs.history);
  }
}

/** Someone at a desk reads, notes and tries one thing after the other. */
async function workAtDesk(acting: Acting): Promise<void> {
  const { world, programs, plan, random, run } = acting;
  for (let number = 1; number <= plan.size; number += 1) {
    await world.scheduler.sleep(pauseOf(acting, SECOND, 25 * SECOND));
    await run(async (program) => programs.runErrand?.(program, random));
  }
}

/** The owner stops all creates, and lets them go on; or sets one policy after the other. */
async function stopAndResume(acting: Acting): Promise<void> {
  const { world, programs, plan, random, run } = acting;
  const { policies = [] } = world.plan;
  for (let number = 1; policies.length > 0 && number <= plan.size; number += 1) {
    await world.scheduler.sleep(pauseOf(acting, SECOND, MINUTE));
    await run(async (program) => programs.setPolicy?.(program, random.pick(policies)));
  }
  if (policies.length > 0) return;
  for (let number = 1; number <= plan.size; number += 1) {
    await world.scheduler.sleep(random.between(SECOND, 90 * SECOND));
    for (const isStop of [true, false]) {
      await run((program) => programs.stopOrResume(program, isStop));
      const lasts =
        world.plan.isLong === true
          ? random.between(MINUTE, 40 * MINUTE)
          : random.between(SECOND, 30 * SECOND);
      await world.scheduler.sleep(lasts);
    }
  }
}

/** Someone approves what waits for it, and refuses some. */
async function approve(acting: Acting): Promise<void> {
  const { world, programs, plan, random, run } = acting;
  for (let number = 1; number <= plan.size; number += 1) {
    await world.scheduler.sleep(pauseOf(acting, SECOND, 40 * SECOND));
    const isGood = () => plan.isHurried === true || random.chance(0.85);
    await run((program) => programs.approve(program, world.model.policy, isGood));
  }
}

/** Someone sends creates of their own making, each several times: once it is approved, and once too often. */
async function sendRaw(acting: Acting): Promise<void> {
  const { world, programs, plan, random, run } = acting;
  for (let number = 1; number <= plan.size; number += 1) {
    const asked = wantedSwap(random, plan.coin);
    if (asked.lastSource === 'receive') continue;
    for (let times = 1; times <= MAX_TRIES; times += 1) {
      await world.scheduler.sleep(pauseOf(acting, SECOND, 30 * SECOND));
      await run(async (program) => {
        try {
          world.model.refuseSecrets(program.process, await programs.api(program, asked));
        } catch (error) {
          if (error instanceof SwapctlError && program.process.isAlive)
            world.model.failed(program.process, error);
          throw error;
        }
      });
    }
  }
}
