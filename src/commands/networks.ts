import type { Command } from 'commander';
import { respell, unknownCoin, usedCodes } from '../client/find-coin.ts';
import type { Context } from '../context.ts';
import { SwapctlError, UsageError } from '../errors.ts';
import { hasMixedCase } from '../swap/coin-ref.ts';
import { aliasesOf } from '../swap/networks/aliases.ts';
import type { Coin } from '../swap/swap.ts';
import { withProgress } from '../terminal/progress.ts';
import { networksView } from '../views/coins.ts';
import { coinArgument } from './shared/arguments.ts';

/** Declares `swapctl networks`. */
export function networksCommand(command: Command, context: () => Context, run = runNetworks): void {
  command
    .description('List the networks on which one coin can be deposited and received.')
    .argument('<coin>', 'code of the coin, in any case')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl networks USDT\n  $ swapctl networks USDT --json | jq .networks',
    )
    .action((coin: string) => {
      const ref = coinArgument(coin);
      if (ref.network !== null) throw new UsageError('Give the coin alone, without a network.');
      return run(context(), { coin: ref.coin });
    });
}

/** Prints the networks of one coin. */
export async function runNetworks(context: Context, options: { readonly coin: string }): Promise<void> {
  const ref = { coin: options.coin, network: null };
  const { coin } = respell(
    hasMixedCase(ref) ? await context.pairCoins(ref.coin, ref.coin) : [],
    ref,
    'deposit',
  );
  const { code, deposit, receive } = await withProgress(
    context.streams,
    `Reading the networks of ${coin}`,
    () => lookUp(context, coin),
  );
  const codes = [...new Set([...deposit, ...receive])];
  const coins = await listedCoins(context, code);
  const used = [...usedCodes(coins)];
  const listed = coins.find((each) => each.code === code);
  await context.streams.print(
    networksView({
      coin: code,
      networks: codes.map((network) => ({
        network,
        deposit: deposit.includes(network),
        receive: receive.includes(network),
        memoRequired: listed === undefined ? null : needsMemo(listed, network),
        aliases: aliasesOf(network, codes, used),
      })),
    }),
  );
}

/** The coin as the list has it, and perhaps others; none where the list cannot be read, which is said. */
async function listedCoins(context: Context, code: string): Promise<readonly Coin[]> {
  try {
    return await context.pairCoins(code, code);
  } catch (error) {
    if (!(error instanceof SwapctlError) || error.code === 'interrupted') throw error;
    await context.streams.warn(`which of them need a memo is not known: ${error.message}`);
    return [];
  }
}

function needsMemo({ deposit, receive }: Coin, network: string): boolean {
  return [...deposit, ...receive].some((item) => item.network === network && item.memoRequired);
}

/** Reads the networks of a coin; the coin list is read only where the service does not know the code as typed. */
async function lookUp(
  context: Context,
  coin: string,
): Promise<{ code: string; deposit: string[]; receive: string[] }> {
  const { client } = await context.service();
  try {
    return { code: coin, ...(await client.coinNetworks(coin)) };
  } catch (error) {
    if (!(error instanceof SwapctlError) || error.code !== 'not_found') throw error;
    const coins = await context.pairCoins(coin, coin);
    const spelled = respell(coins, { coin, network: null }, 'deposit').coin;
    if (spelled === coin) throw unknownCoin(coins, coin);
    return { code: spelled, ...(await client.coinNetworks(spelled)) };
  }
}
