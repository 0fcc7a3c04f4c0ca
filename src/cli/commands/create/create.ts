import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import * as args from '../shared/arguments.ts';
import { checkPolicy } from './draft.ts';
import { createFlags } from './flags.ts';
import { withInput } from './input.ts';
import { runCreate } from './run.ts';

const EXAMPLES =
  '\nExamples:\n  $ swapctl create\n  $ swapctl create BTC USDT:TRX 0.1 --address TXYZ…\n  $ swapctl create BTC USDT:TRC20 0.1 --address @treasury\n  $ swapctl create --like KQWZPA 0.2\n  $ swapctl create BTC XRP 0.1 -a rN7n… -m 12345 --yes --idempotency-key order-991 --json';

export function createCommand(command: Command, context: () => Context, run = runCreate): void {
  declare(command, context, run, EXAMPLES);
}

/** Declares `swapctl policy check`, which takes the arguments of create. */
export function policyCheckCommand(command: Command, context: () => Context, run = checkPolicy): void {
  const example =
    '\nExamples:\n  $ swapctl policy check BTC USDT:TRX 0.1 --address @treasury --label team=ops';
  declare(command, context, run, example);
  command.description(
    'Show whether the policy allows this swap now. Nothing is sent or counted. Takes the arguments of create; flags that do not affect the decision are ignored.\nExits with 0 if it is allowed, else with 12.',
  );
  for (const option of command.options) if (WITHOUT_EFFECT.has(option.attributeName())) option.hideHelp();
}

/** Flags of create that say nothing about the swap; `policy check` takes them, so that a whole create can be pasted. */
const WITHOUT_EFFECT = new Set(['dryRun', 'exitStatus', 'qr', 'tolerance', 'wait', 'watch', 'yes']);

function declare(command: Command, context: () => Context, run: typeof runCreate, examples: string): void {
  const memos: string[] = [];
  command
    .description(
      'Create a swap and show where to send the deposit. On a terminal, asks for missing details and for confirmation.',
    )
    .argument('[from]', 'coin to send, COIN or COIN:NETWORK')
    .argument('[to]', 'coin to receive, COIN or COIN:NETWORK')
    .argument('[amount]', 'decimal amount, such as 0.1')
    .option('-a, --address <address>', 'payout address, or @name of a saved one')
    .option('-m, --memo <memo>', 'memo of the payout address')
    .option('--no-memo', 'confirm that the payout address needs no memo')
    .option('--refund-address <address>', 'address for a refund if the swap fails, or @name of a saved one')
    .option('-r, --receive', 'the amount is what you want to receive')
    .option('-f, --fixed', 'fixed rate')
    .option('--float', 'floating rate (the default)')
    .option(
      '--like <order>',
      'copy the pair, addresses, memo and rate type of an order in the ledger, and its amount unless you give one',
    )
    .option(
      '--input <file>',
      'read the swap from a JSON object with the keys of a batch row, or - for standard input',
    )
    .option('--min-receive <amount>', 'create nothing if the quote pays less than this')
    .option(
      '--tolerance <percentage>',
      'accept a payout this much below the reviewed one (default: 1%, or 0% with a fixed rate)',
      args.toleranceArgument,
    )
    .option(
      '--label <key=value>',
      'your own label for the swap, stored only in the ledger; repeatable',
      args.collected,
    )
    .option('--dry-run', 'check everything and show the request instead of sending it')
    .option('-y, --yes', 'skip the confirmation; required without a terminal')
    .option('--qr', 'show QR codes (default, unless the setting qr is off)')
    .option('--no-qr', 'show no QR code')
    .option('-w, --watch', 'watch the swap until it is final')
    .option('--exit-status', 'with --watch: exit with 9 if the swap failed')
    .option('--approval <id>', 'approval of this swap, if the policy requires one', args.approvalArgument)
    .option('--wait', 'wait for the approval that the policy requires')
    .option(
      '--idempotency-key <key>',
      'unique key; if it was used before, return that swap instead of creating another',
    )
    .addHelpText('after', examples)
    .action(
      async (
        from: string | undefined,
        to: string | undefined,
        amount: string | undefined,
        flags: Record<string, unknown>,
      ) => {
        if (memos.length > 1)
          throw new UsageError(`Conflicting memos: pass only one of ${memos.join(' and ')}.`);
        const typed = [from, to, amount].filter((word) => word !== undefined);
        const joined = to === undefined ? null : args.joinedPairError('swapctl create', typed);
        const wrong = joined ?? args.wordyPairError('swapctl create', typed);
        if (wrong !== null) throw wrong;
        const given = await withInput(context(), { words: args.amountLast([from, to, amount]), flags });
        return run(context(), createFlags(context(), given));
      },
    );
  // Commander merges --memo and --no-memo into one value; the last one would silently win.
  command.on('option:memo', () => memos.push('--memo')).on('option:no-memo', () => memos.push('--no-memo'));
}
