import type { Context } from '../../context.ts';
import type { CheckedSwap } from '../shared/create/check.ts';
import { isOlderThan } from '../shared/create/price.ts';
import { changeWords, hasWorsened, MAX_QUOTE_AGE_MS } from '../shared/create/price-moved.ts';
import { askPrice } from './draft.ts';

/** A draft at the price of this moment. */
export interface Repriced {
  readonly draft: CheckedSwap;
  /** It is worse than the draft before by more than the tolerance, and has to be asked about again. */
  readonly worse: boolean;
}

/**
 * Prices a draft again where its quote is older than 15 s, and notes what changed; null where the quote still stands.
 * Throws as `priceSwap` does.
 */
export async function repriced(context: Context, before: CheckedSwap): Promise<Repriced | null> {
  if (!isOlderThan(context, before.quotedAt, MAX_QUOTE_AGE_MS)) return null;
  const { service, request, asked, minReceive } = before;
  const { quote, amount, quotedAt } = await askPrice(context, { ...request, service, asked, minReceive });
  const priced: CheckedSwap = { ...before, quote, quotedAt, request: { ...request, amount } };
  const words = changeWords(before, priced);
  const worse = hasWorsened(before, priced);
  // A worse price is reviewed anew.
  const draft = worse ? { ...priced, reviewed: quote.receive } : priced;
  if (words !== null && worse) await context.streams.warn(`the price has changed: ${words}.`);
  else if (words !== null) context.streams.note(`The price has changed: ${words}.`, true);
  return { draft, worse };
}
