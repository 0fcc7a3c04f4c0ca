import { describe, expect, it } from 'vitest';
import { decodeSwap } from '../../src/core/client/decode.ts';
import { HABIT_NAMES } from '../../src/core/partner-api/habits.ts';
import { parseJson } from '../../src/core/partner-api/json.ts';
import type { Agreement } from '../../src/core/swap/agreement/agreed.ts';
import { codesOf, doubtsOf } from '../../src/core/swap/agreement/agreement.ts';
import { furthest } from '../../src/core/swap/agreement/progress.ts';
import type { RateType, Swap } from '../../src/core/swap/swap.ts';
import { DEPOSIT_WINDOW_MS } from '../../src/sandbox/state/assumptions.ts';
import { call, ETH_ADDRESS, NEW_SWAP, sandboxForTest, type TestSandbox } from '../sandbox/sandbox.ts';

const MINUTE = 60_000;

/** A path of a swap to its final status; the swap is polled after each step. */
interface Path {
  readonly name: string;
  readonly steps: (place: TestSandbox, order: string) => readonly (() => unknown)[];
  /** Final status codes. */
  readonly ends: Readonly<Record<RateType, number>>;
  /** Doubts that are justified at the end. */
  readonly doubts?: readonly string[];
}

const both = (code: number) => ({ float: code, fixed: code });
const passed = (place: TestSandbox, milliseconds: number) => () => place.clock.pass(milliseconds);

const PATHS: readonly Path[] = [
  {
    name: 'success',
    ends: both(4),
    steps: (place, order) => [
      () => place.operator.orders.deposit(order),
      ...Array.from({ length: 12 }, () => passed(place, 2000)),
      passed(place, 60 * MINUTE),
    ],
  },
  {
    name: 'success of a swap that was frozen',
    ends: both(4),
    steps: ({ operator }, order) => [
      () => operator.orders.deposit(order),
      () => operator.orders.move(order, 'freeze'),
      () => operator.orders.move(order, 'resume'),
      () => operator.orders.move(order, 'succeed'),
    ],
  },
  {
    name: 'refund after a pause',
    ends: both(13),
    steps: ({ operator }, order) => [
      () => operator.orders.deposit(order),
      () => operator.orders.move(order, 'pause'),
      () => operator.orders.move(order, 'refund'),
    ],
  },
  {
    name: 'error and refund',
    ends: both(13),
    steps: ({ operator }, order) => [
      () => operator.orders.deposit(order),
      () => operator.orders.move(order, 'fail'),
      () => operator.orders.move(order, 'refund'),
    ],
  },
  { name: 'overdue', ends: both(5), steps: (place) => [passed(place, 31 * MINUTE)] },
  {
    name: 'late deposit',
    ends: { float: 4, fixed: 5 },
    doubts: ['deposit_after_window'],
    steps: (place, order) => [
      passed(place, 31 * MINUTE),
      () => place.operator.orders.deposit(order),
      passed(place, 60 * MINUTE),
    ],
  },
  {
    name: 'half the deposit',
    ends: both(4),
    doubts: ['amount_changed'],
    steps: (place, order) => otherDeposit(place, order, '0.05'),
  },
  {
    name: 'twice the deposit',
    ends: both(4),
    doubts: ['amount_changed'],
    steps: (place, order) => otherDeposit(place, order, '0.2'),
  },
  {
    name: 'less than the minimum',
    ends: both(6),
    doubts: ['amount_changed'],
    steps: ({ operator }, order) => [() => operator.orders.deposit(order, '0.00000001')],
  },
  {
    name: 'more than the maximum, and refund',
    ends: both(13),
    doubts: ['amount_changed'],
    steps: ({ operator }, order) => [
      () => operator.orders.deposit(order, '1000000'),
      () => operator.orders.move(order, 'pause').catch(() => undefined),
      () => operator.orders.move(order, 'refund').catch(() => undefined),
    ],
  },
];

/** A deposit of another amount than agreed, which pauses a fixed swap until it is resumed. */
function otherDeposit(place: TestSandbox, order: string, amount: string): readonly (() => unknown)[] {
  return [
    () => place.operator.orders.deposit(order, amount),
    () => place.operator.orders.move(order, 'resume').catch(() => undefined),
    passed(place, 60 * MINUTE),
  ];
}

async function poll(place: TestSandbox, id: string): Promise<Swap> {
  const { text } = await call(place, 'get-transaction', { id });
  return withWindow(decodeSwap(parseJson(text)));
}

/** Fills in the end of the deposit window as the program does if the service does not report it. */
function withWindow(swap: Swap): Swap {
  const end = Date.parse(swap.createdAt ?? swap.startedAt ?? '') + DEPOSIT_WINDOW_MS[swap.type ?? 'float'];
  return { ...swap, expiresAt: swap.expiresAt ?? new Date(end).toISOString() };
}

async function follow(place: TestSandbox, path: Path, type: RateType): Promise<void> {
  const body = { ...NEW_SWAP, typeSwap: type === 'fixed' ? 1 : 2 };
  const made = await call(place, 'create-transaction', body);
  const first = withWindow(decodeSwap(parseJson(made.text)));
  let reached = first.status;
  let seen = first;
  let found: readonly string[] = [];
  for (const step of [() => undefined, ...path.steps(place, first.order)]) {
    await step();
    seen = await poll(place, first.order);
    const agreement: Agreement = {
      terms: {
        deposit: { coin: 'BTC', network: 'BTC' },
        receive: { coin: 'ETH', network: 'ETH' },
        amount: '0.1',
        type,
        address: ETH_ADDRESS,
        memo: null,
        refundAddress: null,
        quoted: first.receive.amount ?? '0',
        minReceive: null,
        leastReceive: null,
        depositMemoNeeded: false,
      },
      first,
      furthest: reached,
      environment: 'sandbox',
    };
    found = codesOf(await doubtsOf(agreement, seen));
    const where = `${path.name}, ${type}, ${seen.statusCode}`;
    // A doubt of the end need not be raised yet.
    expect([where, found.filter((code) => !path.doubts?.includes(code))]).toEqual([where, []]);
    reached = furthest(reached, seen.status) ?? reached;
  }
  const end = [path.name, type, seen.statusCode, found];
  expect(end).toEqual([path.name, type, path.ends[type], path.doubts ?? []]);
}

describe('a swap on any path to its final status', () => {
  it.each([[[]], [[...HABIT_NAMES]]])('has only justified doubts, with the habits %j', async (habits) => {
    const place = await sandboxForTest({ habits: new Set(habits) });
    for (const type of ['float', 'fixed'] as const) for (const path of PATHS) await follow(place, path, type);
  });
});
