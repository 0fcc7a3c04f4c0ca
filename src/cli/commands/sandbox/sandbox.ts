import type { Command } from 'commander';
import { notListed, UsageError } from '../../../base/errors.ts';
import { counted, shown, visibleLines } from '../../../base/text.ts';
import { writeJson } from '../../../core/partner-api/json.ts';
import type { Decimal } from '../../../core/swap/amount.ts';
import { MOVES, type MoveVerb } from '../../../sandbox/orders/order.ts';
import type { Context } from '../../context.ts';
import { untilInterrupted } from '../../terminal/progress.ts';
import { textView } from '../../terminal/streams.ts';
import * as args from '../shared/arguments.ts';
import { faultAddCommand } from './fault.ts';
import { runCommand, triggerCommand } from './laboratory/verbs.ts';
import { sandboxLogsCommand } from './logs.ts';
import { snapshotCommands } from './snapshots.ts';
import { sandboxRecordCommand, sandboxStartCommand } from './start.ts';
import { acting, databaseOf, type SandboxDatabase, verb, withExamples } from './verb.ts';
import * as views from './views/sandbox.ts';

const WATCH_INTERVAL_MS = 2000;

/** Declares `swapctl sandbox` and its verbs: most work on its database, `record` on the service of a profile. */
export function sandboxCommand(sandbox: Command, context: () => Context): void {
  sandbox.description(
    'Run the built-in service of the partner API, and act as its customers, the blockchain and its staff.\nMost commands act on the database of the sandbox, also while a server is using it.',
  );
  sandbox.helpCommand(false);
  sandboxStartCommand(sandbox.command('start'), context);
  sandboxRecordCommand(sandbox.command('record'), context);
  addOrderCommands(sandbox, context);
  triggerCommand(sandbox.command('trigger'), context);
  runCommand(sandbox.command('run'), context);
  addClockCommands(sandbox, context);
  addFaultCommands(sandbox, context);
  addPartnerCommands(sandbox, context);
  sandboxLogsCommand(sandbox.command('logs'), context);
  snapshotCommands(sandbox.command('snapshot'), context);
  addDatabaseCommands(sandbox, context);
}

function addOrderCommands(sandbox: Command, context: () => Context): void {
  verb(
    sandbox,
    'deposit',
    'Simulate the deposit of an order: the exact amount unless you give another.',
    'deposit KQWZPA',
    'deposit KQWZPA 0.05',
  )
    .argument('<order>', 'order number', args.orderArgument)
    .argument('[amount]', 'decimal amount, such as 0.1', args.amountArgument)
    .action(
      acting<[string, Decimal?]>(context, async ({ operator }, order, amount) =>
        views.sandboxOrderView(await operator.orders.deposit(order, amount)),
      ),
    );
  verb(sandbox, 'move', "Move an order as the service's staff would.", 'move KQWZPA freeze')
    .argument('<order>', 'order number', args.orderArgument)
    .argument('<verb>', MOVES.join(', '), (text) => args.choiceArgument(text, MOVES))
    .action(
      acting<[string, MoveVerb]>(context, async ({ operator }, order, move) =>
        views.sandboxOrderView(await operator.orders.move(order, move)),
      ),
    );
}

function addClockCommands(sandbox: Command, context: () => Context): void {
  const clock = verb(sandbox, 'clock', 'Show, advance or reset the clock of the sandbox.', 'clock')
    .helpCommand(false)
    .action(acting(context, async ({ operator }) => views.clockView(await operator.clock.read())));
  verb(
    clock,
    'advance',
    'Advance the clock; every transition that becomes due happens, in order.',
    'clock advance 30m',
  )
    .argument('<duration>', 'such as 30s, 10m, 2h or 1d', args.durationArgument)
    .action(
      acting<[number]>(context, async ({ operator }, duration) =>
        views.clockView(await operator.clock.advance(duration)),
      ),
    );
  verb(
    clock,
    'reset',
    'Set the clock back to real time; all recorded times move back with it.',
    'clock reset',
  ).action(acting(context, async ({ operator }) => views.clockView(await operator.clock.reset())));
}

function addFaultCommands(sandbox: Command, context: () => Context): void {
  const fault = sandbox.command('fault').description('Inject faults into requests.').helpCommand(false);
  faultAddCommand(fault, context);
  verb(fault, 'list', 'List the faults, with how often each was applied.', 'fault list').action(
    acting(context, async ({ operator }) => {
      const faults = await operator.faults.list();
      return { ...views.faultsView(faults), note: faults.length === 0 ? 'No faults.' : undefined };
    }),
  );
  verb(fault, 'clear', 'Remove one fault by its number, or all.', 'fault clear', 'fault clear 1')
    .argument('[id]', 'number of the fault', args.countArgument)
    .action(
      acting<[number?]>(context, async ({ operator }, id) => {
        const cleared = await operator.faults.clear(id);
        if (id !== undefined && cleared === 0)
          throw notListed(`Fault ${id} does not exist.`, 'sandbox fault list');
        return textView({ cleared }, `Removed ${counted(cleared, 'fault')}.`);
      }),
    );
}

function addPartnerCommands(sandbox: Command, context: () => Context): void {
  const partner = sandbox
    .command('partner')
    .description('Manage the partners of the sandbox, for tests with several key pairs.')
    .helpCommand(false);
  verb(partner, 'add', 'Add a partner with its own key pair.', 'partner add rival')
    .argument('<name>', 'name of the partner')
    .action(
      acting<[string]>(context, async ({ operator }, name) => {
        const added = await operator.partners.add(name);
        return { ...views.partnersView([added]), json: () => added };
      }),
    );
  verb(
    partner,
    'list',
    'List the partners and their key pairs, the default one first.',
    'partner list --json | jq -r ".[0].publicKey"',
  ).action(acting(context, async ({ operator }) => views.partnersView(await operator.partners.list())));
  verb(partner, 'remove', 'Remove a partner; its key pair is refused from then on.', 'partner remove rival')
    .argument('<name>', 'name of the partner')
    .action(
      acting<[string]>(context, async ({ operator }, name) => {
        await operator.partners.remove(name);
        return textView({ name, removed: true }, `Removed partner ${name}.`);
      }),
    );
}

function addDatabaseCommands(sandbox: Command, context: () => Context): void {
  verb(sandbox, 'orders', 'List the orders of the sandbox, newest first.', 'orders -L 10', 'orders --watch')
    .option('-w, --watch', 'refresh the list whenever it changes, until Ctrl-C')
    .option('-i, --interval <seconds>', 'seconds between checks (default: 2)', args.secondsArgument)
    .addOption(args.limitOption())
    .action(async (flags: args.Flags) => {
      const { number, on } = args.readFlags(flags);
      const [interval, limit, isWatching] = [number('interval'), number('limit'), on('watch')];
      if (interval !== null && !isWatching) throw new UsageError('--interval requires --watch.');
      if (limit !== null && isWatching)
        throw new UsageError('--limit cannot be combined with --watch, which shows as many orders as fit.');
      if (!isWatching) return listOrders(context(), databaseOf(flags), limit ?? undefined);
      const intervalMs = interval ?? WATCH_INTERVAL_MS;
      await untilInterrupted(context(), 'Stopped.', () =>
        watchOrders(context(), databaseOf(flags), intervalMs),
      );
    });
  verb(sandbox, 'info', 'Show what the sandbox contains, and where it is stored.', 'info').action(
    acting(context, async ({ operator }) =>
      views.infoView({ database: operator.location, ...(await operator.info()) }),
    ),
  );
  verb(
    sandbox,
    'reset',
    'Remove all orders, faults and logged requests, and reset the clock. Partners, key pairs and snapshots are kept.',
    'reset',
  ).action(
    acting(context, async ({ operator }) => {
      await operator.reset();
      return textView({ reset: true }, 'Reset the sandbox; it is empty.');
    }),
  );
  withExamples(sandbox.command('openapi'), 'openapi > openapi.json')
    .description(
      'Print the OpenAPI 3.1 document of the service. A running service serves it at /openapi.json.',
    )
    .action(() => printOpenApi(context()));
}

const MAX_WATCHED = 50;
/** Lines of a terminal that does not report its size. */
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
  const limit = wanted ?? (streams.format === 'screen' ? args.SCREEN_LIMIT : undefined);
  const orders = await operator.orders.list(limit === undefined ? {} : { limit });
  await streams.print(views.sandboxOrdersView(orders, (await operator.clock.read()).now));
  if (orders.length === 0) streams.note('No orders yet. Create one with `swapctl create --sandbox`.');
  if (orders.length !== limit) return;
  const { orders: count } = await operator.info();
  if (count > limit) streams.note(`${count - limit} more; show them with --limit ${count}.`);
}

/** Follows the orders: a live table on a terminal, elsewhere the whole list once for each change. */
async function watchOrders(context: Context, database: SandboxDatabase, intervalMs: number): Promise<void> {
  const { streams } = context;
  const operator = await context.operator(database);
  let last: string | undefined;
  while (context.monotonic() < context.deadline()) {
    const orders = await operator.orders.list({ limit: MAX_WATCHED });
    const { rows = DEFAULT_ROWS, columns } = streams.raw.stdout;
    // On a screen, the window may have changed size, and the ages of the orders change.
    const screenState =
      streams.format === 'screen' ? [rows, columns, Math.floor(context.now() / AGED_MS)] : [];
    const now = JSON.stringify([orders, screenState]);
    if (now !== last) {
      last = now;
      const { now: time } = await operator.clock.read();
      const view = views.sandboxOrdersView(orders, time);
      if (streams.format === 'json') await streams.printLine(view.json());
      else if (streams.format === 'pipe') await streams.print(view);
      else {
        const total = orders.length < MAX_WATCHED ? orders.length : (await operator.info()).orders;
        await streams.write(CLEAR_SCREEN);
        await streams.print(views.fittingOrdersView(orders, total, { now: time, rows }));
      }
    }
    await context.sleep(intervalMs);
  }
}

/** Prints the OpenAPI document. */
export async function printOpenApi(context: Context): Promise<void> {
  const { openApiDocument } = await import('../../../sandbox/http/openapi/openapi.ts');
  // The program's own text, in which line breaks stay JSON escapes.
  await context.streams.write(shown`${visibleLines(writeJson(openApiDocument(), 2))}\n`);
}
