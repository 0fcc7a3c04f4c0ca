import type { Command } from 'commander';
import { UsageError } from '../../../../base/errors.ts';
import { readScenarioName, SCENARIO_NAMES } from '../../../../sandbox/orders/scenario-ends.ts';
import type { Context } from '../../../context.ts';
import { coinArgument, type Flags, orderArgument, readFlags } from '../../shared/arguments.ts';
import { seedArgument } from '../start.ts';
import { databaseOf, databaseOption } from '../verb.ts';
import type { RunOptions } from './run.ts';
import type { TriggerOptions } from './trigger.ts';

export function triggerCommand(command: Command, context: () => Context, run = runTrigger): void {
  command
    .addOption(databaseOption())
    .description(
      'Drive an order straight to an outcome, and show the swap. Creates the order unless you pass --order.',
    )
    .argument('<scenario>', SCENARIO_NAMES.join(', '))
    .option('--order <order>', 'the order to drive')
    .option('--from <coin>', 'coin of the deposit of a new order (default: BTC)')
    .option('--to <coin>', 'coin of its payout (default: ETH:ETH)')
    .addHelpText(
      'after',
      '\nAdvances the clock of the sandbox if time has to pass. A new order is recorded in the ledger, as by `create`, so `status` and `listen` see it.\n\nExamples:\n  $ swapctl sandbox trigger frozen\n  $ swapctl sandbox trigger refund --order KQWZPA\n  $ swapctl sandbox trigger late-deposit --from BTC --to USDT:TRX',
    )
    .action((name: string, flags: Flags) => {
      const { text } = readFlags(flags);
      const [order, from, to] = [text('order'), text('from'), text('to')];
      if (order !== null && (from !== null || to !== null))
        throw new UsageError(
          '--from and --to apply only to a new order, and cannot be combined with --order.',
        );
      return run(context(), {
        scenario: readScenarioName(name),
        order: order === null ? null : orderArgument(order),
        from: coinArgument(from ?? 'BTC'),
        to: coinArgument(to ?? 'ETH:ETH'),
        database: databaseOf(flags),
      });
    });
}

const runTrigger = async (context: Context, options: TriggerOptions) =>
  (await import('./trigger.ts')).triggerScenario(context, options);

export function runCommand(command: Command, context: () => Context, run = runFile): void {
  command
    .option(
      '--database <location>',
      'empty file or postgres:// URL for the sandbox (default: in memory); with --against, that of the service',
    )
    .description(
      'Run the steps of a scenario file and check their results, on a separate sandbox with a stopped clock.',
    )
    .argument('<file>', `JSON file, or one that ships with swapctl: ${SCENARIO_NAMES.join(', ')}`)
    .option('--junit <file>', 'write the result as JUnit XML')
    .option('--against <url>', 'run against a service that is already running')
    .option(
      '--seed <n>',
      "seed instead of the file's; the same file and seed give the same result",
      seedArgument,
    )
    .addHelpText(
      'after',
      '\nThe steps are create, quote, deposit, move, advance, fault, refund, request and expect. Exits with 9 if a step did not go as expected; later steps are skipped.\n\nExamples:\n  $ swapctl sandbox run success\n  $ swapctl sandbox run refunds.json --junit result.xml\n  $ swapctl sandbox run refunds.json --against http://127.0.0.1:4010',
    )
    .action((file: string, flags: Flags) => {
      const { number, text } = readFlags(flags);
      const [seed, against, junit] = [number('seed'), text('against'), text('junit')];
      if (against !== null && seed !== null)
        throw new UsageError(
          '--seed and --against cannot be combined: the running service has its own seed.',
        );
      return run(context(), { file, junit, against, seed, database: databaseOf(flags) });
    });
}

const runFile = async (context: Context, options: RunOptions) =>
  (await import('./run.ts')).runScenarioFile(context, options);
