import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { MoveVerb } from '../../sandbox/orders/order.ts';
import { MOVES } from '../../sandbox/orders/order.ts';
import {
  amountArgument,
  durationArgument,
  limitOption,
  orderArgument,
  secondsArgument,
} from '../shared/arguments.ts';
import { databaseOf, onDatabase } from './database-flag.ts';
import { sandboxFaultCommand } from './fault.ts';
import { laboratoryVerbs } from './laboratory/verbs.ts';
import { sandboxLogsCommand } from './logs.ts';
import { sandboxLearnCommand, sandboxRecordCommand } from './recording/commands.ts';
import { snapshotCommands } from './snapshots.ts';
import { sandboxStartCommand } from './start.ts';

const WATCH_INTERVAL_MS = 2000;

const verbs = () => import('./verbs.ts');
const views = () => import('../../views/sandbox/sandbox.ts');

const act = async (...args: Parameters<typeof import('./verbs.ts').act>) => (await verbs()).act(...args);

/** Declares `swapctl sandbox` and its verbs. All but `start` work on the built-in service's database. */
export function sandboxCommand(sandbox: Command, context: () => Context): void {
  sandbox.description(
    'Run the built-in service of the partner API, and act as its customers, the blockchain and its staff.\nMost subcommands work on one database, even while a server is using it.',
  );
  sandbox.helpCommand(false);
  sandboxStartCommand(sandbox.command('start'), context);
  sandboxRecordCommand(sandbox.command('record'), context);
  sandboxLearnCommand(sandbox.command('learn'), context);
  orderVerbs(sandbox, context);
  laboratoryVerbs(sandbox, context);
  clockVerbs(sandbox, context);
  sandboxFaultCommand(sandbox.command('fault'), context);
  partnerVerbs(sandbox, context);
  sandboxLogsCommand(sandbox.command('logs'), context);
  snapshotCommands(sandbox.command('snapshot'), context);
  databaseVerbs(sandbox, context);
}

type Flags = Readonly<Record<string, unknown>>;

function orderVerbs(sandbox: Command, context: () => Context): void {
  onDatabase(sandbox.command('deposit'))
    .description('Simulate the deposit of an order: the exact amount unless you give another.')
    .argument('<order>', 'order number')
    .argument('[amount]', 'decimal amount, such as 0.1')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl sandbox deposit KQWZPA\n  $ swapctl sandbox deposit KQWZPA 0.05',
    )
    .action(async (order: string, amount: string | undefined, flags: Flags) => {
      const wanted = orderArgument(order);
      const exact = amount === undefined ? undefined : amountArgument(amount);
      await act(context(), databaseOf(flags), async ({ orders }) =>
        (await views()).sandboxOrderView(await orders.deposit(wanted, exact)),
      );
    });
  onDatabase(sandbox.command('move'))
    .description("Move an order as the service's staff would.")
    .argument('<order>', 'order number')
    .argument('<verb>', MOVES.join(', '), moveArgument)
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox move KQWZPA freeze')
    .action(async (order: string, verb: MoveVerb, flags: Flags) => {
      const wanted = orderArgument(order);
      await act(context(), databaseOf(flags), async ({ orders }) =>
        (await views()).sandboxOrderView(await orders.move(wanted, verb)),
      );
    });
}

function moveArgument(text: string): MoveVerb {
  const verb = MOVES.find((name) => name === text);
  if (verb !== undefined) return verb;
  throw new InvalidArgumentError(`Choose one of ${MOVES.join(', ')}.`);
}

function clockVerbs(sandbox: Command, context: () => Context): void {
  const clock = onDatabase(sandbox.command('clock')).description(
    'Show, advance or reset the clock of the sandbox.',
  );
  const database = (flags: Flags, command: Command) => databaseOf({ ...command.parent?.opts(), ...flags });
  clock
    .helpCommand(false)
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox clock')
    .action(async (flags: Flags) => {
      await act(context(), databaseOf(flags), async ({ clock }) =>
        (await views()).clockView(await clock.read()),
      );
    });
  onDatabase(clock.command('advance'))
    .description('Advance the clock; every transition that becomes due happens, in order.')
    .argument('<duration>', 'such as 30s, 10m, 2h or 1d', durationArgument)
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox clock advance 30m')
    .action(async (duration: number, flags: Flags, command: Command) => {
      await act(context(), database(flags, command), async ({ clock }) =>
        (await views()).clockView(await clock.advance(duration)),
      );
    });
  onDatabase(clock.command('reset'))
    .description('Set the clock back to real time; all recorded times move back with it.')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox clock reset')
    .action(async (flags: Flags, command: Command) => {
      await act(context(), database(flags, command), async ({ clock }) =>
        (await views()).clockView(await clock.reset()),
      );
    });
}

function partnerVerbs(sandbox: Command, context: () => Context): void {
  const partner = sandbox
    .command('partner')
    .description('Manage the partners of the sandbox, for tests with several key pairs.')
    .helpCommand(false);
  onDatabase(partner.command('add'))
    .description('Add a partner with its own key pair.')
    .argument('<name>', 'name of the partner')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox partner add rival')
    .action(async (name: string, flags: Flags) => {
      await act(context(), databaseOf(flags), async ({ partners }) => {
        const added = await partners.add(name);
        return { ...(await views()).partnersView([added]), json: () => added };
      });
    });
  onDatabase(partner.command('list'))
    .description('List the partners and their key pairs, the default one first.')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox partner list --json | jq -r ".[0].publicKey"')
    .action(async (flags: Flags) => {
      await act(context(), databaseOf(flags), async ({ partners }) =>
        (await views()).partnersView(await partners.list()),
      );
    });
  onDatabase(partner.command('remove'))
    .description('Remove a partner; its key pair is refused from then on.')
    .argument('<name>', 'name of the partner')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox partner remove rival')
    .action(async (name: string, flags: Flags) => {
      const { doneView } = await verbs();
      await act(context(), databaseOf(flags), async ({ partners }) => {
        await partners.remove(name);
        return doneView({ name, removed: true }, `Removed partner ${name}.`);
      });
    });
}

function databaseVerbs(sandbox: Command, context: () => Context): void {
  onDatabase(sandbox.command('orders'))
    .description('List the orders of the sandbox, newest first.')
    .option('-w, --watch', 'refresh the list whenever it changes, until Ctrl-C')
    .option('-i, --interval <seconds>', 'seconds between checks (default: 2)', secondsArgument)
    .addOption(limitOption())
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox orders -L 10\n  $ swapctl sandbox orders --watch')
    .action(async (flags: Flags) => {
      const { watch, interval, limit } = flags;
      if (interval !== undefined && watch !== true) throw new UsageError('--interval requires --watch.');
      if (limit !== undefined && watch === true)
        throw new UsageError('--limit does not go with --watch, which shows as many orders as fit.');
      const { listOrders, watchOrders } = await verbs();
      if (watch !== true)
        return listOrders(context(), databaseOf(flags), typeof limit === 'number' ? limit : undefined);
      await watchOrders(
        context(),
        databaseOf(flags),
        typeof interval === 'number' ? interval : WATCH_INTERVAL_MS,
      );
    });
  onDatabase(sandbox.command('info'))
    .description('Show what the sandbox contains, and where it is stored.')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox info')
    .action(async (flags: Flags) => {
      await act(context(), databaseOf(flags), async ({ location, info }) =>
        (await views()).infoView({ database: location, ...(await info()) }),
      );
    });
  onDatabase(sandbox.command('reset'))
    .description(
      'Remove all orders, faults and logged requests, and reset the clock. Partners, key pairs and snapshots are kept.',
    )
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox reset')
    .action(async (flags: Flags) => {
      const { doneView } = await verbs();
      await act(context(), databaseOf(flags), async ({ reset }) => {
        await reset();
        return doneView({ reset: true }, 'The sandbox is empty again.');
      });
    });
  sandbox
    .command('openapi')
    .description(
      'Print the OpenAPI 3.1 document of the service. A running service serves it at /openapi.json.',
    )
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox openapi > openapi.json')
    .action(async () => (await verbs()).printOpenApi(context()));
}
