import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import type { Operator } from '../sandbox/operator.ts';
import type { MoveVerb } from '../sandbox/order.ts';
import {
  clockView,
  infoView,
  partnersView,
  sandboxOrdersView,
  sandboxOrderView,
} from '../terminal/render-sandbox.ts';
import { amountArgument, durationArgument, orderArgument, secondsArgument } from './arguments.ts';
import { sandboxFaultCommand } from './sandbox-fault.ts';
import { onDatabase, operatorOf } from './sandbox-operator.ts';
import { sandboxStartCommand } from './sandbox-start.ts';

const MOVES = [
  'pause',
  'resume',
  'freeze',
  'fail',
  'refund',
  'succeed',
] as const satisfies readonly MoveVerb[];

/** Declares `swapctl sandbox` and its verbs. All but `start` work on the built-in service's database. */
export function sandboxCommand(program: Command, context: () => Context): void {
  const sandbox = program
    .command('sandbox')
    .summary('the built-in service')
    .description(
      'The whole service of the partner API, built in: run it, and play the parts of the customer, the chain and the operator.\nAll verbs but start act on one database, beside a running server too.',
    );
  sandbox.helpCommand(false);
  sandboxStartCommand(sandbox, context);
  orderVerbs(sandbox, context);
  clockVerbs(sandbox, context);
  sandboxFaultCommand(sandbox, context);
  partnerVerbs(sandbox, context);
  databaseVerbs(sandbox, context);
  sandbox
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the service; a running one serves it at /openapi.json.')
    .action(async () => {
      const started = context();
      const { openApiDocument } = await import('../sandbox/openapi.ts');
      await started.streams.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
    });
}

function orderVerbs(sandbox: Command, context: () => Context): void {
  onDatabase(sandbox.command('deposit'))
    .description('Let the deposit of an order arrive: the exact amount unless another is given.')
    .argument('<order>', 'order number')
    .argument('[amount]', 'plain decimal with a dot')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl sandbox deposit KQWZPA\n  $ swapctl sandbox deposit KQWZPA 0.05',
    )
    .action(async (order: string, amount: string | undefined, flags: Record<string, unknown>) => {
      const wanted = orderArgument(order);
      const exact = amount === undefined ? undefined : amountArgument(amount);
      const started = context();
      const operator = await operatorOf(started, flags);
      await started.streams.print(sandboxOrderView(await operator.deposit(wanted, exact)));
    });
  onDatabase(sandbox.command('move'))
    .description('Do to an order what people at a service do.')
    .argument('<order>', 'order number')
    .argument('<verb>', MOVES.join(', '), moveArgument)
    .action(async (order: string, verb: MoveVerb, flags: Record<string, unknown>) => {
      const wanted = orderArgument(order);
      const started = context();
      const operator = await operatorOf(started, flags);
      await started.streams.print(sandboxOrderView(await operator.move(wanted, verb)));
    });
}

function moveArgument(text: string): MoveVerb {
  const verb = MOVES.find((name) => name === text);
  if (verb !== undefined) return verb;
  throw new InvalidArgumentError(`Choose one of ${MOVES.join(', ')}.`);
}

function clockVerbs(sandbox: Command, context: () => Context): void {
  const clock = onDatabase(sandbox.command('clock')).description(
    'Show the clock of the sandbox, or set it forward.',
  );
  clock.helpCommand(false).action(async (flags: Record<string, unknown>) => {
    const started = context();
    await started.streams.print(clockView(await (await operatorOf(started, flags)).clock()));
  });
  onDatabase(clock.command('advance'))
    .description('Set the clock forward; every transition that comes due happens, in order.')
    .argument('<duration>', 'such as 30s, 10m, 2h or 1d', durationArgument)
    .action(async (duration: number, flags: Record<string, unknown>, command: Command) => {
      const started = context();
      const operator = await operatorOf(started, { ...command.parent?.opts(), ...flags });
      await started.streams.print(clockView(await operator.advanceClock(duration)));
    });
  onDatabase(clock.command('reset'))
    .description(
      'Let the clock show the real time again; refused while that would set it back past an order.',
    )
    .action(async (flags: Record<string, unknown>, command: Command) => {
      const started = context();
      const operator = await operatorOf(started, { ...command.parent?.opts(), ...flags });
      await started.streams.print(clockView(await operator.resetClock()));
    });
}

function partnerVerbs(sandbox: Command, context: () => Context): void {
  const partner = sandbox
    .command('partner')
    .description('Partners of the sandbox, for tests of one against another.')
    .helpCommand(false);
  onDatabase(partner.command('add'))
    .description('Add a partner with a key pair of its own.')
    .argument('<name>', 'name of the partner')
    .action(async (name: string, flags: Record<string, unknown>) => {
      const started = context();
      const added = await (await operatorOf(started, flags)).addPartner(name);
      const { json, ...view } = partnersView([added]);
      await started.streams.print({ ...view, json: () => (json() as unknown[])[0] });
    });
  onDatabase(partner.command('list'))
    .description('List the partners with their key pairs, the default one first.')
    .action(async (flags: Record<string, unknown>) => {
      const started = context();
      await started.streams.print(partnersView(await (await operatorOf(started, flags)).listPartners()));
    });
  onDatabase(partner.command('remove'))
    .description('Remove a partner; its key pair is refused from then on.')
    .argument('<name>', 'name of the partner')
    .action(async (name: string, flags: Record<string, unknown>) => {
      const started = context();
      await (await operatorOf(started, flags)).removePartner(name);
      await started.streams.print(doneView({ name, removed: true }, `Removed partner ${name}.`));
    });
}

function databaseVerbs(sandbox: Command, context: () => Context): void {
  onDatabase(sandbox.command('orders'))
    .description('List the orders of the sandbox, the newest first.')
    .option('-w, --watch', 'show the list again whenever it changes, until Ctrl-C')
    .option('-i, --interval <seconds>', 'pause between two looks (default: 2)', secondsArgument)
    .action(async (flags: Record<string, unknown>) => {
      if (flags['interval'] !== undefined && flags['watch'] !== true)
        throw new UsageError('--interval goes with --watch.');
      const started = context();
      const operator = await operatorOf(started, flags);
      if (flags['watch'] === true)
        return watchOrders(
          started,
          operator,
          typeof flags['interval'] === 'number' ? flags['interval'] : 2000,
        );
      const orders = await operator.orders();
      await started.streams.print(sandboxOrdersView(orders, started.now()));
      if (orders.length === 0)
        started.streams.note('No orders yet. Make one with `swapctl create --sandbox`.');
    });
  onDatabase(sandbox.command('info'))
    .description('Tell what the sandbox holds, and where.')
    .action(async (flags: Record<string, unknown>) => {
      const started = context();
      const info = await (await operatorOf(started, flags)).info();
      const database = databasePlace(
        typeof flags['database'] === 'string' ? flags['database'] : started.settings.paths.sandboxFile,
      );
      await started.streams.print(infoView({ database, ...info }));
    });
  onDatabase(sandbox.command('reset'))
    .description('Remove all orders and faults and reset the clock; partners keep their key pairs.')
    .action(async (flags: Record<string, unknown>) => {
      const started = context();
      await (await operatorOf(started, flags)).reset();
      await started.streams.print(doneView({ reset: true }, 'The sandbox is empty again.'));
    });
}

/** A live table on a terminal; elsewhere the whole list once for each change. */
async function watchOrders(context: Context, operator: Operator, intervalMs: number): Promise<void> {
  const { streams } = context;
  let last: string | undefined;
  for (;;) {
    const orders = await operator.orders({ limit: MOST_WATCHED });
    const now = JSON.stringify(orders);
    if (now !== last) {
      last = now;
      const view = sandboxOrdersView(orders, context.now());
      if (streams.format === 'json') await streams.printLine(view.json());
      else {
        if (streams.format === 'screen') await streams.write(CLEAR_SCREEN);
        await streams.print(view);
      }
    }
    await context.sleep(intervalMs);
  }
}

const MOST_WATCHED = 50;
/** Moves to the upper left corner and clears what is below: the ANSI sequences that every terminal knows. */
const CLEAR_SCREEN = '\u001b[H\u001b[J';

/** A URL may hold a password, which is nobody's business. */
function databasePlace(location: string): string {
  if (!URL.canParse(location) || !/^postgres/i.test(location)) return location;
  const url = new URL(location);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

function doneView(result: Record<string, unknown>, words: string) {
  return { json: () => result, rows: () => [[words]], screen: () => words };
}
