import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { orderArgument } from './arguments.ts';
import { withoutBlanks } from './trimmed.ts';

/** What `swapctl refund` was asked for. */
export interface RefundOptions {
  readonly order: string;
  /** Null to be asked for. */
  readonly address: string | null;
  readonly yes: boolean;
}

/** Declares `swapctl refund`. */
export function refundCommand(program: Command, context: () => Context, run = runRefund): void {
  program
    .command('refund')
    .summary('set or replace the refund address of a swap')
    .description('Set or replace the address to which the deposit of a swap is sent back if the swap fails.')
    .argument('<order>', 'order number')
    .argument('[address]', 'refund address on the network of the deposit; asked for on a terminal')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl refund KQWZPA bc1q…\n  $ swapctl refund KQWZPA bc1q… --yes --json',
    )
    .action((order: string, address: string | undefined, flags: Record<string, unknown>) => {
      const started = context();
      return run(started, {
        order: orderArgument(order),
        address: address === undefined ? null : withoutBlanks(started, 'refund address', address),
        yes: flags['yes'] === true,
      });
    });
}

/** Sets the refund address; what it takes is loaded by then. */
async function runRefund(context: Context, options: RefundOptions): Promise<void> {
  const { setRefundAddress } = await import('./refund-run.ts');
  await setRefundAddress(context, options);
}
