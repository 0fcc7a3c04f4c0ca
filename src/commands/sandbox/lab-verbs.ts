import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { readScenarioName, SCENARIO_NAMES } from '../../sandbox/orders/scenario-ends.ts';
import { coinArgument, orderArgument } from '../shared/arguments.ts';
import { databaseOf, onDatabase } from './database-flag.ts';
import type { TriggerOptions } from './trigger.ts';

/** Declares the verbs that let swaps take an end: `trigger`. */
export function laboratoryVerbs(sandbox: Command, context: () => Context): void {
  triggerCommand(sandbox.command('trigger'), context);
}

type Flags = Readonly<Record<string, unknown>>;

/** Declares `swapctl sandbox trigger`. */
export function triggerCommand(command: Command, context: () => Context, run = runTrigger): void {
  onDatabase(command)
    .description('Drive an order to an end at once, a new one unless one is named, and show the swap.')
    .argument('<scenario>', SCENARIO_NAMES.join(', '))
    .option('--order <order>', 'the order to drive')
    .option('--from <coin>', 'coin of the deposit of a new order (default: BTC)')
    .option('--to <coin>', 'coin of its payout (default: ETH:ETH)')
    .addHelpText(
      'after',
      '\nThe clock of the sandbox is set forward where time has to pass. The ledger keeps a new order as that of `create`,\nso `status` and `listen` see it.\n\nExamples:\n  $ swapctl sandbox trigger frozen\n  $ swapctl sandbox trigger refund --order KQWZPA\n  $ swapctl sandbox trigger late-deposit --from BTC --to USDT:TRX',
    )
    .action((name: string, flags: Flags) => {
      const text = (flag: string) => (typeof flags[flag] === 'string' ? flags[flag] : null);
      const [order, from, to] = [text('order'), text('from'), text('to')];
      if (order !== null && (from !== null || to !== null))
        throw new UsageError('--from and --to are for a new order, and --order names one that exists.');
      return run(context(), {
        scenario: readScenarioName(name),
        order: order === null ? null : orderArgument(order),
        from: coinArgument(from ?? 'BTC'),
        to: coinArgument(to ?? 'ETH:ETH'),
        database: databaseOf(flags),
      });
    });
}

async function runTrigger(context: Context, options: TriggerOptions): Promise<void> {
  const { triggerScenario } = await import('./trigger.ts');
  await triggerScenario(context, options);
}
