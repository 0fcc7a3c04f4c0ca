import type { Context } from '../../context.ts';
import { SwapctlError } from '../../errors.ts';
import { writeJson } from '../../partner-api/json.ts';
import type { FaultRule } from '../../sandbox/faults/rule.ts';
import type { MoveVerb } from '../../sandbox/orders/order.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { View } from '../../terminal/streams.ts';
import { shown, visible, visibleLines } from '../../text.ts';
import {
  clockView,
  faultsView,
  fittingOrdersView,
  infoView,
  partnersView,
  sandboxOrdersView,
  sandboxOrderView,
} from '../../views/sandbox/sandbox.ts';
import { untilInterrupted } from '../shared/interrupt.ts';
import { SCREEN_LIMIT } from '../shared/limit.ts';
import type { SandboxDatabase } from './database-flag.ts';

const MAX_WATCHED = 50;
/** Lines of a terminal that does not say how many it has. */
const DEFAULT_ROWS = 24;
/** Pause between two updates of the ages shown, in milliseconds. */
const AGED_MS = 10_000;
/** Moves to the upper left corner and clears what is below: the ANSI sequences that every terminal knows. */
const CLEAR_SCREEN = shown`\u001b[H\u001b[J`;

/** Lets a deposit arrive and shows the order. */
export async function deposit(
  context: Context,
  database: SandboxDatabase,
  order: string,
  amount: Decimal | undefined,
): Promise<void> {
  const operator = await context.operator(database);
  await context.streams.print(sandboxOrderView(await operator.deposit(order, amount)));
}

/** Moves an order and shows it. */
export async function move(
  context: Context,
  database: SandboxDatabase,
  order: string,
  verb: MoveVerb,
): Promise<void> {
  const operator = await context.operator(database);
  await context.streams.print(sandboxOrderView(await operator.move(order, verb)));
}

/** Shows the clock. */
export async function showClock(context: Context, database: SandboxDatabase): Promise<void> {
  const operator = await context.operator(database);
  await context.streams.print(clockView(await operator.clock()));
}

/** Sets the clock forward by so many milliseconds, and shows what came due. */
export async function advanceClock(
  context: Context,
  database: SandboxDatabase,
  milliseconds: number,
): Promise<void> {
  const operator = await context.operator(database);
  await context.streams.print(clockView(await operator.advanceClock(milliseconds)));
}

/** Lets the clock show the real time again. */
export async function resetClock(context: Context, database: SandboxDatabase): Promise<void> {
  const operator = await context.operator(database);
  await context.streams.print(clockView(await operator.resetClock()));
}

/** Adds a fault rule. */
export async function addFault(context: Context, database: SandboxDatabase, rule: FaultRule): Promise<void> {
  const operator = await context.operator(database);
  const added = await operator.addFault(rule);
  await context.streams.print({ ...faultsView([added]), json: () => added });
}

/** Lists the fault rules. */
export async function listFaults(context: Context, database: SandboxDatabase): Promise<void> {
  const operator = await context.operator(database);
  const faults = await operator.listFaults();
  await context.streams.print(faultsView(faults));
  if (faults.length === 0) context.streams.note('No faults.');
}

/** Removes one rule, or all; throws `not_found` where there is none of that number. */
export async function clearFaults(
  context: Context,
  database: SandboxDatabase,
  id: number | undefined,
): Promise<void> {
  const operator = await context.operator(database);
  const cleared = await operator.clearFaults(id);
  if (id !== undefined && cleared === 0) {
    throw new SwapctlError('not_found', `The sandbox has no fault ${id}.`, {
      hint: 'See what it has: swapctl sandbox fault list',
    });
  }
  await context.streams.print(
    doneView({ cleared }, `Removed ${cleared} ${cleared === 1 ? 'fault' : 'faults'}.`),
  );
}

/** Adds a partner and shows its key pair. */
export async function addPartner(context: Context, database: SandboxDatabase, name: string): Promise<void> {
  const operator = await context.operator(database);
  const added = await operator.addPartner(name);
  await context.streams.print({ ...partnersView([added]), json: () => added });
}

/** Lists the partners. */
export async function listPartners(context: Context, database: SandboxDatabase): Promise<void> {
  const operator = await context.operator(database);
  await context.streams.print(partnersView(await operator.listPartners()));
}

/** Removes a partner. */
export async function removePartner(
  context: Context,
  database: SandboxDatabase,
  name: string,
): Promise<void> {
  const operator = await context.operator(database);
  await operator.removePartner(name);
  await context.streams.print(doneView({ name, removed: true }, `Removed partner ${name}.`));
}

/** Lists the orders; ages are by the sandbox's clock, which may be ahead. */
export async function listOrders(
  { operator: open, streams }: Context,
  database: SandboxDatabase,
  wanted: number | undefined,
): Promise<void> {
  const operator = await open(database);
  const limit = wanted ?? (streams.format === 'screen' ? SCREEN_LIMIT : undefined);
  const orders = await operator.orders(limit === undefined ? {} : { limit });
  await streams.print(sandboxOrdersView(orders, (await operator.clock()).now));
  if (orders.length === 0) streams.note('No orders yet. Make one with `swapctl create --sandbox`.');
  if (orders.length !== limit) return;
  const { orders: count } = await operator.info();
  if (count > limit) streams.note(`${count - limit} more; show them with --limit ${count}.`);
}

/** Follows the orders: a live table on a terminal, elsewhere the whole list once for each change. */
export function watchOrders(context: Context, database: SandboxDatabase, intervalMs: number): Promise<void> {
  const words = 'Stopped.';
  return untilInterrupted(context, words, () => followOrders(context, database, intervalMs));
}

async function followOrders(context: Context, database: SandboxDatabase, intervalMs: number): Promise<void> {
  const { streams } = context;
  const operator = await context.operator(database);
  let last: string | undefined;
  for (;;) {
    const orders = await operator.orders({ limit: MAX_WATCHED });
    const { rows = DEFAULT_ROWS, columns } = streams.raw.stdout;
    // On a screen the window may have changed, and the ages of the orders do.
    const screenState =
      streams.format === 'screen' ? [rows, columns, Math.floor(context.now() / AGED_MS)] : [];
    const now = JSON.stringify([orders, screenState]);
    if (now !== last) {
      last = now;
      const { now: time } = await operator.clock();
      const view = sandboxOrdersView(orders, time);
      if (streams.format === 'json') await streams.printLine(view.json());
      else if (streams.format === 'pipe') await streams.print(view);
      else {
        const total = orders.length < MAX_WATCHED ? orders.length : (await operator.info()).orders;
        await streams.write(CLEAR_SCREEN);
        await streams.print(fittingOrdersView(orders, total, { now: time, rows }));
      }
    }
    await context.sleep(intervalMs);
  }
}

/** Shows counts and settings of the sandbox. */
export async function showInfo(context: Context, database: SandboxDatabase): Promise<void> {
  const operator = await context.operator(database);
  await context.streams.print(infoView({ database: operator.location, ...(await operator.info()) }));
}

/** Removes all orders and faults of the sandbox and resets its clock. */
export async function reset(context: Context, database: SandboxDatabase): Promise<void> {
  const operator = await context.operator(database);
  await operator.reset();
  await context.streams.print(doneView({ reset: true }, 'The sandbox is empty again.'));
}

/** Prints the OpenAPI document. */
export async function printOpenApi(context: Context): Promise<void> {
  const { openApiDocument } = await import('../../sandbox/http/openapi/openapi.ts');
  // The program's own text: its line breaks stay escapes of JSON, which a service's would not.
  await context.streams.write(shown`${visibleLines(writeJson(openApiDocument(), 2))}\n`);
}

function doneView(result: Record<string, unknown>, words: string): View {
  return { json: () => result, rows: () => [[words]], screen: () => visible(words) };
}
