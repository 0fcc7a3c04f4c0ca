import { SwapctlError, UsageError } from '../../base/errors.ts';
import { coinNetworkError, type FoundCoin, findCoin, sideVerb } from '../client/find-coin.ts';
import type { CreateIntent, Owner } from '../ledger/entry.ts';
import type { Decimal } from '../swap/amount.ts';
import { memoPolicy } from '../swap/memo.ts';
import { DEFAULT_TOLERANCE, leastWithin } from '../swap/price-change.ts';
import type {
  Coin,
  CoinNetwork,
  CoinOnNetwork,
  Environment,
  Quote,
  Side,
  SwapRequest,
} from '../swap/swap.ts';
import { type CheckedDestination, checkedAddress, checkedDestination } from './destination.ts';
import type { Quoting } from './limits.ts';
import { refuseSameSides } from './pair.ts';
import type { Service } from './ports.ts';
import { checkDecimals, priceSwap } from './price.ts';

/** A requested swap without its default checks and networks; `amount` is of the side that `lastSource` names. */
export interface SwapInput extends Omit<SwapRequest, 'deposit' | 'receive'> {
  readonly from: CoinOnNetwork;
  readonly to: CoinOnNetwork;
  /** The recipient is known to need no memo. */
  readonly memoWaived: boolean;
  readonly minReceive: Decimal | null;
  /** Percent by which the payout may fall short of what was reviewed; null is the default of the rate type. */
  readonly tolerance: Decimal | null;
}

/** A swap that passed every check that needs no price. */
export interface UnpricedSwap {
  /** `amount` is the requested one, of the side that `lastSource` names. */
  readonly request: SwapRequest;
  readonly minReceive: Decimal | null;
  /** Percent by which the payout may fall short of the quote. */
  readonly tolerance: Decimal;
  /** Warnings that a person, or `--yes`, has to accept. */
  readonly warnings: readonly string[];
  /** The service says that a deposit on this network needs a memo. */
  readonly depositMemoNeeded: boolean;
}

/** A swap that passed every check and is ready to be reviewed and sent. */
export interface CheckedSwap<S extends Quoting = Service> extends UnpricedSwap {
  readonly service: S;
  readonly quote: Quote;
  /** Payout that was reviewed: an earlier quote's, if the swap was priced again within the tolerance. */
  readonly reviewed: Decimal;
  /** The requested amount, of the side that `lastSource` names. */
  readonly asked: Decimal;
}

/** A part of a swap that a check refused. */
export interface FieldProblem {
  readonly field: 'from' | 'to' | 'amount' | 'address' | 'refundAddress';
  readonly error: SwapctlError;
}

type SwapVerdict =
  | { readonly ok: true; readonly swap: UnpricedSwap }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Checks codes, networks, decimals, addresses and memo of a swap, by the coin list alone. */
export async function checkSwap(
  coins: readonly Coin[],
  environment: Environment,
  asked: SwapInput,
): Promise<SwapVerdict> {
  const problems: FieldProblem[] = [];
  const passed = async <T>(field: FieldProblem['field'], check: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof SwapctlError)) throw error;
      problems.push({ field, error });
      return null;
    }
  };
  const side = (field: 'from' | 'to', which: Side) =>
    passed(field, () => withNetwork(findCoin(coins, asked[field], which), which));
  const deposit = await side('from', 'deposit');
  const receive = await side('to', 'receive');
  if (deposit !== null && receive !== null) await passed('to', () => refuseSameSides(deposit, receive));
  const counted = asked.lastSource === 'receive' ? receive : deposit;
  if (counted !== null) await passed('amount', () => checkDecimals(asked.amount, counted));
  const payout =
    receive === null ? null : await passed('address', () => checkedPayout(receive, environment, asked));
  const { refundAddress } = asked;
  const refund =
    refundAddress === null || deposit === null
      ? null
      : await passed('refundAddress', () =>
          checkedAddress({ network: deposit.network, address: refundAddress, environment, what: 'refund' }),
        );
  if (deposit === null || receive === null || payout === null || problems.length > 0)
    return { ok: false, problems };
  return { ok: true, swap: unpriced(asked, { deposit, receive, payout, refund }) };
}

/** Checks and prices a swap; sends nothing that changes state. Throws the first problem, or like {@link priceSwap}. */
export async function draftSwap<S extends Quoting>(
  ports: { owner(): Promise<Pick<Owner, 'environment'>>; service(): Promise<S> },
  coins: readonly Coin[],
  asked: SwapInput,
  price: typeof priceSwap = priceSwap,
): Promise<CheckedSwap<S>> {
  const verdict = await checkSwap(coins, (await ports.owner()).environment, asked);
  if (!verdict.ok) throw verdict.problems[0]?.error ?? new TypeError('A refused swap has no problem.');
  const service = await ports.service();
  const { request, minReceive } = verdict.swap;
  const question = { ...request, service, asked: request.amount, minReceive };
  const { quote, amount } = await price(question);
  const priced = { ...request, amount };
  return { ...verdict.swap, service, quote, reviewed: quote.receive, asked: request.amount, request: priced };
}

async function checkedPayout(
  { network, memoRequired }: ChosenNetwork,
  environment: Environment,
  { address, memo, memoWaived }: SwapInput,
): Promise<CheckedDestination> {
  const of = { network, address, environment, what: 'payout' } as const;
  const payout = await checkedDestination({ ...of, memo, memoNeeded: memoRequired, waived: memoWaived });
  if (!memoWaived || payout.memo === null) return payout;
  throw new UsageError(
    'The payout address contains a memo, but --no-memo was passed.',
    'Leave --no-memo out, or pass the address without its memo.',
    'invalid_memo',
  );
}

interface CheckedSides {
  readonly deposit: ChosenNetwork;
  readonly receive: ChosenNetwork;
  readonly payout: CheckedDestination;
  readonly refund: CheckedDestination | null;
}

function unpriced(
  { amount, lastSource, type, minReceive, tolerance }: SwapInput,
  { deposit, receive, payout, refund }: CheckedSides,
): UnpricedSwap {
  const warnings = [...payout.warnings, ...(refund?.warnings ?? [])];
  // The API has no field for the memo of a refund.
  if (refund !== null && memoPolicy(deposit.network) === 'required')
    warnings.push(
      `refund address: ${deposit.network} often needs a memo, but the service has no field for a refund memo; use an address that needs none.`,
    );
  return {
    minReceive,
    tolerance: tolerance ?? DEFAULT_TOLERANCE[type],
    warnings,
    depositMemoNeeded: deposit.memoRequired,
    request: {
      deposit: { coin: deposit.coin, network: deposit.network },
      receive: { coin: receive.coin, network: receive.network },
      amount,
      lastSource,
      type,
      address: payout.address,
      memo: payout.memo,
      refundAddress: refund?.address ?? null,
    },
  };
}

/** What the ledger stores about a draft, and what the response is compared with. */
export function intentOf(draft: CheckedSwap<Quoting>): CreateIntent {
  const { request, asked, minReceive, depositMemoNeeded, quote, reviewed, tolerance } = draft;
  const leastReceive = leastWithin(reviewed, tolerance);
  return { ...request, asked, minReceive, leastReceive, depositMemoNeeded, quoted: quote.receive };
}

type ChosenNetwork = { readonly coin: string } & CoinNetwork;

/** The requested network, or the only one of a coin; one of several is never guessed. */
function withNetwork({ coin, networks, network }: FoundCoin, side: Side): ChosenNetwork {
  const chosen = network ?? (networks.length === 1 ? networks[0] : undefined);
  if (chosen !== undefined) return { coin: coin.code, ...chosen };
  const codes = networks.map((item) => item.network);
  const problem = `${coin.code} can be ${sideVerb(side)} on several networks.`;
  throw coinNetworkError('network_required', problem, coin, { codes });
}
