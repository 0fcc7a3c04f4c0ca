import { shortenBound, toSmallestUnit } from '../../core/swap/amount.ts';
import type { PairTerms, PricePair } from '../prices/pair-terms.ts';
import type { ChosenBounds } from './choices.ts';

export type TermsOf = (pair: PricePair) => PairTerms;

/** Terms of pairs whose bounds are chosen; those of networks come before those of whole coins. */
export function withBounds(termsOf: TermsOf, chosen: readonly ChosenBounds[]): TermsOf {
  const byPair = new Map(chosen.map((bounds) => [`${bounds.from} ${bounds.to}`, bounds]));
  return (pair) => {
    const terms = termsOf(pair);
    const bounds = names(pair.from)
      .flatMap((from) => names(pair.to).map((to) => byPair.get(`${from} ${to}`)))
      .find((found) => found !== undefined);
    return bounds === undefined ? terms : bounded(terms, bounds, pair.from.decimals);
  };
}

function names({ coin, network }: PricePair['from']): readonly string[] {
  return [`${coin}:${network}`, coin];
}

/** Bounds are shown digit for digit, and enforced in whole units of the coin. */
function bounded(terms: PairTerms, { min, max }: ChosenBounds, decimals: number): PairTerms {
  const units = (bound: string, direction: 'up' | 'down') =>
    toSmallestUnit(shortenBound(bound, decimals, direction), decimals);
  return {
    ...terms,
    bounds: { min, max: max ?? '0' },
    min: units(min, 'up'),
    max: max === null ? null : units(max, 'down'),
  };
}
