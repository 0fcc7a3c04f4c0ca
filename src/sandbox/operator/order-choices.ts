import type { Decimal } from '../../swap/amount.ts';
import { fromSmallestUnit, toSmallestUnit } from '../../swap/amount.ts';
import { orderStateAt } from '../orders/lifecycle.ts';
import type { MoveVerb } from '../orders/order.ts';
import type { OrderVerbs, VerbResult } from './orders.ts';
import { allowedMoves, readOrderAt } from './orders.ts';

/** What an operator can do to an order as it stands. */
export interface OrderChoices {
  readonly moves: readonly MoveVerb[];
  /** The agreed deposit, half of it, and one and a half; the last two only where the coin has the decimals. */
  readonly amounts: { readonly exact: Decimal; readonly less: Decimal | null; readonly more: Decimal | null };
  /** Milliseconds until its time for the deposit is over; 0 where it is. */
  readonly windowLeft: number;
}

/** Reads an order with what can be done to it. Throws `not_found`. */
export async function orderWithChoices(
  verbs: OrderVerbs,
  orderNumber: string,
): Promise<VerbResult & { readonly choices: OrderChoices }> {
  const { order, events, now } = await readOrderAt(verbs.database.kysely, orderNumber, verbs);
  const state = orderStateAt(order, events, now);
  const { coin, network, amount } = order.deposit;
  const asset = (await verbs.catalogue()).findAsset(coin, network, 'deposit');
  const share = (halves: bigint): Decimal | null => {
    if (asset === undefined) return null;
    const units = (toSmallestUnit(amount, asset.decimals) * halves) / 2n;
    return units === 0n ? null : fromSmallestUnit(units, asset.decimals);
  };
  return {
    recorded: { order, events },
    now,
    choices: {
      moves: allowedMoves(state),
      amounts: { exact: amount, less: share(1n), more: share(3n) },
      windowLeft: Math.max(0, order.createdAt + order.windowMs - now),
    },
  };
}
