import { UsageError } from '../../base/errors.ts';
import { STATUS_CODES, statusMeaning } from '../../core/partner-api/statuses.ts';
import { compareDecimals, productOf } from '../../core/swap/amount.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { depositAddress } from '../orders/deposit-address/deposit-address.ts';
import { moveProblem, orderStateAt } from '../orders/lifecycle.ts';
import type { OrderAction, OrderEvent } from '../orders/order.ts';
import { OrderRepository } from '../orders/repository.ts';
import {
  phaseAfterDeposit,
  SCENARIO_ENDS,
  type ScenarioEnd,
  type ScenarioName,
  sentAmount,
} from '../orders/scenario-ends.ts';
import { type NamedAsset, Pairs } from '../prices/pairs.ts';
import { LATE_DEPOSIT_MS } from '../state/assumptions.ts';
import { changeState } from '../state/state-row.ts';
import { refuseBeyondEnd } from './clock.ts';
import {
  arrivingDeposit,
  depositAsset,
  type OrderAt,
  type OrderTools,
  readOrderNow,
  retryOnConflict,
} from './orders.ts';

const { NEW, CONFIRMATION, EXCHANGING, PAID_OUT, OVERDUE, ERROR, PAUSE, FROZEN } = STATUS_CODES;

/** Time by which a late deposit misses its window, in milliseconds. */
const LATE_BY_MS = 60_000;

/** Beyond every transition of an order. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/** One step towards an end; time passes up to it first. */
type Step =
  | { readonly kind: 'deposit'; readonly sent: NonNullable<ScenarioEnd['deposit']> }
  | { readonly kind: 'move'; readonly move: OrderAction; readonly at: Moment }
  /** Time passes, and nothing else happens. */
  | { readonly kind: 'pass'; readonly to: Moment };

/** A phase of the swap, the end of its window, the time after all its transitions, or now. */
type Moment = 'exchanging' | 'exchanged' | 'later' | 'overdue' | 'settled' | 'now';

/**
 * Drives an order to an outcome immediately, advancing the clock if time has to pass. `onStep` is called after each
 * step, so that a client can poll. Throws UsageError, before anything is done, for an end that the order's state does
 * not allow.
 */
export async function drive(
  tools: OrderTools,
  orderNumber: string,
  scenario: ScenarioName,
  onStep: () => Promise<void>,
) {
  const catalogue = await tools.catalogue();
  const current = await tools.database.transaction((tx) => readOrderNow(tx, orderNumber, tools));
  let advanced = 0;
  for (const step of stepsTo(scenario, current)) {
    advanced += await takeStep(tools, catalogue, orderNumber, step);
    await onStep();
  }
  return { advanced };
}

/** The steps that lead an order from its state to an end. Throws UsageError if none do. */
function stepsTo(scenario: ScenarioName, current: OrderAt): readonly Step[] {
  const state = orderStateAt(current.order, current.events, current.now);
  const { status } = state;
  const { deposit, moves } = SCENARIO_ENDS[scenario];
  const onTheWay: Step[] = [
    { kind: 'pass', to: 'exchanging' },
    ...moves.map(({ kind, at }) => ({ kind: 'move', move: kind, at }) as const),
    { kind: 'pass', to: 'settled' },
  ];
  const refuse = (why: string): never => {
    const { status: word } = statusMeaning(status);
    throw new UsageError(
      `Order ${current.order.orderNumber} cannot be driven to "${scenario}": it is ${word} (${status}), and ${why}.`,
      'Leave --order out to create a new order for it.',
    );
  };
  const isHeld = status === PAUSE || status === FROZEN;
  if (scenario === 'lost-answer') return refuse('its create already got a response');
  if (status === NEW) {
    if (deposit === null) return [{ kind: 'pass', to: 'overdue' }];
    const late: Step[] = deposit === 'late' ? [{ kind: 'pass', to: 'overdue' }] : [];
    return [...late, { kind: 'deposit', sent: deposit }, ...onTheWay];
  }
  if (scenario === 'refund' && (isHeld || status === ERROR || status === OVERDUE)) {
    if (state.deposit === null) return refuse('there is no deposit to refund');
    return [{ kind: 'move', move: 'refund', at: 'now' }];
  }
  if (status === CONFIRMATION || status === EXCHANGING)
    return deposit === 'exact' ? onTheWay : refuse('its deposit has arrived');
  if (scenario === 'success' && status === PAID_OUT) return [{ kind: 'pass', to: 'settled' }];
  if (scenario === 'success' && isHeld) {
    const problem = moveProblem(state, 'resume');
    if (problem !== undefined) return refuse(problem);
    return [
      { kind: 'move', move: 'resume', at: 'now' },
      { kind: 'pass', to: 'settled' },
    ];
  }
  if (scenario === 'late-deposit' && status === OVERDUE && state.deposit === null) {
    const { createdAt, windowMs } = current.order;
    return current.now <= createdAt + windowMs + LATE_DEPOSIT_MS
      ? [{ kind: 'deposit', sent: 'late' }, ...onTheWay]
      : refuse('deposits are no longer accepted');
  }
  return refuse('it can no longer get there');
}

/** Lets time pass up to a step and takes it, in one transaction. Returns by how much the clock was set forward. */
function takeStep(tools: OrderTools, catalogue: Catalogue, orderNumber: string, step: Step): Promise<number> {
  return retryOnConflict(() =>
    tools.database.transaction(async (tx) => {
      const current = await readOrderNow(tx, orderNumber, tools);
      const at = timeOf(step, current);
      const advanced = Math.max(0, at - current.now);
      if (advanced > 0) {
        const row = await changeState(tx, { clock_offset: advanced, revision: 1 });
        refuseBeyondEnd(row, tools.wallClock());
      }
      const event = await eventOf(step, { ...current, now: at }, catalogue);
      if (event !== null) await new OrderRepository(tx).append(current, event);
      return advanced;
    }),
  );
}

async function eventOf(step: Step, at: OrderAt, catalogue: Catalogue): Promise<OrderEvent | null> {
  if (step.kind === 'pass') return null;
  if (step.kind === 'move') return { kind: step.move, at: at.now };
  const { decimals } = depositAsset(catalogue, at.order);
  return arrivingDeposit(catalogue, at, sentAmount(at.order.deposit.amount, step.sent, decimals));
}

/**
 * Time of a step: not before now, except for a move whose phase passed while the machine was slow. It then still
 * happens at its phase, unless something was recorded since.
 */
function timeOf(step: Step, current: OrderAt): number {
  const { order, events, now } = current;
  if (step.kind === 'deposit')
    return step.sent === 'late' ? Math.max(now, order.createdAt + order.windowMs + LATE_BY_MS) : now;
  const moment = step.kind === 'move' ? step.at : step.to;
  const due = dueAt(moment, current);
  if (due >= now || step.kind === 'pass') return Math.max(due, now);
  const stillFits = orderStateAt(order, events, now).status === orderStateAt(order, events, due).status;
  return stillFits ? now : Math.max(due, events.at(-1)?.at ?? order.createdAt);
}

function dueAt(moment: Moment, { order, events, now }: OrderAt): number {
  if (moment === 'now') return now;
  if (moment === 'overdue') return order.createdAt + order.windowMs;
  if (moment === 'settled')
    return orderStateAt(order, events, FOREVER).transitions.at(-1)?.at ?? order.createdAt;
  const { deposit, transitions } = orderStateAt(order, events, now);
  // A swap that was held or came late counts its phases from when it was confirmed.
  const entered = transitions.findLast(({ to }) => to === CONFIRMATION)?.at ?? deposit?.seenAt ?? now;
  return Math.max(deposit?.seenAt ?? now, entered) + phaseAfterDeposit(order, moment);
}

/** How many times the smallest amount is swapped: some hundred dollars. */
const TIMES_MINIMUM = '10';

/** A swap of two coins, each on its usual network unless one is named; undefined if one of them cannot be swapped. */
export async function sampleSwap(catalogue: Catalogue, seed: number, from: NamedAsset, to: NamedAsset) {
  const pair = new Pairs(catalogue).find(from, to);
  if (pair === undefined) return undefined;
  const { address, memo } = depositAddress(pair.to, 'payout', seed);
  const { min, max } = pair.terms.bounds;
  const wanted = productOf([min, TIMES_MINIMUM]);
  return {
    from: { coin: pair.from.coin, network: pair.from.network },
    to: { coin: pair.to.coin, network: pair.to.network },
    amount: compareDecimals(wanted, max) > 0 ? max : wanted,
    address,
    memo: memo === '' ? null : memo,
  };
}
