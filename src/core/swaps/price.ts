import { attempt, restated, SwapctlError, UsageError } from '../../base/errors.ts';
import type { QuoteRequest } from '../client/client.ts';
import { compareDecimals, type Decimal, isZero, sameAmount, shortenBound } from '../swap/amount.ts';
import { tooManyDecimals } from '../swap/decimals.ts';
import { changePercent, fellBeyond, percentChange, roseBeyond } from '../swap/price-change.ts';
import { type Asset, type Coin, coinLabel, type Quote, type SwapRequest } from '../swap/swap.ts';
import { checkBounds, type Quoting, withBounds } from './limits.ts';
import { type CoinSource, coinsOfPair, correctedPair, spelledPair } from './pair.ts';

/**
 * One quote for one request. Codes are sent in capitals. The coin list is read only for a code that was typed in both
 * cases, for a network that is an alias, and after a refusal: to correct the spelling, to fill in the only network of a
 * coin where the service requires one, or to say what is wrong. The quote holds the codes that were sent in the end.
 * Throws `network_required` if a coin has several networks.
 */
export async function quotePair(source: CoinSource, service: Quoting, request: QuoteRequest): Promise<Quote> {
  let read: Promise<readonly Coin[]> | undefined;
  const coins = () => (read ??= coinsOfPair(source, request));
  const spelled = await spelledPair(coins, request);
  const { amount, lastSource, from, to } = spelled;
  const { coin, network } = lastSource === 'deposit' ? from : to;
  // A coin without a network is the native coin of its chain, or unknown.
  checkDecimals(amount, { coin, network: network ?? coin });
  try {
    return await service.client.quote(spelled);
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    if (!UNKNOWN_PAIR.has(error.code)) throw await withBounds(error, service, spelled);
    const corrected = correctedPair(await coins(), request, error);
    // The coin list was found, so the base URL is right.
    const codes = ({ from, to }: QuoteRequest) => [from.coin, from.network, to.coin, to.network].join('\n');
    if (codes(spelled) === codes(corrected)) throw restated(error, error.message, { hint: null });
    return askWithBounds(service, corrected);
  }
}

/** A quote for a request as it is; the error for a refused amount names the limits. */
async function askWithBounds(service: Quoting, request: QuoteRequest): Promise<Quote> {
  try {
    return await service.client.quote(request);
  } catch (error) {
    throw error instanceof SwapctlError ? await withBounds(error, service, request) : error;
  }
}

/** Percent by which a quote's rate differs from that of the pair's minimum (one more request); null without one. */
export async function priceImpact({ client }: Quoting, quote: Quote): Promise<Decimal | null> {
  const { min: amount } = quote;
  if (isZero(amount)) return null;
  const least = await attempt(() => client.quote({ ...quote, amount, lastSource: 'deposit' }));
  return least instanceof SwapctlError ? null : changePercent(least.rate, quote.rate);
}

const UNKNOWN_PAIR = new Set(['not_found', 'rejected', 'validation_failed']);

/** Input of {@link priceSwap}, its coins and networks spelled as the service spells them. */
export interface PriceQuestion extends Pick<SwapRequest, 'deposit' | 'receive' | 'lastSource' | 'type'> {
  readonly service: Quoting;
  /** The amount of the side that `lastSource` names. */
  readonly asked: Decimal;
  readonly minReceive: Decimal | null;
}

/** A price that passed every check; `amount` is the deposit, with `--receive` the quote's, rounded up to its decimals. */
export type Price = Awaited<ReturnType<typeof priceSwap>>;

/** Prices a swap, and checks bounds and minimum. Throws `bad_response`, a code for its amount, or the refusal. */
export async function priceSwap(question: PriceQuestion) {
  const { service, deposit, receive, asked, lastSource, type } = question;
  const request = { from: deposit, to: receive, amount: asked, lastSource, type };
  const quote = await askWithBounds(service, request);
  const amount = payable(quote, question);
  checkBounds(quote, amount, request);
  checkLeast(quote, question);
  return { quote, amount };
}

/** The deposit rounded up to its network's decimals: services that compute in doubles ask for more digits than it has. */
function payable({ amount }: Quote, { deposit, asked, lastSource }: PriceQuestion): Decimal {
  if (lastSource === 'deposit') return asked;
  const excess = tooManyDecimals(amount, deposit.coin, deposit.network);
  return excess === undefined ? amount : shortenBound(amount, excess.places, 'up');
}

/** Refuses a quote below the wanted minimum. Throws `invalid_amount`. */
export function checkLeast(
  quote: Pick<Quote, 'receive'>,
  { receive, minReceive }: Pick<PriceQuestion, 'receive' | 'minReceive'>,
): void {
  if (minReceive === null || compareDecimals(quote.receive, minReceive) >= 0) return;
  throw new UsageError(
    `The quote pays ${quote.receive} ${receive.coin}, less than the minimum of ${minReceive}.`,
    'Nothing was sent. Try again later, or lower the minimum.',
    'invalid_amount',
    { receive: quote.receive, minReceive },
  );
}

/** Refuses an amount as typed with more decimals than its coin has on the network, with the number that fits. */
export function checkDecimals(amount: Decimal, { coin, network }: Asset): void {
  const excess = tooManyDecimals(amount, coin, network);
  if (excess === undefined) return;
  const { places, fits } = excess;
  const name = coinLabel({ coin, network: network === coin ? null : network });
  const hint = isZero(fits)
    ? `Use a larger amount, with at most ${places} decimals.`
    : `Use ${fits} instead.`;
  throw new UsageError(
    `${name} has ${places} decimals, so ${amount} cannot be paid exactly.`,
    hint,
    'invalid_amount',
    { amount, places, fits },
  );
}

/** The parts of two prices that are compared. */
export interface Priced {
  /** Percent by which the payout may fall short of what was reviewed. */
  readonly tolerance: Decimal;
  readonly request: Pick<SwapRequest, 'deposit' | 'receive' | 'amount'>;
  readonly quote: Pick<Quote, 'receive'>;
}

/** Whether a price is worse than the reviewed one by more than the tolerance: less is paid out, or more to be sent. */
export function hasWorsened(before: Priced, now: Priced): boolean {
  return (
    fellBeyond(before.quote.receive, now.quote.receive, before.tolerance) ||
    roseBeyond(before.request.amount, now.request.amount, before.tolerance)
  );
}

/** In words, the reviewed and the current amount of each side that changed (deposit, payout); null if none did. */
export function changeWords(before: Priced, now: Priced): string | null {
  const { deposit, receive } = now.request;
  const sides = [
    { coin: deposit.coin, was: before.request.amount, is: now.request.amount, which: ' to send' },
    { coin: receive.coin, was: before.quote.receive, is: now.quote.receive, which: '' },
  ].filter(({ was, is }) => !sameAmount(was, is));
  const words = sides.map(
    ({ coin, was, is, which }) =>
      `reviewed ${was} ${coin}${which}, now ${is} ${coin} (${percentChange(was, is)})`,
  );
  return words.length === 0 ? null : words.join('; ');
}

/** The usage error `invalid_amount` for a price that got worse than tolerated when no one can be asked. */
export function fellTooFar(before: Priced, now: Priced): UsageError {
  const { tolerance, quote, request } = now;
  return new UsageError(
    `The price got worse by more than --tolerance (${tolerance}%): ${changeWords(before, now)}.`,
    'Nothing was sent. Run the same command again, or accept a larger change with --tolerance.',
    'invalid_amount',
    {
      reviewed: { deposit: before.request.amount, receive: before.quote.receive },
      now: { deposit: request.amount, receive: quote.receive },
      tolerance,
    },
  );
}
