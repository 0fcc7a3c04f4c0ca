import { UsageError } from '../../base/errors.ts';
import { nearestWords } from '../../base/suggest.ts';
import { echoed } from '../../base/text.ts';
import { type Decimal, fromSmallestUnit, toSmallestUnit } from '../../core/swap/amount.ts';
import type { Order, OrderAction, OrderSide } from './order.ts';

/** The scenario of a name. Throws a UsageError that lists them, and suggests the nearest, for any other name. */
export function readScenarioName(text: string): ScenarioName {
  const name = SCENARIO_NAMES.find((each) => each === text.toLowerCase());
  if (name !== undefined) return name;
  const [nearest] = nearestWords(SCENARIO_NAMES, text);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new UsageError(
    `Unknown scenario ${echoed(text)}.${meant}`,
    `Choose one of ${SCENARIO_NAMES.join(', ')}.`,
  );
}

/** Time at which something happens, by the swap's phases: see {@link phaseAfterDeposit}. */
export type Phase = 'exchanging' | 'exchanged' | 'later';

/** How an order is driven to an end: what deposit is sent, and what happens after it. */
export interface ScenarioEnd {
  /** What is sent: the agreed amount in time or after the window, a tenth less or more, or nothing. */
  readonly deposit: 'exact' | 'late' | 'less' | 'more' | null;
  /** What happens after the deposit, in the order of time. */
  readonly moves: readonly { readonly kind: OrderAction; readonly at: Phase }[];
}

/** The ends by name. A lost answer is that of the create: the order itself gets no deposit, and becomes overdue. */
export const SCENARIO_ENDS = {
  success: { deposit: 'exact', moves: [] },
  overdue: { deposit: null, moves: [] },
  'late-deposit': { deposit: 'late', moves: [] },
  underpaid: { deposit: 'less', moves: [] },
  overpaid: { deposit: 'more', moves: [] },
  frozen: { deposit: 'exact', moves: [{ kind: 'freeze', at: 'exchanging' }] },
  paused: { deposit: 'exact', moves: [{ kind: 'pause', at: 'exchanging' }] },
  error: { deposit: 'exact', moves: [{ kind: 'fail', at: 'exchanging' }] },
  refund: {
    deposit: 'exact',
    moves: [
      { kind: 'pause', at: 'exchanging' },
      { kind: 'refund', at: 'later' },
    ],
  },
  'lost-answer': { deposit: null, moves: [] },
  'success-without-payout': { deposit: 'exact', moves: [{ kind: 'succeed-unpaid', at: 'exchanged' }] },
  'unknown-status': { deposit: 'exact', moves: [{ kind: 'unknown-status', at: 'exchanging' }] },
} satisfies Readonly<Record<string, ScenarioEnd>>;

export type ScenarioName = keyof typeof SCENARIO_ENDS;

/** The outcomes that an order can be driven to. */
export const SCENARIO_NAMES = Object.keys(SCENARIO_ENDS) as [ScenarioName, ...ScenarioName[]];

/** Time, in confirmations, that the service's staff takes before a refund. */
const CONFIRMATIONS_OF_THOUGHT = 10;

type Speeds = Pick<Order, 'confirmationMs' | 'exchangeMs'> & {
  readonly deposit: Pick<OrderSide, 'confirmations'>;
};

/** Milliseconds from a deposit to a phase: amid the exchange, just before its end, or some time after its middle. */
export function phaseAfterDeposit({ deposit, confirmationMs, exchangeMs }: Speeds, phase: Phase): number {
  const confirmed = deposit.confirmations * confirmationMs;
  if (phase === 'exchanged') return confirmed + exchangeMs - 1;
  const halfway = confirmed + Math.floor(exchangeMs / 2);
  return phase === 'exchanging' ? halfway : halfway + CONFIRMATIONS_OF_THOUGHT * confirmationMs;
}

/** The amount of a deposit: the agreed one, or a tenth less or more, rounded to the coin's decimals. */
export function sentAmount(agreed: Decimal, deposit: NonNullable<ScenarioEnd['deposit']>, decimals: number) {
  if (deposit === 'exact' || deposit === 'late') return agreed;
  const units = toSmallestUnit(agreed, decimals);
  const tenth = units / 10n || 1n;
  return fromSmallestUnit(deposit === 'more' || units === tenth ? units + tenth : units - tenth, decimals);
}
