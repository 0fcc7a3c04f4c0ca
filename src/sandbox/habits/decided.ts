import type { HabitName } from '../../partner-api/habits.ts';
import { HABITS } from '../../partner-api/habits.ts';
import { PLAIN_DECISIONS } from '../state/assumptions.ts';
import type { Habits } from './decisions.ts';

/** The `x-assumed` of decisions that a habit reverses: the decision of this service, and the other one. */
export function decided(habits: Habits, ...names: readonly HabitName[]): { readonly 'x-assumed': string } {
  const texts = names.map((name) => {
    const [here, other] = habits.has(name)
      ? [HABITS[name], PLAIN_DECISIONS[name]]
      : [PLAIN_DECISIONS[name], HABITS[name]];
    return `${here} (other reading: ${other}; habit ${name})`;
  });
  return { 'x-assumed': texts.join('; ') };
}
