import type { UnpricedSwap } from '../../../swaps/check.ts';
import type { Service } from '../../../swaps/ports.ts';
import type { Price } from '../../../swaps/price.ts';
import { priceSwap } from '../../../swaps/price.ts';

/** Prices that are kept, so that rows of the same amount share one quote. */
const MAX_KEPT = 1000;

/** Asks the service for the price of a swap. Throws as `priceSwap` does; `minReceive` is not checked. */
export function askPrice(service: Service, { request }: UnpricedSwap): Promise<Price> {
  return priceSwap({ ...request, service, asked: request.amount, minReceive: null });
}

/** What a quote depends on. */
export function questionKey({ request }: UnpricedSwap): string {
  const { deposit, receive, amount, lastSource, type } = request;
  return JSON.stringify([deposit, receive, amount, lastSource, type]);
}

/** Sets an entry as the newest, and drops the oldest beyond {@link MAX_KEPT}. */
export function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}
