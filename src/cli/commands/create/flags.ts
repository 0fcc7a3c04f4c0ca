import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { findCoin } from '../../../core/client/find-coin.ts';
import type { Asset, CoinOnNetwork, Side } from '../../../core/swap/swap.ts';
import type { SwapInput } from '../../../core/swaps/check.ts';
import type { CreateTerms } from '../../../core/swaps/create.ts';
import { namedOrder } from '../../../core/swaps/named-swap.ts';
import type { Context } from '../../context.ts';
import type { SavedAddress } from '../../settings/stored-settings.ts';
import { memoBeside, refuseOtherNetwork, savedAddressOf, savedForRefund } from '../shared/addresses/saved.ts';
import * as args from '../shared/arguments.ts';
import { fetchedCoins, withoutBlanks } from '../shared/questions.ts';
import type { Given } from './input.ts';

/** Parsed flags and arguments of `create`; the wizard asks for those that are null. */
export type CreateFlags = Readonly<ReturnType<typeof createFlags>>;

/** Reads the arguments and flags of `create`. */
export function createFlags(context: Context, { words: [from, to, amount], flags }: Given) {
  const { text, on, choice } = args.readFlags(flags);
  const pasted = (name: string, what: string) => {
    const value = text(name);
    return value === null ? null : withoutBlanks(context, what, value);
  };
  const key = text('idempotencyKey');
  const minReceive = pasted('minReceive', 'amount of --min-receive');
  if (on('exitStatus') && !on('watch')) throw new UsageError('--exit-status requires --watch.');
  const like = text('like');
  if (like !== null && to !== undefined)
    throw new UsageError(
      '--like copies the coins from the order; the only other argument is the amount.',
      'swapctl create --like <order> [amount]',
    );
  if (on('dryRun') && on('watch'))
    throw new UsageError('--dry-run and --watch cannot be combined: a dry run creates no swap to watch.');
  const given = like === null ? amount : from;
  const lastSource: Side | null = on('receive') ? 'receive' : amount === undefined ? null : 'deposit';
  return {
    from: from === undefined || like !== null ? null : args.coinArgument(from),
    to: to === undefined ? null : args.coinArgument(to),
    amount: given === undefined ? null : args.amountArgument(withoutBlanks(context, 'amount', given)),
    lastSource,
    type: args.chosenRateType(flags),
    address: pasted('address', 'payout address'),
    memo: text('memo'),
    /** `--no-memo`: the recipient is known to need none. */
    memoWaived: flags['memo'] === false,
    refundAddress: pasted('refundAddress', 'refund address'),
    /** What `@name` stood for in `address` and `refundAddress`; null if the address itself was given. */
    savedPayout: null as SavedAddress | null,
    savedRefund: null as SavedAddress | null,
    /** The order to copy missing terms from. */
    like: like === null ? null : args.swapArgument(like),
    minReceive: minReceive === null ? null : args.amountArgument(minReceive),
    /** Percent by which the payout may fall short of what was reviewed; null is the default of the rate type. */
    tolerance: text('tolerance'),
    labels: args.labelsArgument(flags['label']),
    idempotencyKey: key === null ? null : args.idempotencyKeyArgument(key),
    dryRun: on('dryRun'),
    yes: on('yes'),
    /** Null is as it is stored. */
    qr: choice('qr'),
    watch: on('watch'),
    exitStatus: on('exitStatus'),
    approval: args.approvalOption(flags['approval']),
    wait: on('wait'),
  };
}

/** What the flags say of a create besides the swap. */
export function termsOf({ idempotencyKey: key, labels, approval }: CreateFlags): CreateTerms {
  return { key, labels, approval };
}

/** Flags with everything that a swap needs. */
export type CompleteFlags = CreateFlags & SwapInput;

/** Flags with both networks decided, as the wizard leaves them. */
export type GuidedFlags = CompleteFlags & { readonly from: Asset; readonly to: Asset };

/**
 * The flags, with missing terms filled in from the order of `--like`: coins, networks, amount with its side, rate type,
 * payout address with its memo, and refund address. Everything is checked and reviewed as if it were typed. Labels, the
 * idempotency key, `--min-receive` and `--tolerance` belong to one swap and are not copied.
 */
export async function withLike(context: Context, flags: CreateFlags): Promise<CreateFlags> {
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

async function orderLike(context: Context, text: string) {
  const { order, entry } = await namedOrder(context, text, { whose: 'own', warns: true });
  if (entry === null)
    throw new SwapctlError('not_found', `Order ${order} is not in the ledger for this profile.`, {
      hint: await whereElse(context, order),
    });
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

async function whereElse(context: Context, order: string): Promise<string> {
  const [other] = await (await context.ledger()).withOrder(order);
  return other === undefined
    ? 'List them with `swapctl history`.'
    : `It was created with profile ${other.profile}: add -p ${other.profile}.`;
}

/** The flags with saved addresses instead of their names, and the memo that is saved with one. */
export function withSaved(context: Context, flags: CreateFlags): CreateFlags {
  const savedPayout = savedAddressOf(context, flags.address);
  const savedRefund = savedForRefund(context, flags.refundAddress);
  return {
    ...flags,
    savedPayout,
    savedRefund,
    address: savedPayout?.address ?? flags.address,
    memo: savedPayout === null ? flags.memo : memoBeside(savedPayout, flags),
    refundAddress: savedRefund?.address ?? flags.refundAddress,
  };
}

/** Throws `invalid_address` if a saved address is on another network than its side of the swap. */
export async function requireSavedAddressOnNetwork(
  context: Context,
  flags: Pick<CreateFlags, 'from' | 'to' | 'savedPayout' | 'savedRefund'>,
): Promise<void> {
  const check = async (saved: SavedAddress | null, ref: CoinOnNetwork | null, side: Side) => {
    const asset = saved === null || ref === null ? null : await resolveAsset(context, ref, side);
    if (saved !== null && asset !== null) await refuseOtherNetwork(context, saved, asset, side);
  };
  await check(flags.savedPayout, flags.to, 'receive');
  await check(flags.savedRefund, flags.from, 'deposit');
}

/** A coin with its network; null if no network was given, which is refused elsewhere. */
async function resolveAsset(context: Context, ref: CoinOnNetwork, side: Side): Promise<Asset | null> {
  const { coin, networks, network } = findCoin(await fetchedCoins(context), ref, side);
  const chosen = network ?? (networks.length === 1 ? networks[0] : undefined);
  return chosen === undefined ? null : { coin: coin.code, network: chosen.network };
}
