import type { Decimal } from '../../swap/amount.ts';
import type { Side } from '../../swap/swap.ts';
import builtIn from './built-in.json';
import type { SandboxCoin } from './coin.ts';

/** A coin on one network: decimals, payout fee in the coin itself, and the only side that offers it. */
type Placement = readonly [decimals: number, payoutFee: Decimal, only?: Side];

/** A coin with its networks, the default one first. The price is an anchor, not a market price. */
type Row = readonly [code: string, name: string, usd: Decimal, networks: Readonly<Record<string, Placement>>];

/** Confirmations until a deposit counts, by the network's code, which is the chain's own ticker. */
const CONFIRMATIONS: Readonly<Record<string, number>> = builtIn.confirmations;

/**
 * Builds the coins of the built-in catalogue. Decimals are those of the chain or of the token's contract on
 * that network (USDT has 6 on Ethereum and 18 on BSC).
 */
export function builtInCoins(): readonly SandboxCoin[] {
  return (builtIn.coins as unknown as readonly Row[]).map(coinOf);
}

function coinOf([code, name, usd, networks]: Row): SandboxCoin {
  const assets = Object.entries(networks).map(([network, [decimals, payoutFee, only]]) => {
    const confirmations = CONFIRMATIONS[network];
    if (confirmations === undefined)
      throw new RangeError(`${code} is on ${network}, which is not in the table.`);
    return {
      ...{ coin: code, network, decimals, confirmations, payoutFee, depositFee: '0' },
      deposit: only !== 'receive',
      receive: only !== 'deposit',
      memoNeeded: builtIn.memoNeeded.includes(network),
    };
  });
  return { code, name, image: `/coins/${code.toLowerCase()}.svg`, usd, assets };
}
