import type { ScenarioName } from '../orders/scenario-ends.ts';

/** The scenarios that ship with the program, one for each end: docs/scenarios.md#the-library. */
const LIBRARY: Readonly<Record<ScenarioName, () => Promise<{ readonly default: object }>>> = {
  success: () => import('./library/success.json'),
  overdue: () => import('./library/overdue.json'),
  'late-deposit': () => import('./library/late-deposit.json'),
  underpaid: () => import('./library/underpaid.json'),
  overpaid: () => import('./library/overpaid.json'),
  frozen: () => import('./library/frozen.json'),
  paused: () => import('./library/paused.json'),
  error: () => import('./library/error.json'),
  refund: () => import('./library/refund.json'),
  'lost-answer': () => import('./library/lost-answer.json'),
  'success-without-payout': () => import('./library/success-without-payout.json'),
  'unknown-status': () => import('./library/unknown-status.json'),
};

/** The text of a scenario that ships with the program. */
export async function libraryText(name: ScenarioName): Promise<string> {
  return JSON.stringify((await LIBRARY[name]()).default);
}
