import type { FoundCoin } from '../../client/find-coin.ts';
import { findCoin } from '../../client/find-coin.ts';
import type { Context, Service } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { Decimal } from '../../swap/amount.ts';
import { coinLabel } from '../../swap/coin-ref.ts';
import { memoPolicy } from '../../swap/memo.ts';
import { DEFAULT_TOLERANCE } from '../../swap/price-change.ts';
import type { CoinNetwork, Quote, Side, SwapRequest } from '../../swap/swap.ts';
import { withProgress } from '../../terminal/progress.ts';
import { MAX_LISTED, someOf } from '../../text.ts';
import { checkDecimals } from '../shared/decimals.ts';
import { checkedAddress, checkedDestination } from '../shared/destination.ts';
import { refuseSameSides } from '../shared/pair-networks.ts';
import type { CompleteFlags } from './options.ts';
import type { Moment } from './price.ts';
import { priceSwap } from './price.ts';

/** A swap that passed every check and is ready to be reviewed and sent. */
export interface CheckedSwap {
  readonly service: Service;
  readonly request: SwapRequest;
  readonly quote: Quote;
  readonly quotedAt: Moment;
  /** The amount that was asked for, of the side that `lastSource` names. */
  readonly asked: Decimal;
  readonly minReceive: Decimal | null;
  /** Percent by which the payout may fall short of the quote. */
  readonly tolerance: Decimal;
  /** Warnings that a person, or `--yes`, has to accept. */
  readonly warnings: readonly string[];
  /** The service says that a deposit on this network needs a memo. */
  readonly depositMemoNeeded: boolean;
}

/** Checks codes, networks, amounts, addresses and memo, and prices the swap. Nothing that changes state is sent. */
export async function draftSwap(context: Context, flags: CompleteFlags): Promise<CheckedSwap> {
  const { coins } = await withProgress(context.streams, 'Reading the coin list', () => context.coinList());
  const deposit = withNetwork(findCoin(coins, flags.from, 'deposit'), 'deposit');
  const receive = withNetwork(findCoin(coins, flags.to, 'receive'), 'receive');
  refuseSameSides(deposit, receive);
  checkDecimals(flags.amount, flags.lastSource === 'receive' ? receive : deposit);
  const environment = (await context.profile()).environment;
  const payout = await checkedDestination({
    network: receive.network,
    address: flags.address,
    memo: flags.memo,
    memoNeeded: receive.memoRequired,
    waived: flags.memoWaived,
    environment,
    what: 'payout',
  });
  if (flags.memoWaived && payout.memo !== null) {
    throw new UsageError(
      'The payout address carries a memo inside, though --no-memo says that none is to be sent.',
      'Leave --no-memo out, or give the address without its memo.',
      'invalid_memo',
    );
  }
  const refund =
    flags.refundAddress === null
      ? null
      : await checkedAddress({
          network: deposit.network,
          address: flags.refundAddress,
          environment,
          what: 'refund',
        });
  const service = await context.service();
  const { amount: asked, lastSource, type, minReceive } = flags;
  const price = await priceSwap(context, { service, deposit, receive, asked, lastSource, type, minReceive });
  return {
    service,
    quote: price.quote,
    quotedAt: price.quotedAt,
    asked,
    minReceive,
    tolerance: flags.tolerance ?? DEFAULT_TOLERANCE[type],
    warnings: [
      ...payout.warnings,
      ...(refund?.warnings ?? []),
      ...refundMemoWarning(refund, deposit.network),
    ],
    depositMemoNeeded: deposit.memoRequired,
    request: {
      deposit: { coin: deposit.coin, network: deposit.network },
      receive: { coin: receive.coin, network: receive.network },
      amount: price.amount,
      lastSource,
      type,
      address: payout.address,
      memo: payout.memo,
      refundAddress: refund?.address ?? null,
    },
  };
}

type ChosenNetwork = { readonly coin: string } & CoinNetwork;

/** The network asked for, or the only one of a coin; one of several is never guessed. */
function withNetwork({ coin, networks, network }: FoundCoin, side: Side): ChosenNetwork {
  const chosen = network ?? (networks.length === 1 ? networks[0] : undefined);
  if (chosen !== undefined) return { coin: coin.code, ...chosen };
  const choices = networks.map((item) => coinLabel({ coin: coin.code, network: item.network }));
  throw new UsageError(
    `${coin.code} can be ${side === 'deposit' ? 'deposited' : 'received'} on several networks; say which.`,
    `Write one of ${someOf(choices)}.`,
    'network_required',
    { coin: coin.code, choices: choices.slice(0, MAX_LISTED) },
  );
}

/** Warning for a refund address on a network with memos: the API has no field for the memo of a refund. */
function refundMemoWarning(refund: unknown, network: string): string[] {
  if (refund === null || memoPolicy(network) !== 'required') return [];
  return [
    `refund address: ${network} often needs a memo, and the service has no field for one there; use an address that needs none.`,
  ];
}
