import type { Context } from '../../context.ts';
import { type CheckedSwap, checkSwap, withPrice } from '../../swaps/check.ts';
import { type Price, type PriceQuestion, priceSwap } from '../../swaps/price.ts';
import { withProgress } from '../../terminal/progress.ts';
import { fetchedCoins } from '../shared/asset.ts';
import type { CompleteFlags } from './options.ts';
import { refuseSavedElsewhere } from './saved.ts';

/** Checks codes, networks, amounts, addresses and memo, and prices the swap. Nothing that changes state is sent. */
export async function draftSwap(context: Context, flags: CompleteFlags): Promise<CheckedSwap> {
  const coins = await fetchedCoins(context);
  await refuseSavedElsewhere(context, flags);
  const verdict = await checkSwap(coins, (await context.profile()).environment, flags);
  if (!verdict.ok) throw verdict.problems[0]?.error ?? new TypeError('A refused swap has no problem.');
  const service = await context.service();
  const { request, minReceive } = verdict.swap;
  const price = await askPrice(context, { ...request, service, asked: request.amount, minReceive });
  return withPrice(service, verdict.swap, price);
}

/** {@link priceSwap}, with progress shown during this time. */
export function askPrice(context: Context, question: PriceQuestion): Promise<Price> {
  return withProgress(context.streams, 'Getting a quote', () => priceSwap(question));
}
