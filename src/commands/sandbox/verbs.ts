import type { Context } from '../../context.ts';
import { writeJson } from '../../partner-api/json.ts';
import { shown, visibleLines } from '../../text.ts';
import { fittingOrdersView, sandboxOrdersView } from '../../views/sandbox/sandbox.ts';
import { SCREEN_LIMIT } from '../shared/arguments.ts';
import { untilInterrupted } from '../shared/interrupt.ts';
import type { SandboxDatabase } from './verb.ts';

const MAX_WATCHED = 50;
/** Lines of a terminal that does not say how many it has. */
const DEFAULT_ROWS = 24;
/** Pause between two updates of the ages shown, in milliseconds. */
const AGED_MS = 10_000;
/** Moves to the upper left corner and clears what is below: the ANSI sequences that every terminal knows. */
const CLEAR_SCREEN = shown`\u001b[H\u001b[J`;

/** Lists the orders; ages are by the sandbox's clock, which may be ahead. */
export async function listOrders(
  { operator: open, streams }: Context,
  database: SandboxDatabase,
  wanted: number | undefined,
): Promise<void> {
  const operator = await open(database);
  const limit = wanted ?? (streams.format === 'screen' ? SCREEN_LIMIT : undefined);
  const orders = await operator.orders.list(limit === undefined ? {} : { limit });
  await streams.print(sandboxOrdersView(orders, (await operator.clock.read()).now));
  if (orders.length === 0) streams.note('No orders yet. Create one with `swapctl create --sandbox`.');
  if (orders.length !== limit) return;
  const { orders: count } = await operator.info();
  if (count > limit) streams.note(`${count - limit} more; show them with --limit ${count}.`);
}

/** Follows the orders: a live table on a terminal, elsewhere the whole list once for each change. */
export function watchOrders(context: Context, database: SandboxDatabase, intervalMs: number): Promise<void> {
  return untilInterrupted(context, 'Stopped.', () => followOrders(context, database, intervalMs));
}

async function followOrders(context: Context, database: SandboxDatabase, intervalMs: number): Promise<void> {
  const { streams } = context;
  const operator = await context.operator(database);
  let last: string | undefined;
  for (;;) {
    const orders = await operator.orders.list({ limit: MAX_WATCHED });
    const { rows = DEFAULT_ROWS, columns } = streams.raw.stdout;
    // On a screen the window may have changed, and the ages of the orders do.
    const screenState =
      streams.format === 'screen' ? [rows, columns, Math.floor(context.now() / AGED_MS)] : [];
    const now = JSON.stringify([orders, screenState]);
    if (now !== last) {
      last = now;
      const { now: time } = await operator.clock.read();
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

/** Prints the OpenAPI document. */
export async function printOpenApi(context: Context): Promise<void> {
  const { openApiDocument } = await import('../../sandbox/http/openapi/openapi.ts');
  // The program's own text: its line breaks stay escapes of JSON, which a service's would not.
  await context.streams.write(shown`${visibleLines(writeJson(openApiDocument(), 2))}\n`);
}
