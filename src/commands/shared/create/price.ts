import { UsageError } from '../../../errors.ts';
import type { Decimal } from '../../../swap/amount.ts';
import { compareDecimals, shortenBound } from '../../../swap/amount.ts';
import { tooManyDecimals } from '../../../swap/decimals.ts';
import type { Asset, Quote, RateType, Side } from '../../../swap/swap.ts';
import type { Quoting } from '../pair/limits.ts';
import { checkBounds } from '../pair/limits.ts';
import { askWithBounds } from '../pair/quote-pair.ts';

/** Input of {@link priceSwap}, its coins and networks spelled as the service spells them. */
export interface PriceQuestion {
  readonly service: Quoting;
  readonly deposit: Asset;
  readonly receive: Asset;
  /** The amount of the side that `lastSource` names. */
  readonly asked: Decimal;
  readonly lastSource: Side;
  readonly type: RateType;
  readonly minReceive: Decimal | null;
}

/** A price that passed every check. */
export interface Price {
  readonly quote: Quote;
  /** Deposit: with `--receive` the quote's amount, rounded up to the decimals of its network. */
  readonly amount: Decimal;
}

/**
 * Prices a swap and checks bounds and `--min-receive`; the client has checked the figures. Throws `bad_response`,
 * `amount_below_min`, `amount_above_max`, `invalid_amount` or the service's refusal.
 */
export async function priceSwap(question: PriceQuestion): Promise<Price> {
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

/**
 * Refuses a quote that gives less than the wanted minimum; `source` says where that stands. Throws `invalid_amount`.
 */
export function checkLeast(
  quote: Pick<Quote, 'receive'>,
  { receive, minReceive }: Pick<PriceQuestion, 'receive' | 'minReceive'>,
  source = '--min-receive',
): void {
  if (minReceive === null || compareDecimals(quote.receive, minReceive) >= 0) return;
  throw new UsageError(
    `The quote gives ${quote.receive} ${receive.coin}, less than the ${minReceive} of ${source}.`,
    'Nothing was sent. Try again later, or accept less.',
    'invalid_amount',
    { receive: quote.receive, minReceive },
  );
}
