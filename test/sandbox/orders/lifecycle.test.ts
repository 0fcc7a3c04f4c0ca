import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveProblem, type OrderState, orderStateAt } from '../../../src/sandbox/orders/lifecycle.ts';
import {
  type AutomaticActions,
  MOVES,
  type Order,
  type OrderEvent,
} from '../../../src/sandbox/orders/order.ts';
import { DEPOSIT_WINDOW_MS, LATE_DEPOSIT_MS, TRANSITIONS } from '../../../src/sandbox/state/assumptions.ts';
import { words } from '../../helpers/words.ts';

const MINUTE = 60_000;
const OVERDUE = 5;

function order(changes: Partial<Order> = {}): Order {
  const type = changes.type ?? 'float';
  const side = { name: 'Coin', address: 'a', memo: '', fee: '0' };
  return {
    orderNumber: 'ABCDEF',
    sequence: 1,
    partnerKey: 'key',
    type,
    deposit: { ...side, coin: 'BTC', network: 'BTC', amount: '0.1', confirmations: 2 },
    receive: { ...side, coin: 'ETH', network: 'ETH', amount: '2.8', confirmations: 3 },
    minAmount: '0.001',
    refundAddress: '',
    createdAt: 0,
    windowMs: DEPOSIT_WINDOW_MS[type],
    confirmationMs: 2000,
    exchangeMs: 5000,
    ...changes,
  };
}

const arrived = (at: number, amount = '0.1', receive: string | null = '2.8'): OrderEvent => ({
  kind: 'deposit',
  at,
  amount,
  receive,
  txId: `tx${at}`,
});

const path = (state: OrderState): readonly number[] => [9, ...state.transitions.map(({ to }) => to)];

describe('a sandbox order', () => {
  it('goes from new to success after the exact deposit', () => {
    const at = (time: number) => orderStateAt(order(), [arrived(1000)], time);
    expect(at(999)).toMatchObject({ status: 9, deposit: null, payout: null });
    expect(at(1000)).toMatchObject({ status: 1, deposit: { confirmations: 0, confirmedAt: null } });
    expect(at(3000)).toMatchObject({ status: 1, deposit: { confirmations: 1, confirmedAt: 3000 } });
    expect(at(5000)).toMatchObject({ status: 3, since: 5000, deposit: { confirmations: 2 } });
    expect(at(9999).status).toBe(3);
    expect(at(10_000)).toMatchObject({ status: 12, endedAt: 10_000, payout: { confirmations: 0 } });
    expect(at(12_000)).toMatchObject({ status: 12, payout: { confirmations: 1, confirmedAt: 12_000 } });
    const paid = { since: 16_000, endedAt: 10_000, payout: { confirmations: 3 } };
    expect(at(16_000)).toMatchObject({ status: 4, ...paid });
    expect(path(at(99_000))).toEqual([9, 1, 3, 12, 4]);
  });

  it('becomes overdue after 20 minutes if fixed and after 30 if floating', () => {
    const fixed = order({ type: 'fixed' });
    expect(orderStateAt(fixed, [], 20 * MINUTE - 1).status).toBe(9);
    expect(orderStateAt(fixed, [], 20 * MINUTE)).toMatchObject({ status: 5, endedAt: 20 * MINUTE });
    expect(orderStateAt(order(), [], 30 * MINUTE - 1).status).toBe(9);
    expect(orderStateAt(order(), [], 30 * MINUTE).status).toBe(5);
  });

  it('accepts a late deposit only if floating, within ninety minutes and at the current price', () => {
    const late = 30 * MINUTE + LATE_DEPOSIT_MS;
    const revived = (at: number) => orderStateAt(order(), [arrived(late, '0.1', '2.7')], at);
    expect(revived(late)).toMatchObject({ status: 1, receiveAmount: '2.7', endedAt: null });
    expect(path(revived(late + MINUTE))).toEqual([9, 5, 1, 3, 12, 4]);
    expect(orderStateAt(order(), [arrived(late + 1)], late + 1).status).toBe(5);
    const fixed = orderStateAt(order({ type: 'fixed' }), [arrived(21 * MINUTE)], 25 * MINUTE);
    expect(fixed).toMatchObject({ status: 5, deposit: { confirmations: 2 } });
    expect(orderStateAt(order(), [arrived(31 * MINUTE, '0.0009', null)], 31 * MINUTE).status).toBe(5);
  });

  it('fails for a deposit below the minimum', () => {
    const state = orderStateAt(order(), [arrived(5, '0.0009', null)], 6);
    expect(path(state)).toEqual([9, 1, 6]);
    expect(state).toMatchObject({ endedAt: 5, depositAmount: '0.0009' });
  });

  it('is paused by an inexact deposit if fixed, and by a deposit without a price', () => {
    for (const amount of ['0.0999', '0.1001'])
      expect(path(orderStateAt(order({ type: 'fixed' }), [arrived(5, amount)], 5))).toEqual([9, 1, 10]);
    expect(path(orderStateAt(order(), [arrived(5, '9', null)], 5))).toEqual([9, 1, 10]);
    expect(orderStateAt(order({ type: 'fixed' }), [arrived(5, '0.100')], 5).status).toBe(1);
  });

  it('continues with another deposit amount at the current price if floating', () => {
    const state = orderStateAt(order(), [arrived(5, '0.2', '5.5')], 5);
    expect(state).toMatchObject({ status: 1, depositAmount: '0.2', receiveAmount: '5.5' });
  });

  it('is paused by a second deposit unless it has ended', () => {
    expect(path(orderStateAt(order(), [arrived(5), arrived(6)], 7))).toEqual([9, 1, 10]);
    expect(orderStateAt(order(), [arrived(5), arrived(MINUTE)], MINUTE).status).toBe(4);
  });

  it('gains confirmations but no exchange time while it is on hold', () => {
    const paused: OrderEvent = { kind: 'pause', at: 1000 };
    const resumed: OrderEvent = { kind: 'resume', at: 60_000 };
    const state = orderStateAt(order(), [arrived(0), paused, resumed], 60_000);
    expect(path(state)).toEqual([9, 1, 10, 1, 3]);
    const inExchange = [arrived(0), { kind: 'freeze', at: 6000 }, { kind: 'resume', at: 60_000 }] as const;
    expect(orderStateAt(order(), inExchange, 62_999).status).toBe(3);
    expect(path(orderStateAt(order(), inExchange, 63_000))).toEqual([9, 1, 3, 11, 3, 12]);
  });

  it('reaches success immediately by the move succeed', () => {
    const state = orderStateAt(order(), [arrived(0), { kind: 'succeed', at: 10 }], 10);
    expect(path(state)).toEqual([9, 1, 3, 12, 4]);
    expect(state.deposit).toMatchObject({ confirmations: 2, confirmedAt: 10 });
    expect(state.payout).toMatchObject({ confirmations: 3, confirmedAt: 10 });
  });

  it('cannot be resumed if its deposit has no price', () => {
    const state = orderStateAt(order(), [arrived(5, '9', null)], 5);
    expect(moveProblem(state, 'resume')).toBe('there is no price for what was deposited');
    expect(moveProblem(state, 'refund')).toBeUndefined();
  });
});

describe('the state of a sandbox order', () => {
  const history = fc
    .array(
      fc.record({
        gap: fc.oneof(fc.constant(0), fc.nat({ max: 9000 }), fc.nat({ max: 90 * MINUTE })),
        kind: fc.constantFrom('deposit' as const, 'deposit' as const, ...MOVES),
        amount: fc.constantFrom('0.1', '0.1', '0.05', '0.0001', '0.2', '9'),
      }),
      { maxLength: 8 },
    )
    .map((steps) => {
      let at = 0;
      return steps.map(({ gap, kind, amount }): OrderEvent => {
        at += gap;
        if (kind !== 'deposit') return { kind, at };
        return arrived(at, amount, amount === '9' || amount === '0.0001' ? null : '2.8');
      });
    });
  const anyOrder = fc
    .record({
      type: fc.constantFrom('fixed' as const, 'float' as const),
      confirmationMs: fc.integer({ min: 1, max: 4000 }),
      exchangeMs: fc.integer({ min: 1, max: 9000 }),
    })
    .map((changes) => order(changes));
  const time = fc.integer({ min: 0, max: 6 * 60 * MINUTE });
  const soon = fc.integer({ min: 0, max: MINUTE });
  const automatic = fc.constantFrom(
    ...words('pause freeze resume fail refund succeed-unpaid unknown-status'),
  );
  const actions = fc
    .record({
      deposit: fc.option(soon, { nil: null }),
      moves: fc.array(fc.record({ kind: automatic, after: soon }), { maxLength: 4 }),
    })
    .map(({ deposit, moves }) => ({
      deposit: deposit === null ? null : { after: deposit, amount: '0.1', receive: '2.8', txId: 'automatic' },
      moves: moves.toSorted((a, b) => a.after - b.after),
    })) as fc.Arbitrary<AutomaticActions>;
  const scripted = fc.tuple(anyOrder, actions).map(([own, chosen]): Order => ({ ...own, actions: chosen }));

  it('changes only along the allowed transitions, in order of time, and in any with automatic actions', () => {
    fc.assert(
      fc.property(fc.oneof(anyOrder, scripted), history, time, (agreed, events, at) => {
        const { transitions, status } = orderStateAt(agreed, events, at);
        let previous = { to: 9, at: 0 };
        for (const transition of transitions) {
          expect(transition.from).toBe(previous.to);
          if (agreed.actions === undefined) expect(TRANSITIONS.get(transition.from)).toContain(transition.to);
          expect(transition.at).toBeGreaterThanOrEqual(previous.at);
          previous = transition;
        }
        expect(status).toBe(previous.to);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps its earlier transitions as time passes, with automatic actions too', () => {
    fc.assert(
      fc.property(fc.oneof(anyOrder, scripted), history, time, time, (agreed, events, a, b) => {
        const [earlier, later] = a < b ? [a, b] : [b, a];
        const before = orderStateAt(agreed, events, earlier);
        const after = orderStateAt(agreed, events, later);
        expect(after.transitions.slice(0, before.transitions.length)).toEqual(before.transitions);
        // An overdue order shows a rejected deposit until an accepted one arrives.
        if (before.deposit !== null && before.status !== OVERDUE) {
          expect(after.deposit?.confirmations).toBeGreaterThanOrEqual(before.deposit.confirmations);
          expect(after.deposit?.txId).toBe(before.deposit.txId);
        }
        if (before.payout !== null) {
          expect(after.payout?.confirmations).toBeGreaterThanOrEqual(before.payout.confirmations);
          expect(after.payout?.seenAt).toBe(before.payout.seenAt);
        }
      }),
    );
  });

  it('depends only on differences of time', () => {
    const moved = fc.integer({ min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(anyOrder, history, time, moved, (agreed, events, at, by) => {
        const shifted = events.map((event) => ({ ...event, at: event.at + by }));
        const here = orderStateAt(agreed, events, at);
        const there = orderStateAt({ ...agreed, createdAt: by }, shifted, at + by);
        expect(there.status).toBe(here.status);
        expect(there.transitions.map((each) => ({ ...each, at: each.at - by }))).toEqual(here.transitions);
        expect(there.deposit?.confirmations).toBe(here.deposit?.confirmations);
      }),
    );
  });

  it('is changed by exactly the allowed moves', () => {
    fc.assert(
      fc.property(anyOrder, history, time, fc.constantFrom(...MOVES), (agreed, events, at, kind) => {
        const known = events.filter((event) => event.at <= at);
        const before = orderStateAt(agreed, known, at);
        const after = orderStateAt(agreed, [...known, { kind, at }], at);
        if (moveProblem(before, kind) === undefined) expect(after.status).not.toBe(before.status);
        else expect(after).toEqual(before);
      }),
    );
  });

  it('has at most the required confirmations, and an end only in a final status', () => {
    fc.assert(
      fc.property(anyOrder, history, time, (agreed, events, at) => {
        const state = orderStateAt(agreed, events, at);
        expect(state.deposit?.confirmations ?? 0).toBeLessThanOrEqual(agreed.deposit.confirmations);
        expect(state.payout?.confirmations ?? 0).toBeLessThanOrEqual(agreed.receive.confirmations);
        expect(state.endedAt !== null).toBe([4, 5, 6, 12, 13].includes(state.status));
        expect(state.payout !== null).toBe([4, 12].includes(state.status));
        for (const chain of [state.deposit, state.payout]) {
          if (chain !== null) expect(chain.confirmedAt !== null).toBe(chain.confirmations > 0);
        }
      }),
    );
  });
});

describe('a deposit after the window of a sandbox order', () => {
  const late = 35 * MINUTE;

  it('if rejected, does not block an acceptable later one', () => {
    const events = [arrived(late, '0.0001', null), arrived(late + MINUTE, '0.2', '5.6')];
    const state = orderStateAt(order(), events, late + MINUTE);
    expect(state).toMatchObject({ status: 1, depositAmount: '0.2', receiveAmount: '5.6' });
    expect(state.deposit).toMatchObject({ txId: `tx${late + MINUTE}` });
  });

  it.each([
    ['to an overdue fixed order', order({ type: 'fixed' }), [arrived(late, '0.2', '5.7')]],
    ['to a refunded order', order(), [{ kind: 'refund', at: late }, arrived(late + 1, '0.2', '5.7')]],
  ] as const)('%s is recorded without changing the agreed amounts', (_name, swap, events) => {
    const state = orderStateAt(swap, events, late + MINUTE);
    expect([5, 13]).toContain(state.status);
    expect(state).toMatchObject({ depositAmount: '0.1', receiveAmount: '2.8' });
    expect(state.deposit).toMatchObject({ amount: '0.2' });
  });
});
