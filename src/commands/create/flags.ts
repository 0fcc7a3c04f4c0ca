import { findCoin } from '../../client/find-coin.ts';
import type { Context } from '../../context.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { shellQuote } from '../../files.ts';
import type { CreateIntent, Entry } from '../../ledger/entry.ts';
import type { GivenApproval } from '../../ledger/policy/approvals.ts';
import type { SavedAddress } from '../../settings/stored-settings.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { Labels } from '../../swap/labels.ts';
import type { Asset, CoinOnNetwork, RateType, Side } from '../../swap/swap.ts';
import type { AskedSwap } from '../../swaps/check.ts';
import { memoBeside, refuseOtherNetwork, savedAddressOf, savedForRefund } from '../shared/addresses/saved.ts';
import { fetchedCoins } from '../shared/questions.ts';

/** Parsed flags and arguments of `create`; the wizard asks for those that are null. */
export interface CreateFlags {
  readonly from: CoinOnNetwork | null;
  readonly to: CoinOnNetwork | null;
  readonly amount: Decimal | null;
  readonly lastSource: Side | null;
  readonly type: RateType | null;
  readonly address: string | null;
  readonly memo: string | null;
  /** `--no-memo`: the recipient is known to need none. */
  readonly memoWaived: boolean;
  readonly refundAddress: string | null;
  /** What `@name` stood for in `address`; null if the address itself was given. */
  readonly payoutSaved: SavedAddress | null;
  /** What `@name` stood for in `refundAddress`. */
  readonly refundSaved: SavedAddress | null;
  /** `--like`: the order to copy missing terms from. */
  readonly like: string | null;
  readonly minReceive: Decimal | null;
  /** Percent by which the payout may fall short of what was reviewed; null is the default of the rate type. */
  readonly tolerance: Decimal | null;
  readonly labels: Labels;
  readonly idempotencyKey: string | null;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** Null is as it is stored. */
  readonly qr: boolean | null;
  readonly watch: boolean;
  readonly exitStatus: boolean;
  /** The approval that the policy requires; null for none. */
  readonly approval: GivenApproval;
  /** Waits if the policy requires an approval. */
  readonly wait: boolean;
}

/** Flags with everything that a swap needs. */
export type CompleteFlags = CreateFlags & AskedSwap;

/** Flags with both networks decided, as the wizard leaves them. */
export type GuidedFlags = CompleteFlags & { readonly from: Asset; readonly to: Asset };

/**
 * The flags, with missing terms filled in from the order of `--like`: coins, networks, amount with its side, rate type,
 * payout address with its memo, and refund address. Everything is checked and reviewed as if it were typed. Labels, the
 * idempotency key, `--min-receive` and `--tolerance` belong to one swap and are not copied.
 */
export async function withOrder(context: Context, flags: CreateFlags): Promise<CreateFlags> {
  if (flags.like === null) return flags;
  const { entry, request } = await orderLike(context, flags.like);
  if (entry.doubts.length > 0)
    await context.streams.warn(
      `order ${entry.order} does not match what was agreed: ${entry.doubts.join(', ')}.`,
    );
  if (flags.lastSource !== null && flags.lastSource !== request.lastSource && flags.amount === null)
    throw new UsageError(
      `The amount of order ${entry.order} is the amount sent; pass the amount that you want to receive.`,
      `swapctl create --like ${shellQuote(entry.order ?? '')} <amount> --receive`,
    );
  return {
    ...flags,
    from: request.deposit,
    to: request.receive,
    amount: flags.amount ?? request.asked,
    lastSource: flags.lastSource ?? request.lastSource,
    type: flags.type ?? request.type,
    address: flags.address ?? request.address,
    // A memo belongs to its address.
    memo: flags.memo ?? (flags.address === null && !flags.memoWaived ? request.memo : null),
    refundAddress: flags.refundAddress ?? entry.refundAddress,
  };
}

async function orderLike(
  context: Context,
  order: string,
): Promise<{ readonly entry: Entry; readonly request: CreateIntent }> {
  const ledger = await context.ledger();
  const entry = await ledger.byOrder(await context.owner(), order);
  if (entry === null) throw notOurs(order, await ledger.withOrder(order));
  if (entry.outcome !== 'created')
    throw new UsageError(
      `Order ${order} cannot be repeated: swapctl cannot confirm that it is the requested swap.`,
      'See it with `swapctl history`.',
    );
  if (entry.request === null)
    throw new UsageError(
      `The ledger has no terms of order ${order}, which was not created by swapctl.`,
      'Pass the terms as arguments and flags.',
    );
  return { entry, request: entry.request };
}

function notOurs(order: string, elsewhere: readonly Entry[]): SwapctlError {
  const [other] = elsewhere;
  return new SwapctlError('not_found', `Order ${order} is not in the ledger for this profile.`, {
    hint:
      other === undefined
        ? 'List them with `swapctl history`.'
        : `It was created with profile ${other.profile}: add -p ${other.profile}.`,
  });
}

/** The flags with saved addresses instead of their names, and the memo that is saved with one. */
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

/** Throws `invalid_address` if a saved address is on another network than its side of the swap. */
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

/** A coin with its network; null if no network was given, which is refused elsewhere. */
async function decided(context: Context, ref: CoinOnNetwork, side: Side): Promise<Asset | null> {
  const { coin, networks, network } = findCoin(await fetchedCoins(context), ref, side);
  const chosen = network ?? (networks.length === 1 ? networks[0] : undefined);
  return chosen === undefined ? null : { coin: coin.code, network: chosen.network };
}
