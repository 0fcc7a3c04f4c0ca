import { EVERY_ENTRY } from '../../../src/ledger/filter.ts';
import { addUp } from '../../../src/ledger/report/report.ts';
import { FIELDS, reconcile } from '../../../src/swaps/reconcile.ts';
import { signOfDifference, sumOf } from '../model/decimals.ts';
import type { Program, World } from '../world/world.ts';
import * as programs from './programs.ts';

const MINUTE = 60_000;

/** Longer than any lease and any window. */
const LONG = 50 * MINUTE;
/** Longer than the longest pause before a delivery is tried again. */
const VERY_LONG = 26 * 60 * MINUTE;
/** No program that runs when nothing goes wrong takes longer. */
const MAX_LAST_MS = 60 * MINUTE;
/** Share of the worlds at whose end a listener is killed. */
const SHARE_KILLED = 0.3;

const PAID = [4, 12];
const FAILED = [5, 6];
const REFUNDED = [13];
/** The service limits the model like everybody else. */
const TOO_MANY = 429;
const ENDS = [...PAID, ...FAILED, ...REFUNDED];

/** An order of the service as it ended. */
interface Ending {
  readonly status: number;
  readonly text: string;
}

/** The weather clears: nothing goes wrong any more, and what is left must come right. */
export async function settle(world: World): Promise<void> {
  const { model, scheduler, disk } = world;
  world.faults.isOver = true;
  if (world.faults.random.chance(SHARE_KILLED)) await killListener(world);
  world.stopAll();
  const waiting = () => disk.rows(`select id from events where delivery = 'pending' limit 1`).length > 0;
  for (const pause of [LONG, VERY_LONG]) {
    if (pause === VERY_LONG && !waiting()) continue;
    await scheduler.sleep(pause);
    for (const account of world.service.accounts) {
      const ended = await run(world, (program) => programs.listen(world, program, null), account);
      if (ended !== null) throw model.fail('at last', `listen --once ends with ${ended}`);
    }
  }
  if (waiting()) throw model.fail('delivery', 'an event is never delivered');
  const endings = await endingsOf(world);
  checkStatuses(world, endings);
  const problem = await run(world, (program) => checkBooks(world, program, endings));
  if (problem !== null) throw model.fail('at last', `the report ends with ${problem}`);
  checkMoney(world, endings);
  checkSecrets(world);
  model.policy.checkChain(disk);
}

/** A listener is killed while it polls or delivers: what it had leased must be taken over. */
async function killListener(world: World): Promise<void> {
  const { scheduler, faults } = world;
  scheduler.after(faults.random.between(20, faults.random.pick([400, 4_000])), () => world.stopAll());
  await run(world, (program) => programs.listen(world, program, null));
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

/** Every order as the service describes it at the end. */
async function endingsOf({ model, scheduler, service }: World): Promise<ReadonlyMap<string, Ending>> {
  const endings = new Map<string, Ending>();
  for (const [order, { post }] of model.orders) {
    const read = () => service.handle({ endpoint: 'get-transaction', query: { id: order } }, post.account);
    let { status, text } = await read();
    while (status === TOO_MANY) {
      await scheduler.sleep(MINUTE);
      ({ status, text } = await read());
    }
    endings.set(order, { text, status: Number.parseInt(/"status":([0-9]+)/.exec(text)?.[1] ?? '0', 10) });
  }
  return endings;
}

/** Nothing is forgotten: the ledger has each of its orders as it ended. */
function checkStatuses({ model, disk }: World, endings: ReadonlyMap<string, Ending>): void {
  const rows = disk.rows<{ order_number: string; status_code: number; doubts: string }>(
    `select order_number, status_code, doubts from intents where outcome = 'created'`,
  );
  for (const { order_number: order, status_code: code, doubts } of rows) {
    const ending = endings.get(order);
    // What has ended is not polled again; a payout counts as the end before it is confirmed.
    if (ending === undefined || ending.status === code || ENDS.includes(code) || doubts !== '[]') continue;
    throw model.fail('followed', `${order} ended in status ${ending.status}, and the ledger has ${code}`);
  }
}

/** The sums of a report, and a statement of the service, agree with the orders. */
async function checkBooks(
  { model, disk }: World,
  { ports }: Program,
  endings: ReadonlyMap<string, Ending>,
): Promise<void> {
  const { figures, books } = await ports.ledger();
  const { total } = await addUp(figures.pages(EVERY_ENTRY), { by: 'pair', days: 'utc', share: null });
  const rows = disk.rows<{ order_number: string | null; outcome: string; status_code: number | null }>(
    'select order_number, outcome, status_code from intents',
  );
  // As the ledger last saw them: an order that has ended may go on at the service.
  const own = rows
    .filter(({ outcome }) => outcome === 'created')
    .map(({ order_number: order, status_code: code }) => ({ order: order ?? '', code: code ?? 0 }));
  const count = (wanted: readonly number[]) => own.filter(({ code }) => wanted.includes(code)).length;
  const expected = {
    count: rows.length,
    created: own.length,
    paid: count(PAID),
    failed: count(FAILED),
    refunded: count(REFUNDED),
    unknown: rows.filter(({ outcome }) => outcome === 'unknown').length,
  };
  for (const [name, value] of Object.entries(expected)) {
    const reported = total[name as keyof typeof expected];
    if (reported !== value)
      throw model.fail('report', `${name} is ${reported} in the report, and ${value} in truth`);
  }
  // What contradicts the agreement is counted as the service told it.
  const isDoubted = disk.rows(`select id from intents where doubts <> '[]' limit 1`).length > 0;
  const paid = own.filter(({ code }) => PAID.includes(code));
  const sums = volumes(paid.map(({ order }) => endings.get(order)?.text ?? ''));
  for (const { coin, deposit, receive } of isDoubted ? [] : total.volume) {
    const sum = sums.get(coin) ?? { deposit: '0', receive: '0' };
    if (signOfDifference(deposit, sum.deposit) !== 0 || signOfDifference(receive, sum.receive) !== 0)
      throw model.fail(
        'report',
        `${coin}: ${deposit} and ${receive} in the report, ${sum.deposit} and ${sum.receive} in truth`,
      );
  }
  const numbered = rows.flatMap(({ order_number: order }) => (order === null ? [] : [order]));
  await checkStatement(model, books.entries(EVERY_ENTRY), numbered, endings);
}

/** Deposits and payouts by coin, from the texts of the service. */
function volumes(texts: readonly string[]): ReadonlyMap<string, { deposit: string; receive: string }> {
  const sums = new Map<string, { deposit: string; receive: string }>();
  const add = (coin: string, side: 'deposit' | 'receive', amount: string) => {
    const sum = sums.get(coin) ?? { deposit: '0', receive: '0' };
    sum[side] = sumOf(sum[side], amount);
    sums.set(coin, sum);
  };
  for (const text of texts) {
    const names = [...text.matchAll(/"name":"([^"]*)","value":"?([0-9.]+)/g)];
    add(names[0]?.[1] ?? '', 'deposit', names[0]?.[2] ?? '0');
    add(names[1]?.[1] ?? '', 'receive', /"receiveTransaction":.*?"amount":([0-9.]+)/.exec(text)?.[1] ?? '0');
  }
  return sums;
}

async function checkStatement(
  { fail }: World['model'],
  entries: Parameters<typeof reconcile>[0],
  own: readonly string[],
  endings: ReadonlyMap<string, Ending>,
): Promise<void> {
  const compared = FIELDS.filter(({ name }) => name === 'status').map((field) => ({ field }));
  const cells = own.map((order) => [order, [String(endings.get(order)?.status ?? '')]] as const);
  const statement = { rows: new Map(cells), columns: { compared }, duplicates: [] };
  const { result } = await reconcile(entries, { since: null, until: null }, statement);
  const { onlyHere, onlyThere } = result;
  if (onlyHere.length > 0 || onlyThere.length > 0)
    throw fail('reconcile', `only here ${onlyHere}, only there ${onlyThere}`);
}

/** The service neither makes nor loses money: it pays out what was paid in, and nothing else. */
function checkMoney({ model }: World, endings: ReadonlyMap<string, Ending>): void {
  for (const [order, { status, text }] of endings) {
    const truth = model.orders.get(order);
    if (truth === undefined) continue;
    const hasPaidOut = /"receiveTransaction":\{"txId":"[^"]+/.test(text);
    if (hasPaidOut && truth.paid.length === 0)
      throw model.fail('money', `${order} paid out without a deposit`);
    if (PAID.includes(status) !== hasPaidOut)
      throw model.fail('money', `${order} ended in ${status}, paid out: ${hasPaidOut}`);
    const deposit = /"value":"?([0-9.]+)/.exec(text)?.[1] ?? '0';
    const isReal = truth.paid.some((amount) => signOfDifference(amount, deposit) === 0);
    if (hasPaidOut && !isReal)
      throw model.fail('money', `${order} counts a deposit of ${deposit}; people paid ${truth.paid}`);
  }
}

function checkSecrets({ model, disk }: World): void {
  for (const table of ['intents', 'changes', 'events', 'event_attempts', 'guards', 'approvals', 'audit']) {
    const text = JSON.stringify(disk.rows(`select * from ${table}`));
    if (model.hasSecret(text)) throw model.fail('secrets', `table ${table} has a secret`);
  }
}
