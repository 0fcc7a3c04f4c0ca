import { HABITS, type HabitName } from '../../partner-api/habits.ts';
import { PLAIN_DECISIONS } from '../state/assumptions.ts';
import type { Habits } from './decisions.ts';

/** Text for `x-assumed`: how this service decides each point that a habit can reverse, and how it could decide. */
export function decided(habits: Habits, ...names: readonly HabitName[]): { readonly 'x-assumed': string } {
  const texts = names.map((name) => {
    const [here, other] = habits.has(name)
      ? [HABITS[name], PLAIN_DECISIONS[name]]
      : [PLAIN_DECISIONS[name], HABITS[name]];
    return `${here} (other reading: ${other}; habit ${name})`;
  });
  return { 'x-assumed': texts.join('; ') };
}
