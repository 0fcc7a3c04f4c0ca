import { compareProducts } from '../../core/swap/amount.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { HouseRule } from '../habits/choices.ts';
import { payoutOf } from '../prices/pairs.ts';
import type { NewOrder, RequestedOrder } from './create.ts';
import type { AutomaticActions, AutomaticDeposit } from './order.ts';
import {
  type Phase,
  phaseAfterDeposit,
  SCENARIO_ENDS,
  type ScenarioEnd,
  type ScenarioName,
  sentAmount,
} from './scenario-ends.ts';

/** Time after which a deposit arrives automatically, in milliseconds; divided by the time scale. */
const OWN_DEPOSIT_MS = 5_000;

/** Deposit window of an order whose window ends without a deposit, in milliseconds. */
const SHORT_WINDOW_MS = 10_000;

/** Time by which a late deposit misses the window, in milliseconds; divided by the time scale. */
const LATE_BY_MS = 5_000;

/** How many times slower a slow order is confirmed and exchanged. */
const SLOWNESS = 10;

/** The ways in which magic amounts change an order. */
type Magic = 'error' | 'refund' | 'short-window' | 'slow' | 'success-without-payout';

/** Last two decimals of a deposit, and what they do: docs/scenarios.md#magic-amounts. */
const MAGIC: ReadonlyMap<string, Magic> = new Map([
  ['13', 'error'],
  ['19', 'refund'],
  ['07', 'short-window'],
  ['23', 'slow'],
  ['62', 'success-without-payout'],
]);

interface ActionSettings {
  readonly scenario: ScenarioName | undefined;
  readonly magic: boolean;
  readonly timeScale: number;
  readonly houseRules: readonly HouseRule[];
  readonly catalogue: Catalogue;
}

/** Creates the function that gives new orders their automatic actions. */
export function orderActions(settings: ActionSettings): (order: NewOrder, asked: RequestedOrder) => NewOrder {
  const { scenario, magic } = settings;
  return (order, asked) => {
    const wanted = (magic ? magicAmountEffect(asked.asSent) : undefined) ?? scenario;
    const acting = wanted === undefined ? order : withActions(settings, order, asked, wanted);
    return settings.houseRules.reduce((ruled, rule) => withRule(settings, ruled, rule), acting);
  };
}

/** Below this many times the minimum, the house rule refunds a deposit. */
const HOUSE_MINIMUM_TIMES = '5';

/** Time after which support accepts a late deposit, in milliseconds; divided by the time scale. */
const SUPPORT_MS = 3 * 3_600_000;

/** An order with the effects of a house rule after its deposit. */
function withRule({ timeScale }: ActionSettings, order: NewOrder, rule: HouseRule): NewOrder {
  const { agreed, deposit, actions = { deposit: null, moves: [] } } = order;
  const phase = (at: Phase) => phaseAfterDeposit({ ...agreed, deposit }, at);
  const isLow = compareProducts([deposit.amount], [agreed.minAmount, HOUSE_MINIMUM_TIMES]) < 0;
  const moves: Readonly<Record<HouseRule, AutomaticActions['moves']>> = {
    'house-minimum': isLow
      ? [
          { kind: 'fail', after: phase('exchanging') },
          { kind: 'refund', after: phase('later') },
        ]
      : [],
    'aml-commission': [{ kind: 'commission', after: phase('exchanging') }],
    'late-by-support': [{ kind: 'accept-late', after: Math.ceil(SUPPORT_MS / timeScale) }],
  };
  if (moves[rule].length === 0) return order;
  const all = [...actions.moves, ...moves[rule]].sort((a, b) => a.after - b.after);
  return { ...order, actions: { ...actions, moves: all } };
}

/** The effect of an amount, by its last two decimals; trailing zeros do not count. */
function magicAmountEffect(asSent: string): Magic | undefined {
  const [, fraction = ''] = asSent.split('.');
  const lastTwo = /[0-9]{2}$/.exec(fraction.replace(/0+$/, ''))?.[0];
  return lastTwo === undefined ? undefined : MAGIC.get(lastTwo);
}

function withActions(
  settings: ActionSettings,
  order: NewOrder,
  asked: RequestedOrder,
  wanted: ScenarioName | Magic,
): NewOrder {
  if (wanted === 'short-window') return withTerms(order, { windowMs: SHORT_WINDOW_MS });
  if (wanted === 'slow') {
    const { confirmationMs, exchangeMs } = order.agreed;
    return withTerms(order, {
      confirmationMs: confirmationMs * SLOWNESS,
      exchangeMs: exchangeMs * SLOWNESS,
    });
  }
  const isMissed = wanted === 'overdue' || wanted === 'late-deposit';
  const timed = isMissed ? withTerms(order, { windowMs: SHORT_WINDOW_MS }) : order;
  return { ...timed, actions: actionsOf(settings, timed, asked, SCENARIO_ENDS[wanted]) };
}

function withTerms(
  order: NewOrder,
  terms: Partial<Pick<NewOrder['agreed'], 'windowMs' | 'confirmationMs' | 'exchangeMs'>>,
): NewOrder {
  return { ...order, agreed: { ...order.agreed, ...terms } };
}

function actionsOf(settings: ActionSettings, order: NewOrder, asked: RequestedOrder, end: ScenarioEnd) {
  const speeds = { ...order.agreed, deposit: order.deposit };
  return {
    deposit: end.deposit === null ? null : depositOf(settings, order, asked, end.deposit),
    moves: end.moves.map(({ kind, at }) => ({ kind, after: phaseAfterDeposit(speeds, at) })),
  };
}

function depositOf(
  { catalogue, timeScale }: ActionSettings,
  { agreed, deposit, depositAsset }: NewOrder,
  { seed }: RequestedOrder,
  kind: NonNullable<ScenarioEnd['deposit']>,
): AutomaticDeposit {
  const after =
    kind === 'late'
      ? agreed.windowMs + Math.ceil(LATE_BY_MS / timeScale)
      : Math.ceil(OWN_DEPOSIT_MS / timeScale);
  const amount = sentAmount(deposit.amount, kind, depositAsset.decimals);
  const moment = { order: { ...agreed, deposit }, now: agreed.createdAt + after, seed };
  // The id follows from the order number, which is not given out yet.
  return { after, amount, receive: payoutOf(catalogue, moment, amount), txId: '' };
}
