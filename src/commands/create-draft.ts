import type { CreateRequest } from '../client/client.ts';
import { badResponse } from '../client/decode.ts';
import type { FoundCoin } from '../client/spelling.ts';
import { findCoin } from '../client/spelling.ts';
import type { Context, Service } from '../context.ts';
import { SwapctlError, UsageError } from '../errors.ts';
import type { Decimal } from '../swap/amount.ts';
import { compareDecimals, sameAmount } from '../swap/amount.ts';
import { coinLabel } from '../swap/coin-ref.ts';
import { memoPolicy } from '../swap/memo.ts';
import { DEFAULT_TOLERANCE } from '../swap/price-change.ts';
import type { CoinNetwork, Quote } from '../swap/swap.ts';
import { withProgress } from '../terminal/progress.ts';
import type { CompleteFlags } from './create-flags.ts';
import { checkDecimals } from './decimals-check.ts';
import { checkedAddress, checkedDestination } from './destination.ts';
import { withBounds } from './pricing.ts';

/** A swap that passed every check and is ready to be reviewed and sent. */
export interface Draft {
  readonly service: Service;
  readonly request: CreateRequest;
  readonly quote: Quote;
  /** The amount that was asked for, of the side that `lastSource` names. */
  readonly asked: Decimal;
  readonly minReceive: Decimal | null;
  /** Percent by which the payout may fall short of the quote. */
  readonly tolerance: Decimal;
  /** What a person has to agree to, or `--yes` does. */
  readonly warnings: readonly string[];
  /** The service says that a deposit on this network needs a memo. */
  readonly depositMemoNeeded: boolean;
}

/** Checks codes, networks, amounts, addresses and memo, and prices the swap. Nothing that changes state is sent. */
export async function draftSwap(context: Context, flags: CompleteFlags): Promise<Draft> {
  const { coins } = await withProgress(context.streams, 'Reading the coin list', () => context.catalogue());
  const deposit = withNetwork(findCoin(coins, flags.from, 'deposit'), 'deposit');
  const receive = withNetwork(findCoin(coins, flags.to, 'receive'), 'receive');
  checkDecimals(flags.amount, flags.lastSource === 'receive' ? receive : deposit, true);
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
  const quote = await withProgress(context.streams, 'Asking for a price', () =>
    price(service, flags, deposit, receive),
  );
  checkFigures(quote, flags, service.client.statusOf(quote));
  checkBounds(quote, flags);
  if (flags.lastSource === 'receive') checkDecimals(quote.amount, deposit, false);
  return {
    service,
    quote,
    asked: flags.amount,
    minReceive: flags.minReceive,
    tolerance: flags.tolerance ?? DEFAULT_TOLERANCE[flags.type],
    warnings: [
      ...payout.warnings,
      ...(refund?.warnings ?? []),
      ...refundMemoWarning(refund, deposit.network),
    ],
    depositMemoNeeded: deposit.memoRequired,
    request: {
      deposit: { coin: deposit.coin, network: deposit.network },
      receive: { coin: receive.coin, network: receive.network },
      amount: flags.lastSource === 'receive' ? quote.amount : flags.amount,
      lastSource: flags.lastSource,
      type: flags.type,
      address: payout.address,
      memo: payout.memo,
      refundAddress: refund?.address ?? null,
    },
  };
}

type Leg = { readonly coin: string } & CoinNetwork;

/** The one network of a coin, or the one asked for: which of several is never guessed. */
function withNetwork({ coin, networks, network }: FoundCoin, side: 'deposit' | 'receive'): Leg {
  const chosen = network ?? (networks.length === 1 ? networks[0] : undefined);
  if (chosen !== undefined) return { coin: coin.code, ...chosen };
  const choices = networks.map((item) => coinLabel({ coin: coin.code, network: item.network }));
  throw new UsageError(
    `${coin.code} can be ${side === 'deposit' ? 'deposited' : 'received'} on several networks; say which.`,
    `Write one of ${choices.join(', ')}.`,
    'network_required',
    { coin: coin.code, choices },
  );
}

/** The API has no field for the memo of a refund. */
function refundMemoWarning(refund: unknown, network: string): string[] {
  if (refund === null || memoPolicy(network) !== 'required') return [];
  return [
    `refund address: ${network} often needs a memo, and the service has no field for one there; use an address that needs none.`,
  ];
}

async function price(service: Service, flags: CompleteFlags, deposit: Leg, receive: Leg): Promise<Quote> {
  const { amount, lastSource, type } = flags;
  const request = { from: deposit, to: receive, amount, lastSource, type };
  try {
    return await service.client.quote(request);
  } catch (error) {
    throw error instanceof SwapctlError ? await withBounds(error, service, request) : error;
  }
}

function checkBounds(quote: Quote, flags: CompleteFlags): void {
  if (compareDecimals(quote.amount, quote.min) < 0) throw outOfBounds('minimum', quote, quote.min);
  if (quote.max !== null && compareDecimals(quote.amount, quote.max) > 0)
    throw outOfBounds('maximum', quote, quote.max);
  const { minReceive, to } = flags;
  if (minReceive === null || compareDecimals(quote.receive, minReceive) >= 0) return;
  throw new UsageError(
    `The quote gives ${quote.receive} ${to.coin.toUpperCase()}, less than the ${minReceive} of --min-receive.`,
    'Nothing was sent. Try again later, or accept less.',
    'invalid_amount',
    { receive: quote.receive, minReceive },
  );
}

/** A quote for another amount, or one that gives nothing, says nothing of the swap that is about to be created. */
function checkFigures(
  quote: Quote,
  { amount, lastSource }: CompleteFlags,
  httpStatus: number | undefined,
): void {
  if (compareDecimals(quote.amount, '0') <= 0 || compareDecimals(quote.receive, '0') <= 0)
    throw badResponse('the quote has an amount that is not greater than zero', httpStatus);
  if (lastSource === 'deposit' && !sameAmount(quote.amount, amount))
    throw badResponse('the quote is for another amount than the one that was asked for', httpStatus);
}

function outOfBounds(name: 'minimum' | 'maximum', { amount }: Quote, limit: Decimal): SwapctlError {
  return new SwapctlError(
    name === 'minimum' ? 'amount_below_min' : 'amount_above_max',
    `The deposit is outside the bounds: ${name} ${limit}, you gave ${amount}.`,
    { details: { amount, [name]: limit } },
  );
}
