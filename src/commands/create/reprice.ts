import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { sameAmount } from '../../swap/amount.ts';
import { fellBeyond, percentChange, roseBeyond } from '../../swap/price-change.ts';
import type { CheckedSwap } from './draft.ts';
import { isOlderThan, priceSwap } from './price.ts';

/** Age up to which a quote stands, in milliseconds: after that its price may be gone. */
const MAX_QUOTE_AGE_MS = 15_000;

/** A draft at the price of this moment. */
export interface Repriced {
  readonly draft: CheckedSwap;
  /** It is worse than the draft before by more than the tolerance, and has to be asked about again. */
  readonly worse: boolean;
}

/**
 * Prices a draft again where its quote is older than 15 s, and notes what changed; null where the quote still stands.
 * Throws as {@link priceSwap} does.
 */
export async function repriced(context: Context, before: CheckedSwap): Promise<Repriced | null> {
  if (!isOlderThan(context, before.quotedAt, MAX_QUOTE_AGE_MS)) return null;
  const { service, request, asked, minReceive } = before;
  const price = await priceSwap(context, { ...request, service, asked, minReceive });
  const { quote, amount, quotedAt } = price;
  const draft: CheckedSwap = { ...before, quote, quotedAt, request: { ...request, amount } };
  const words = changeWords(before, draft);
  const worse =
    fellBeyond(before.quote.receive, quote.receive, before.tolerance) ||
    roseBeyond(before.request.amount, amount, before.tolerance);
  if (words !== null && worse) await context.streams.warn(`the price has changed: ${words}.`);
  else if (words !== null) context.streams.note(`The price has changed: ${words}.`, true);
  return { draft, worse };
}

/** The reviewed amount and the present one of each side that changed: the payout, and with `--receive` the deposit. */
function changeWords(before: CheckedSwap, now: CheckedSwap): string | null {
  const { deposit, receive } = now.request;
  const sides = [
    { coin: deposit.coin, was: before.request.amount, is: now.request.amount, which: ' to send' },
    { coin: receive.coin, was: before.quote.receive, is: now.quote.receive, which: '' },
  ].filter(({ was, is }) => !sameAmount(was, is));
  if (sides.length === 0) return null;
  return sides
    .map(
      ({ coin, was, is, which }) =>
        `reviewed ${was} ${coin}${which}, now ${is} ${coin} (${percentChange(was, is)})`,
    )
    .join('; ');
}

/** The error for a price that got worse where there is no terminal to ask on. */
export function fellTooFar(before: CheckedSwap, now: CheckedSwap): UsageError {
  const { tolerance, quote, request } = now;
  return new UsageError(
    `The price got worse by more than the ${tolerance} % of --tolerance while the swap was prepared: ${changeWords(before, now)}.`,
    'Nothing was sent. Run it again, or accept a larger change with --tolerance.',
    'invalid_amount',
    {
      reviewed: { deposit: before.request.amount, receive: before.quote.receive },
      now: { deposit: request.amount, receive: quote.receive },
      tolerance,
    },
  );
}
