import type { Decimal } from '../../swap/amount.ts';
import { compareDecimals, productOf } from '../../swap/amount.ts';
import type { Asset } from '../../swap/swap.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { NamedAsset } from '../prices/pairs.ts';
import { Pairs } from '../prices/pairs.ts';

/** How many times the smallest amount is swapped: some hundred dollars. */
const TIMES_MINIMUM = '10';

/** A swap that the sandbox accepts, to an address that nobody has the key of. */
export interface SampleSwap {
  readonly from: Asset;
  readonly to: Asset;
  readonly amount: Decimal;
  readonly address: string;
  /** Null where there is none. */
  readonly memo: string | null;
}

/** A swap of two coins, each on its usual network unless one is named; undefined where one of them cannot be swapped. */
export async function sampleSwap(
  catalogue: Catalogue,
  seed: number,
  from: NamedAsset,
  to: NamedAsset,
): Promise<SampleSwap | undefined> {
  const pair = new Pairs(catalogue).find(from, to);
  if (pair === undefined) return undefined;
  const { depositAddress } = await import('../orders/deposit-address/deposit-address.ts');
  const { address, memo } = depositAddress(pair.to, 'payout', seed);
  const { min, max } = pair.terms.bounds;
  const wanted = productOf([min, TIMES_MINIMUM]);
  return {
    from: { coin: pair.from.coin, network: pair.from.network },
    to: { coin: pair.to.coin, network: pair.to.network },
    amount: compareDecimals(wanted, max) > 0 ? max : wanted,
    address,
    memo: memo === '' ? null : memo,
  };
}
