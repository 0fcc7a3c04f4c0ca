import type { Command } from 'commander';
import { attempt, SwapctlError, UsageError } from '../../../base/errors.ts';
import { describeNetworks, readNetworks } from '../../../core/client/coin-list.ts';
import type { Coin } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import { coinArgument } from '../shared/arguments.ts';
import { networksView } from './coins.ts';

export function networksCommand(command: Command, context: () => Context, run = runNetworks): void {
  command
    .description('List the networks on which you can send and receive a coin.')
    .argument('<coin>', 'code of the coin, such as USDT')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl networks USDT\n  $ swapctl networks USDT --json | jq .networks',
    )
    .action((coin: string) => {
      const ref = coinArgument(coin);
      if (ref.network !== null) throw new UsageError('Pass only the coin, without a network.');
      return run(context(), { coin: ref.coin });
    });
}

export async function runNetworks(context: Context, options: { readonly coin: string }): Promise<void> {
  const { client } = await context.service();
  const { code, lists } = await withProgress(
    context.streams,
    `Reading the networks of ${options.coin.toUpperCase()}`,
    () => readNetworks(client, options.coin, context.pairCoins),
  );
  await context.streams.print(networksView(describeNetworks(code, lists, await listedCoins(context, code))));
}

/** The coin as the list has it, and perhaps others; none, with a warning, if the list cannot be read. */
async function listedCoins(context: Context, code: string): Promise<readonly Coin[]> {
  const coins = await attempt(() => context.pairCoins(code, code));
  if (!(coins instanceof SwapctlError)) return coins;
  await context.streams.warn(`cannot tell which networks need a memo: ${coins.message}`);
  return [];
}
