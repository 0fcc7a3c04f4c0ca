import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { MoveVerb } from '../../sandbox/orders/order.ts';
import { MOVES } from '../../sandbox/orders/order.ts';
import { amountArgument, durationArgument, orderArgument, secondsArgument } from '../shared/arguments.ts';
import { limitOption } from '../shared/limit.ts';
import { databaseOf, onDatabase } from './database-flag.ts';
import { sandboxFaultCommand } from './fault.ts';
import { laboratoryVerbs } from './laboratory/verbs.ts';
import { sandboxLogsCommand } from './logs.ts';
import { sandboxLearnCommand, sandboxRecordCommand } from './recording/commands.ts';
import { snapshotCommands } from './snapshots.ts';
import { sandboxStartCommand } from './start.ts';

const WATCH_INTERVAL_MS = 2000;

const verbs = () => import('./verbs.ts');

/** Declares `swapctl sandbox` and its verbs. All but `start` work on the built-in service's database. */
export function sandboxCommand(sandbox: Command, context: () => Context): void {
  sandbox.description(
    'The whole service of the partner API, built in: run it, and play the parts of the customer, the chain and the operator.\nAll verbs but start act on one database, beside a running server too.',
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
    .description('Let the deposit of an order arrive: the exact amount unless another is given.')
    .argument('<order>', 'order number')
    .argument('[amount]', 'plain decimal with a dot')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl sandbox deposit KQWZPA\n  $ swapctl sandbox deposit KQWZPA 0.05',
    )
    .action(async (order: string, amount: string | undefined, flags: Flags) => {
      const wanted = orderArgument(order);
      const exact = amount === undefined ? undefined : amountArgument(amount);
      await (await verbs()).deposit(context(), databaseOf(flags), wanted, exact);
    });
  onDatabase(sandbox.command('move'))
    .description('Do to an order what people at a service do.')
    .argument('<order>', 'order number')
    .argument('<verb>', MOVES.join(', '), moveArgument)
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox move KQWZPA freeze')
    .action(async (order: string, verb: MoveVerb, flags: Flags) => {
      await (await verbs()).move(context(), databaseOf(flags), orderArgument(order), verb);
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
  const database = (flags: Flags, command: Command) => databaseOf({ ...command.parent?.opts(), ...flags });
  clock
    .helpCommand(false)
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox clock')
    .action(async (flags: Flags) => {
      await (await verbs()).showClock(context(), databaseOf(flags));
    });
  onDatabase(clock.command('advance'))
    .description('Set the clock forward; every transition that comes due happens, in order.')
    .argument('<duration>', 'such as 30s, 10m, 2h or 1d', durationArgument)
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox clock advance 30m')
    .action(async (duration: number, flags: Flags, command: Command) => {
      await (await verbs()).advanceClock(context(), database(flags, command), duration);
    });
  onDatabase(clock.command('reset'))
    .description('Let the clock show the real time again; every recorded time moves back with it.')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox clock reset')
    .action(async (flags: Flags, command: Command) => {
      await (await verbs()).resetClock(context(), database(flags, command));
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
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox partner add rival')
    .action(async (name: string, flags: Flags) => {
      await (await verbs()).addPartner(context(), databaseOf(flags), name);
    });
  onDatabase(partner.command('list'))
    .description('List the partners with their key pairs, the default one first.')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox partner list --json | jq -r ".[0].publicKey"')
    .action(async (flags: Flags) => {
      await (await verbs()).listPartners(context(), databaseOf(flags));
    });
  onDatabase(partner.command('remove'))
    .description('Remove a partner; its key pair is refused from then on.')
    .argument('<name>', 'name of the partner')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox partner remove rival')
    .action(async (name: string, flags: Flags) => {
      await (await verbs()).removePartner(context(), databaseOf(flags), name);
    });
}

function databaseVerbs(sandbox: Command, context: () => Context): void {
  onDatabase(sandbox.command('orders'))
    .description('List the orders of the sandbox, the newest first.')
    .option('-w, --watch', 'show the list again whenever it changes, until Ctrl-C')
    .option('-i, --interval <seconds>', 'seconds between checks (default: 2)', secondsArgument)
    .addOption(limitOption())
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox orders -L 10\n  $ swapctl sandbox orders --watch')
    .action(async (flags: Flags) => {
      const { watch, interval, limit } = flags;
      if (interval !== undefined && watch !== true) throw new UsageError('--interval goes with --watch.');
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
    .description('Tell what the sandbox holds, and where.')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox info')
    .action(async (flags: Flags) => {
      await (await verbs()).showInfo(context(), databaseOf(flags));
    });
  onDatabase(sandbox.command('reset'))
    .description(
      'Remove all orders, faults and logged requests and reset the clock; partners keep their key pairs, and snapshots stay.',
    )
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox reset')
    .action(async (flags: Flags) => {
      await (await verbs()).reset(context(), databaseOf(flags));
    });
  sandbox
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the service; a running one serves it at /openapi.json.')
    .addHelpText('after', '\nExamples:\n  $ swapctl sandbox openapi > openapi.json')
    .action(async () => (await verbs()).printOpenApi(context()));
}
