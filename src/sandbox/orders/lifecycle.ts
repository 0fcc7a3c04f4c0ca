import { STATUS_CODES } from '../../core/partner-api/statuses.ts';
import {
  compareDecimals,
  productOf,
  sameAmount,
  shortenBound,
  significantPlaces,
} from '../../core/swap/amount.ts';
import { LATE_DEPOSIT_MS, SECOND_DEPOSIT_STOPS, TRANSITIONS, UNLISTED_STATUS } from '../state/assumptions.ts';
import type { DepositEvent, MoveVerb, Order, OrderAction, OrderEvent } from './order.ts';

const { NEW, CONFIRMATION, EXCHANGING, PAID_OUT, SUCCESS, OVERDUE, ERROR, PAUSE, FROZEN, REFUND } =
  STATUS_CODES;

/** One change of an order's status code. */
export interface Transition {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Everything about an order that depends on time. */
export type OrderState = ReturnType<typeof stateOf>;

interface Replay {
  status: number;
  since: number;
  deposit: DepositEvent | null;
  /** Whether the deposit is exchanged, and sets the amounts; one that came after the end is only shown. */
  isCounted: boolean;
  /** Time at which the deposit has all its confirmations. */
  depositSettledAt: number;
  payoutSentAt: number | null;
  payoutSettledAt: number;
  /** Status to return to after a pause or freeze. */
  heldFrom: number;
  /** Milliseconds of exchanging still to go. */
  exchangeLeft: number;
  transitions: Transition[];
}

/**
 * State of an order at a time: a pure function of the agreement, the events and the time; the agreement also has
 * the automatic actions of the order. Later events are ignored, and an event that the state does not allow changes nothing.
 */
export function orderStateAt(order: Order, events: readonly OrderEvent[], at: number): OrderState {
  const replay = newReplay(order);
  for (const event of withAutomaticEvents(order, events)) {
    if (event.at > at) break;
    runUntil(replay, order, event.at);
    if (event.kind === 'deposit') applyDeposit(replay, order, event);
    else applyMove(replay, order, event.kind, event.at);
  }
  runUntil(replay, order, at);
  return stateOf(replay, order, at);
}

/** Why an operator's verb is not possible in a state, or undefined if it is. */
export function moveProblem(state: OrderState, verb: MoveVerb): string | undefined {
  if (!isMovable(state.status, verb)) return `status ${state.status} does not allow it`;
  const pays = verb === 'resume' || verb === 'succeed';
  return pays && state.receiveAmount === null ? 'there is no price for what was deposited' : undefined;
}

function isMovable(status: number, verb: MoveVerb): boolean {
  if (verb === 'resume') return status === PAUSE || status === FROZEN;
  if (verb === 'succeed')
    return [CONFIRMATION, EXCHANGING, PAUSE, FROZEN, PAID_OUT].some((each) => each === status);
  return TRANSITIONS.get(status)?.includes(MOVE_TARGETS[verb]) === true;
}

const MOVE_TARGETS = { pause: PAUSE, freeze: FROZEN, fail: ERROR, refund: REFUND } as const;

function newReplay(order: Order): Replay {
  return {
    status: NEW,
    since: order.createdAt,
    deposit: null,
    isCounted: false,
    depositSettledAt: 0,
    payoutSentAt: null,
    payoutSettledAt: 0,
    heldFrom: CONFIRMATION,
    exchangeLeft: order.exchangeMs,
    transitions: [],
  };
}

function enter(replay: Replay, to: number, at: number): void {
  replay.transitions.push({ at, from: replay.status, to });
  replay.status = to;
  replay.since = at;
}

function runUntil(replay: Replay, order: Order, until: number): void {
  for (let due = nextDue(replay, order); due.at <= until; due = nextDue(replay, order)) {
    if (due.to === PAID_OUT) sendPayout(replay, order, due.at);
    enter(replay, due.to, due.at);
  }
}

function nextDue(replay: Replay, order: Order): { readonly at: number; readonly to: number } {
  switch (replay.status) {
    case NEW:
      return { at: order.createdAt + order.windowMs, to: OVERDUE };
    case CONFIRMATION:
      // The chain continues while a swap is held, so the confirmations may be complete when it resumes.
      return { at: Math.max(replay.depositSettledAt, replay.since), to: EXCHANGING };
    case EXCHANGING:
      return { at: replay.since + replay.exchangeLeft, to: PAID_OUT };
    case PAID_OUT:
      return { at: replay.payoutSettledAt, to: SUCCESS };
    default:
      return { at: Number.POSITIVE_INFINITY, to: replay.status };
  }
}

function sendPayout(replay: Replay, order: Order, at: number): void {
  replay.payoutSentAt = at;
  replay.payoutSettledAt = at + order.receive.confirmations * order.confirmationMs;
}

function applyDeposit(replay: Replay, order: Order, event: DepositEvent): void {
  const isWelcome = replay.status === OVERDUE && isWelcomeLate(order, event);
  // A deposit that came too late, or was too small then, does not block a later one that is acceptable.
  if (replay.deposit !== null && !isWelcome) {
    if (SECOND_DEPOSIT_STOPS.includes(replay.status)) hold(replay, PAUSE, event.at);
    return;
  }
  replay.deposit = event;
  replay.isCounted = replay.status === NEW || isWelcome;
  replay.depositSettledAt = event.at + order.deposit.confirmations * order.confirmationMs;
  if (replay.status === NEW) {
    enter(replay, CONFIRMATION, event.at);
    if (isBelowMinimum(order, event)) enter(replay, ERROR, event.at);
    else if (needsPerson(order, event)) hold(replay, PAUSE, event.at);
  } else if (isWelcome) enter(replay, CONFIRMATION, event.at);
}

function isBelowMinimum(order: Order, event: DepositEvent): boolean {
  return compareDecimals(event.amount, order.minAmount) < 0;
}

function needsPerson(order: Order, event: DepositEvent): boolean {
  if (event.receive === null) return true;
  return order.type === 'fixed' && !sameAmount(event.amount, order.deposit.amount);
}

function isWelcomeLate(order: Order, event: DepositEvent): boolean {
  if (order.actions?.moves.some(({ kind }) => kind === 'accept-late') === true) return false;
  const inTime = event.at <= order.createdAt + order.windowMs + LATE_DEPOSIT_MS;
  return order.type === 'float' && inTime && event.receive !== null && !isBelowMinimum(order, event);
}

function hold(replay: Replay, status: typeof PAUSE | typeof FROZEN, at: number): void {
  replay.heldFrom = replay.status;
  if (replay.status === EXCHANGING) replay.exchangeLeft -= at - replay.since;
  enter(replay, status, at);
}

function applyMove(replay: Replay, order: Order, verb: OrderAction, at: number): void {
  if (verb === 'succeed-unpaid' || verb === 'unknown-status') endWrongly(replay, verb, at);
  else if (verb === 'commission') keepCommission(replay, order);
  else if (verb === 'accept-late') acceptLate(replay, order, at);
  else if (moveProblem(stateOf(replay, order, at), verb) !== undefined) return;
  else if (verb === 'pause') hold(replay, PAUSE, at);
  else if (verb === 'freeze') hold(replay, FROZEN, at);
  else if (verb === 'resume') enter(replay, replay.heldFrom, at);
  else if (verb === 'fail') enter(replay, ERROR, at);
  else if (verb === 'refund') enter(replay, REFUND, at);
  else succeed(replay, order, at);
}

/** Outcomes that no service should have: a success whose payout was never sent, and an undocumented status. */
function endWrongly(replay: Replay, verb: 'succeed-unpaid' | 'unknown-status', at: number): void {
  if (replay.status !== CONFIRMATION && replay.status !== EXCHANGING) return;
  replay.depositSettledAt = Math.min(replay.depositSettledAt, at);
  enter(replay, verb === 'unknown-status' ? UNLISTED_STATUS : SUCCESS, at);
}

/** Keeps a twentieth of a payout, which is rounded down to as many decimals as the agreed one has. */
function keepCommission(replay: Replay, order: Order): void {
  const { deposit, status } = replay;
  if (deposit === null || deposit.receive === null || (status !== CONFIRMATION && status !== EXCHANGING))
    return;
  const places = significantPlaces(order.receive.amount);
  const receive = shortenBound(productOf([deposit.receive, '0.95']), places, 'down');
  replay.deposit = { ...deposit, receive };
}

/** Accepts a late deposit after all; it gets another confirmation, so that the status can be seen. */
function acceptLate(replay: Replay, { confirmationMs }: Order, at: number): void {
  const { deposit, status } = replay;
  if (status !== OVERDUE || deposit === null || deposit.receive === null) return;
  replay.isCounted = true;
  replay.depositSettledAt = Math.max(replay.depositSettledAt, at + confirmationMs);
  enter(replay, CONFIRMATION, at);
}

/** Takes the swap through all remaining statuses at one moment. */
function succeed(replay: Replay, order: Order, at: number): void {
  if (replay.status === PAUSE || replay.status === FROZEN) enter(replay, replay.heldFrom, at);
  if (replay.status === CONFIRMATION) enter(replay, EXCHANGING, at);
  if (replay.status === EXCHANGING) {
    sendPayout(replay, order, at);
    enter(replay, PAID_OUT, at);
  }
  replay.depositSettledAt = Math.min(replay.depositSettledAt, at);
  replay.payoutSettledAt = at;
  enter(replay, SUCCESS, at);
}

function stateOf(replay: Replay, order: Order, at: number) {
  const { deposit } = replay;
  return {
    status: replay.status,
    /** Time at which the status was entered. */
    since: replay.since,
    deposit: deposit && {
      amount: deposit.amount,
      txId: deposit.txId,
      ...onChain(deposit.at, replay.depositSettledAt, order.deposit.confirmations, order, at),
    },
    payout:
      replay.payoutSentAt === null
        ? null
        : onChain(replay.payoutSentAt, replay.payoutSettledAt, order.receive.confirmations, order, at),
    /** Effective amounts: a deposit other than the agreed one changes both. Null: no price for it. */
    depositAmount: deposit !== null && replay.isCounted ? deposit.amount : order.deposit.amount,
    receiveAmount: deposit !== null && replay.isCounted ? deposit.receive : order.receive.amount,
    /** Time at which the swap ended, null while it may continue. */
    endedAt: endOf(replay),
    transitions: replay.transitions as readonly Transition[],
  };
}

function onChain(seenAt: number, settledAt: number, needed: number, order: Order, at: number) {
  const firstAt = Math.min(seenAt + order.confirmationMs, settledAt);
  const counted = Math.floor((at - seenAt) / order.confirmationMs);
  return {
    seenAt,
    /** Time of the first confirmation, null before it. */
    confirmedAt: firstAt <= at && needed > 0 ? firstAt : null,
    confirmations: at >= settledAt ? needed : Math.min(counted, needed),
  };
}

function endOf(replay: Replay): number | null {
  if (replay.status === PAID_OUT || replay.status === SUCCESS) return replay.payoutSentAt ?? replay.since;
  return [OVERDUE, ERROR, REFUND].some((status) => status === replay.status) ? replay.since : null;
}

/**
 * The recorded events of an order and those that happen automatically, by time. A deposit of its own does not come where
 * another one came before, and what follows a deposit counts from the first that came.
 */
function withAutomaticEvents(order: Order, events: readonly OrderEvent[]): readonly OrderEvent[] {
  const { actions, createdAt } = order;
  if (actions === undefined) return events;
  const sent = events.find((event) => event.kind === 'deposit');
  const { deposit, moves } = actions;
  const own = deposit && { ...deposit, kind: 'deposit' as const, at: createdAt + deposit.after };
  const first = own !== null && (sent === undefined || own.at < sent.at) ? own : sent;
  if (first === undefined) return events;
  const following = moves.map(({ kind, after }): OrderEvent => ({ kind, at: first.at + after }));
  return [...(first === own ? [own] : []), ...following, ...events].toSorted((a, b) => a.at - b.at);
}
