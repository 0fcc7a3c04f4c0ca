import { SwapctlError } from '../errors.ts';
import { hasMixedCase } from '../swap/coin-ref.ts';
import { aliasesOf } from '../swap/networks/aliases.ts';
import type { Coin, NetworkOfCoin } from '../swap/swap.ts';
import type { Client } from './client.ts';
import { respell, unknownCoin, usedCodes } from './find-coin.ts';

/** The coins of a pair, each with its networks on its side, and perhaps other coins. */
type PairCoins = (from: string, to: string) => Promise<readonly Coin[]>;

/** The networks on which a coin can be deposited and received, by their codes. */
interface NetworkLists {
  readonly deposit: readonly string[];
  readonly receive: readonly string[];
}

/** Reads the networks of a coin; the coin list is read only where the service does not know the code as typed. */
export async function readNetworks(
  client: Pick<Client, 'coinNetworks'>,
  typed: string,
  pairCoins: PairCoins,
): Promise<{ readonly code: string; readonly lists: NetworkLists }> {
  const ref = { coin: typed, network: null };
  const { coin } = respell(hasMixedCase(ref) ? await pairCoins(typed, typed) : [], ref, 'deposit');
  try {
    return { code: coin, lists: await client.coinNetworks(coin) };
  } catch (error) {
    if (!(error instanceof SwapctlError) || error.code !== 'not_found') throw error;
    const coins = await pairCoins(coin, coin);
    const spelled = respell(coins, { coin, network: null }, 'deposit').coin;
    if (spelled === coin) throw unknownCoin(coins, coin);
    return { code: spelled, lists: await client.coinNetworks(spelled) };
  }
}

/** The networks of a coin with what the coin list says of them; `coins` may be empty. */
export function describeNetworks(
  code: string,
  { deposit, receive }: NetworkLists,
  coins: readonly Coin[],
): { readonly coin: string; readonly networks: readonly NetworkOfCoin[] } {
  const codes = [...new Set([...deposit, ...receive])];
  const used = [...usedCodes(coins)];
  const listed = coins.find((each) => each.code === code);
  return {
    coin: code,
    networks: codes.map((network) => ({
      network,
      deposit: deposit.includes(network),
      receive: receive.includes(network),
      memoRequired: listed === undefined ? null : needsMemo(listed, network),
      aliases: aliasesOf(network, codes, used),
    })),
  };
}

function needsMemo({ deposit, receive }: Coin, network: string): boolean {
  return [...deposit, ...receive].some((item) => item.network === network && item.memoRequired);
}
