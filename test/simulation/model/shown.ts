import type { Labels } from '../../../src/core/swap/labels.ts';
import type { SwapInput } from '../../../src/core/swaps/check.ts';
import { sameNumber } from './decimals.ts';
import type { OrderSide, TrueOrder } from './order.ts';

/** A swap that somebody wants once. */
export interface Job {
  readonly id: string;
  readonly asked: SwapInput;
  /** Value of the label `team`. */
  readonly team?: string | null;
  /** Has no label of its own: equal rows of a list are then one payment. */
  readonly isUnlabelled?: boolean;
  /** Key of its row in a batch. */
  readonly rowKey?: string;
}

/** Labels by which the ledger has it. */
export function labelsOf({ id, team = null, isUnlabelled = false }: Job): Labels {
  return { ...(isUnlabelled ? {} : { job: id }), ...(team === null ? {} : { team }) };
}

/** A swap as a person or a program is shown it. */
export interface ShownSwap {
  readonly order: string | null;
  readonly fundable: boolean;
  readonly final: boolean;
  readonly type: string | null;
  readonly deposit: Partial<OrderSide> | { readonly [name in keyof OrderSide]: string | null };
  readonly receive: { readonly [name in keyof OrderSide]: string | null };
}

/**
 * Why a swap must not be shown as fundable, as a clause; null where it may. It has to be what the service has and what was
 * agreed, and still have been waiting for its deposit at a time of the world.
 */
export function shownProblem(
  swap: ShownSwap,
  truth: TrueOrder | undefined,
  job: Job | undefined,
  since: number,
): string | null {
  if (truth === undefined) return 'but the service has no such order';
  if (truth.begunAt < since)
    return `but it has not been waiting for its deposit since ${Math.round(truth.begunAt / 1000)} s`;
  return otherThanTrue(swap, truth) ?? (job === undefined ? null : otherThanAgreed(job, truth));
}

/** How an order is shown otherwise than it is, as a clause; null if it is right. */
export function otherThanTrue(swap: Pick<ShownSwap, 'deposit' | 'receive'>, truth: TrueOrder): string | null {
  for (const side of ['deposit', 'receive'] as const)
    for (const field of ['coin', 'network', 'address', 'memo'] as const)
      if ((swap[side][field] ?? null) !== truth[side][field])
        return `with ${side} ${field} ${swap[side][field]} where the order has ${truth[side][field]}`;
  return sameNumber(swap.deposit.amount ?? null, truth.deposit.amount)
    ? null
    : `for ${swap.deposit.amount} where the order takes ${truth.deposit.amount}`;
}

/** How an order is not the swap that was wanted, as a clause; null if it is. */
export function otherThanAgreed({ asked }: Job, truth: TrueOrder): string | null {
  const { from, to, address, memo, type, amount, lastSource, refundAddress } = asked;
  if (truth.deposit.coin !== from.coin || truth.receive.coin !== to.coin)
    return 'with other coins than agreed';
  if (truth.deposit.network !== from.network || truth.receive.network !== to.network)
    return 'on other networks than agreed';
  if (truth.receive.address !== address) return `paying to ${truth.receive.address} in place of ${address}`;
  if (truth.receive.memo !== memo) return `paying with memo ${truth.receive.memo} in place of ${memo}`;
  if (truth.type !== type) return `at a ${truth.type} rate in place of ${type}`;
  const refund = /"refundAddress":"([^"]+)"/.exec(truth.post.body)?.[1] ?? null;
  // Someone may have changed it since.
  if (truth.refunds.length === 0 && refund !== refundAddress)
    return `with refunds to ${refund} in place of ${refundAddress}`;
  return lastSource === 'receive' || sameNumber(truth.deposit.amount, amount)
    ? null
    : `for ${truth.deposit.amount} in place of ${amount}`;
}
