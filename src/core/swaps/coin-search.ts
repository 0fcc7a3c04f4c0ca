import { UsageError } from '../../base/errors.ts';
import { didYouMean } from '../../base/suggest.ts';
import { echoed } from '../../base/text.ts';
import { usedCodes } from '../client/find-coin.ts';
import { matchNetwork } from '../swap/networks/aliases.ts';
import type { Coin, Side } from '../swap/swap.ts';

/** Filter for coins; null for any. */
export interface CoinSearch {
  /** Part of a code or name. */
  readonly search: string | null;
  /** A network by code or alias. */
  readonly network: string | null;
  /** Only coins that can be used on this side. */
  readonly side: Side | null;
}

/** The coins that match, in the order of the list. Throws `unknown_network`. */
export function matchingCoins(coins: readonly Coin[], search: CoinSearch): readonly Coin[] {
  const codes = search.network === null ? null : meantNetworks(coins, search.network);
  return coins.filter((coin) => matches(coin, search, codes));
}

/** The service's codes for a typed network: that code, or otherwise each one that the alias can mean. */
function meantNetworks(coins: readonly Coin[], typed: string): ReadonlySet<string> {
  const known = [...new Set(usedCodes(coins))];
  const spelled = known.filter((code) => code.toLowerCase() === typed.toLowerCase());
  if (spelled.length > 0) return new Set(spelled);
  const match = matchNetwork(known, typed);
  if (match.kind === 'found') return new Set([match.code]);
  if (match.kind === 'ambiguous') return new Set(match.codes);
  const hint = didYouMean(known, typed, 'See the networks with `swapctl coins`.');
  throw new UsageError(`The service has no network ${echoed(typed)}.`, hint, 'unknown_network');
}

function matches(coin: Coin, { search, side }: CoinSearch, codes: ReadonlySet<string> | null): boolean {
  const text = search?.toLowerCase() ?? '';
  if (text !== '' && !coin.code.toLowerCase().includes(text) && !coin.name.toLowerCase().includes(text))
    return false;
  const sides = side === null ? [coin.deposit, coin.receive] : [coin[side]];
  return sides.some((networks) =>
    codes === null ? networks.length > 0 : networks.some(({ network }) => codes.has(network)),
  );
}
