import type { Kysely } from 'kysely';
import { notListed, UsageError } from '../../base/errors.ts';
import { UniqueViolationError } from '../../core/database/failures.ts';
import { STATUS_CODES, statusMeaning } from '../../core/partner-api/statuses.ts';
import {
  checkAmount,
  type Decimal,
  fromSmallestUnit,
  significantPlaces,
  toSmallestUnit,
} from '../../core/swap/amount.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { SandboxAsset } from '../catalogue/coin.ts';
import { depositTxId } from '../orders/deposit-address/deposit-address.ts';
import { moveProblem, type OrderState, orderStateAt } from '../orders/lifecycle.ts';
import type { OrderNumbers } from '../orders/number.ts';
import {
  type DepositEvent,
  MOVES,
  type MoveVerb,
  type Order,
  type OrderEvent,
  type RecordedOrder,
} from '../orders/order.ts';
import { OrderRepository } from '../orders/repository.ts';
import { payoutOf } from '../prices/pairs.ts';
import type { SandboxSchema } from '../state/schema.ts';
import { changeState, virtualTime } from '../state/state-row.ts';
import type { ClockTools } from './clock.ts';

const MAX_ATTEMPTS = 20;

/** Everything that the verbs on orders work with. */
export interface OrderTools extends ClockTools {
  /** Not to be called inside a transaction: it would wait for that transaction. */
  readonly catalogue: () => Promise<Catalogue>;
  readonly orderNumbers: OrderNumbers;
}

/** An order with clock and seed, all read in the transaction of a verb. */
export interface OrderAt extends RecordedOrder {
  readonly now: number;
  readonly seed: number;
}

/** Makes a deposit arrive; the agreed amount unless another is given. */
export async function deposit(tools: OrderTools, orderNumber: string, amount: Decimal | undefined) {
  const catalogue = await tools.catalogue();
  return record(tools, orderNumber, async (current) => {
    const sent = amount ?? current.order.deposit.amount;
    refuseAmount(sent, depositAsset(catalogue, current.order).decimals);
    return arrivingDeposit(catalogue, current, sent);
  });
}

/** A deposit of an amount that arrives now. Throws UsageError if the catalogue lacks its coin. */
export async function arrivingDeposit(
  catalogue: Catalogue,
  current: OrderAt,
  amount: Decimal,
): Promise<DepositEvent> {
  const { order, events, now, seed } = current;
  const asset = depositAsset(catalogue, order);
  const count = events.filter((event) => event.kind === 'deposit').length + 1;
  return {
    kind: 'deposit',
    at: now,
    amount,
    receive: payoutOf(catalogue, current, amount),
    txId: depositTxId(asset, order.orderNumber, seed, count),
  };
}

/** The asset in which an order is paid. Throws UsageError if the catalogue no longer has it. */
export function depositAsset(catalogue: Catalogue, order: Order): SandboxAsset {
  const asset = catalogue.findAsset(order.deposit.coin, order.deposit.network, 'deposit');
  if (asset !== undefined) return asset;
  const { coin, network } = order.deposit;
  throw new UsageError(
    `The catalog no longer has ${coin} on ${network}, so no deposit can arrive.`,
    'Use the catalog that the order was created with.',
  );
}

/** Applies an operator's verb to an order. Throws UsageError if the order's state does not allow it. */
export function move(tools: OrderTools, orderNumber: string, verb: MoveVerb): Promise<OrderAt> {
  return record(tools, orderNumber, async ({ order, events, now }) => {
    const state = orderStateAt(order, events, now);
    const problem = moveProblem(state, verb);
    if (problem !== undefined) {
      const { status } = statusMeaning(state.status);
      const allowed = allowedMoves(state);
      const none =
        state.status === STATUS_CODES.NEW
          ? 'No move is allowed before its deposit: swapctl sandbox deposit <order>'
          : 'No move is allowed in this state.';
      throw new UsageError(
        `Order ${orderNumber} cannot be moved by "${verb}": it is ${status} (${state.status}), and ${problem}.`,
        allowed.length > 0 ? `Allowed now: ${allowed.join(', ')}.` : none,
      );
    }
    return { kind: verb, at: now };
  });
}

function allowedMoves(state: OrderState): readonly MoveVerb[] {
  return MOVES.filter((verb) => moveProblem(state, verb) === undefined);
}

/** Adds one event in a transaction. */
function record(tools: OrderTools, orderNumber: string, next: (current: OrderAt) => Promise<OrderEvent>) {
  return retryOnConflict(() =>
    tools.database.transaction(async (tx) => {
      const current = await readOrderNow(tx, orderNumber, tools);
      const event = await next(current);
      await new OrderRepository(tx).append(current, event);
      return { ...current, events: [...current.events, event] };
    }),
  );
}

/**
 * Runs work that adds an event. Event positions are unique, so of two verbs at the same moment the second one fails,
 * reads the order again and retries: each transition happens once.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UniqueViolationError) || tries >= MAX_ATTEMPTS) throw error;
    }
  }
}

/** An order in its current state, read in a transaction. Throws `not_found`. */
export async function readOrderNow(
  tx: Kysely<SandboxSchema>,
  orderNumber: string,
  { orderNumbers, wallClock }: OrderTools,
): Promise<OrderAt> {
  // Locks the state: on PostgreSQL a load could come between this and what follows.
  const state = await changeState(tx, {});
  const sequence = orderNumbers.sequenceOf(orderNumber);
  const found = sequence === undefined ? undefined : await new OrderRepository(tx).find(sequence);
  if (found === undefined) throw notListed(`The sandbox has no order ${orderNumber}.`, 'sandbox orders');
  const latest = found.events.at(-1)?.at ?? found.order.createdAt;
  return { ...found, now: Math.max(virtualTime(state, wallClock()), latest), seed: state.seed };
}

function refuseAmount(amount: Decimal, decimals: number): void {
  const verdict = checkAmount(amount);
  if (verdict.ok && significantPlaces(amount) <= decimals) return;
  const problem = verdict.ok
    ? `The amount has more decimals than the coin: ${decimals} at most.`
    : `Invalid amount: ${verdict.reason}.`;
  throw new UsageError(problem, undefined, 'invalid_amount');
}

/** What an operator can do to an order in its current state. */
export type OrderChoices = Awaited<ReturnType<typeof orderWithChoices>>['choices'];

/** Reads an order with what can be done to it. Throws `not_found`. */
export async function orderWithChoices(tools: OrderTools, orderNumber: string) {
  const current = await readOrderNow(tools.database.kysely, orderNumber, tools);
  const { order, events, now } = current;
  const state = orderStateAt(order, events, now);
  const { coin, network, amount } = order.deposit;
  const asset = (await tools.catalogue()).findAsset(coin, network, 'deposit');
  const share = (halves: bigint): Decimal | null => {
    if (asset === undefined) return null;
    const units = (toSmallestUnit(amount, asset.decimals) * halves) / 2n;
    return units === 0n ? null : fromSmallestUnit(units, asset.decimals);
  };
  return {
    ...current,
    choices: {
      moves: allowedMoves(state),
      /** The agreed deposit, half of it, and one and a half; the last two only where the coin has the decimals. */
      amounts: { exact: amount, less: share(1n), more: share(3n) },
      /** Milliseconds until its deposit window ends; 0 once it has ended. */
      windowLeft: Math.max(0, order.createdAt + order.windowMs - now),
    },
  };
}
