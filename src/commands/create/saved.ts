import { findCoin } from '../../client/find-coin.ts';
import type { Context } from '../../context.ts';
import type { SavedAddress } from '../../settings/saved-addresses.ts';
import type { Asset, CoinOnNetwork, Side } from '../../swap/swap.ts';
import { memoBeside, refuseOtherNetwork, savedAddressOf, savedForRefund } from '../shared/addresses/saved.ts';
import { fetchedCoins } from '../shared/asset.ts';
import type { CreateFlags } from './options.ts';

/** The flags with saved addresses in the place of their names, and the memo that is saved with one. */
export function withSaved(context: Context, flags: CreateFlags): CreateFlags {
  const payoutSaved = savedAddressOf(context, flags.address);
  const refundSaved = savedForRefund(context, flags.refundAddress);
  return {
    ...flags,
    ...{ payoutSaved, refundSaved },
    address: payoutSaved?.address ?? flags.address,
    memo: payoutSaved === null ? flags.memo : memoBeside(payoutSaved, flags),
    refundAddress: refundSaved?.address ?? flags.refundAddress,
  };
}

/** Throws `invalid_address` where a saved address is of another network than its side of the swap. */
export async function refuseSavedElsewhere(
  context: Context,
  flags: Pick<CreateFlags, 'from' | 'to' | 'payoutSaved' | 'refundSaved'>,
): Promise<void> {
  const check = async (saved: SavedAddress | null, ref: CoinOnNetwork | null, side: Side) => {
    const asset = saved === null || ref === null ? null : await decided(context, ref, side);
    if (saved !== null && asset !== null) await refuseOtherNetwork(context, saved, asset, side);
  };
  await check(flags.payoutSaved, flags.to, 'receive');
  await check(flags.refundSaved, flags.from, 'deposit');
}

/** A coin with its network; null while that is left open, which is another refusal. */
async function decided(context: Context, ref: CoinOnNetwork, side: Side): Promise<Asset | null> {
  const { coin, networks, network } = findCoin(await fetchedCoins(context), ref, side);
  const chosen = network ?? (networks.length === 1 ? networks[0] : undefined);
  return chosen === undefined ? null : { coin: coin.code, network: chosen.network };
}
