import { EVERY_ENTRY } from '../../../src/core/ledger/filter.ts';
import { addUp } from '../../../src/core/ledger/report/report.ts';
import { FIELDS, reconcile } from '../../../src/core/swaps/reconcile.ts';
import type { Ending, Endings } from '../model/endings.ts';
import {
  checkMoney,
  checkReconciled,
  checkReport,
  checkSecrets,
  checkStatuses,
  endingOf,
  mistakenStatement,
  STATED,
} from '../model/endings.ts';
import { Random } from '../random.ts';
import type { Program, World } from '../world/world.ts';
import { damage } from './damage.ts';
import { listen } from './listen.ts';
import { USE_CASES } from './programs.ts';

const MINUTE = 60_000;

/** Longer than any lease and any window. */
const LONG = 50 * MINUTE;
/** Longer than the longest pause before a delivery is tried again. */
const VERY_LONG = 26 * 60 * MINUTE;
/** No program that runs when nothing goes wrong takes longer. */
const MAX_LAST_MS = 60 * MINUTE;
/** For how long the ledger cannot write the end of a swap, and by when the listener has made up for it. */
const FAILING_MS = 6 * MINUTE;
const RECOVERY_MS = 4 * MINUTE;
/** Share of the worlds at whose end a listener is killed. */
const SHARE_KILLED = 0.3;

/** Creates of unknown outcome without an event that says so. */
const UNREPORTED = `select id from intents where outcome = 'unknown' and not exists
  (select 1 from events where intent_id = intents.id and type = 'create.unknown') limit 1`;

/** Share of the worlds whose ledger loses some bytes at the end. */
const SHARE_DAMAGED = 0.5;

/** The weather clears: nothing goes wrong any more, and what is left must come right. */
export async function settle(world: World): Promise<void> {
  const { model, scheduler, disk } = world;
  world.faults.isOver = true;
  if (world.faults.random.chance(SHARE_KILLED)) await killListener(world);
  world.stopAll();
  if (world.faults.has('end-unwritten')) await keepEnds(world);
  const waiting = () => disk.rows(`select id from events where delivery = 'pending' limit 1`).length > 0;
  for (const pause of [LONG, VERY_LONG]) {
    if (pause === VERY_LONG && !waiting()) continue;
    await scheduler.sleep(pause);
    for (const account of world.service.accounts) {
      const ended = await run(world, (program) => USE_CASES.listen(program, null), account);
      if (ended !== null) throw model.fail('at last', `listen --once ends with ${ended}`);
    }
  }
  if (waiting()) throw model.fail('delivery', 'an event is never delivered');
  const [silent] = disk.rows<{ id: string }>(UNREPORTED);
  if (silent !== undefined) throw model.fail('events', `the unknown create ${silent.id} was never reported`);
  const endings = await endingsOf(world);
  checkStatuses(world, endings);
  const problem = await run(world, (program) => checkBooks(world, program, endings));
  if (problem !== null) throw model.fail('at last', `the report ends with ${problem}`);
  checkMoney(world, endings);
  checkSecrets(world);
  model.policy.checkChain(disk);
  model.refunds.checkEnds();
  const random = new Random(`${world.plan.seed} damage`);
  if (!random.chance(SHARE_DAMAGED)) return;
  const ended = await run(world, (program) => damage(world, program, random));
  if (ended !== null) throw model.fail('damaged entry', `a program on a damaged ledger ends with ${ended}`);
}

/** A listener for which the ledger fails at the ends of swaps, and then no longer: what it showed is in the ledger. */
async function keepEnds(world: World): Promise<void> {
  const { scheduler, faults, disk, model } = world;
  const failing = faults.failOnly('end-unwritten');
  scheduler.after(FAILING_MS, failing.stop);
  const shown = new Set<string>();
  const unwritten = () =>
    disk
      .rows<{ order: string }>(
        `select order_number as "order" from intents where outcome = 'created' and final = 0 and doubts = '[]'`,
      )
      .flatMap(({ order }) => (shown.has(order) ? order : []));
  const end = new AbortController();
  // A listener with nothing left to write has only pauses, which took a tenth of a world.
  const endOnceWritten = () => {
    if (!failing.isOn() && unwritten().length === 0) end.abort();
    else scheduler.after(5_000, endOnceWritten);
  };
  scheduler.after(FAILING_MS + 1, endOnceWritten);
  const ended = await run(world, (program) => {
    const show: Program['show'] = (swap, maxAgeMs) => {
      program.show(swap, maxAgeMs);
      if (swap.final && swap.order !== null && failing.isOn()) shown.add(swap.order);
    };
    return listen({ ...program, show }, FAILING_MS + RECOVERY_MS, null, end.signal);
  });
  if (ended !== null) throw model.fail('at last', `listen ends with ${ended}`);
  const [order] = unwritten();
  if (order !== undefined)
    throw model.fail('ends', `${order} was shown as ended, and the ledger has it as open`);
  end.abort();
}

/** A listener is killed while it polls or delivers: what it had leased must be taken over. */
async function killListener(world: World): Promise<void> {
  const { scheduler, faults } = world;
  scheduler.after(faults.random.between(20, faults.random.pick([400, 4_000])), () => world.stopAll());
  await run(world, (program) => USE_CASES.listen(program, null));
}

/** Runs a program without faults; how it failed, or null. */
async function run(
  world: World,
  work: (program: Program) => Promise<void>,
  account = world.service.accounts[0],
): Promise<string | null> {
  const machine = { name: 'gamma', offset: 0 };
  let isOver = false;
  world.scheduler.after(MAX_LAST_MS, () => {
    if (!isOver) world.model.fail('at last', 'a program never ends, though nothing goes wrong any more');
  });
  const ended = await world.run('last', machine, work, { account });
  isOver = true;
  return ended.kind === 'failed' ? ended.error.message : null;
}

/** The service limits the model like everybody else. */
const TOO_MANY = 429;

/** Every order as the service describes it at the end. */
async function endingsOf({ model, scheduler, service }: World): Promise<Endings> {
  const endings = new Map<string, Ending>();
  for (const [order, { post }] of model.orders) {
    const read = () => service.handle({ endpoint: 'get-transaction', query: { id: order } }, post.account);
    let { status, text } = await read();
    while (status === TOO_MANY) {
      await scheduler.sleep(MINUTE);
      ({ status, text } = await read());
    }
    endings.set(order, endingOf(text));
  }
  return endings;
}

const NO_RULES = { expires: null, rules: [] } as const;

/** The sums of a report, a statement of the service and a replay agree with the orders. */
async function checkBooks(world: World, { ports, process }: Program, endings: Endings): Promise<void> {
  const { figures, books, replay } = await ports.ledger();
  const grouped = { by: 'pair', days: 'utc', share: '100' } as const;
  checkReport(world, (await addUp(figures.pages(EVERY_ENTRY), grouped)).total, endings);
  const mistaken = mistakenStatement(world, endings, world.faults.random);
  const compared = STATED.flatMap((name) => FIELDS.filter((field) => field.name === name));
  const rows = [...mistaken.stated].map(
    ([order, cells]) => [order, STATED.map((name) => cells[name])] as const,
  );
  const statement = {
    rows: new Map(rows),
    columns: { compared: compared.map((field) => ({ field })) },
    duplicates: [],
  };
  const entries = books.entries(EVERY_ENTRY);
  const { result } = await reconcile(entries, { since: null, until: null }, statement);
  checkReconciled(world, result, endings, mistaken);
  // An agent names the profile of a key pair as a live one too.
  for (const environment of world.plan.errand === 'agent' ? [] : (['live', 'sandbox'] as const)) {
    const { total } = await addUp(figures.pages({ ...EVERY_ENTRY, environment }), grouped);
    const own = world.service.accounts.filter(({ owner }) => owner.environment === environment);
    checkReport(world, total, endings, ({ account }) => own.some(({ owner }) => owner.account === account));
  }
  const { owner } = process.account;
  const replayed = new Set<string | null>();
  for await (const { order } of replay(owner, NO_RULES, 0)) replayed.add(order);
  const own = world.model.settled.filter(({ account }) => account === owner.account);
  const missing = own.find(({ order }) => !replayed.has(order));
  if (missing !== undefined) throw world.model.fail('count', `a replay leaves out ${missing.order}`);
}
