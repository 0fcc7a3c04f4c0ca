import { UsageError } from '../../errors.ts';
import { HABIT_NAMES, HABITS, isHabitName } from '../../partner-api/habits.ts';
import { echoed } from '../../text.ts';
import type { Habits } from './decisions.ts';

/** Word for all habits. */
const ALL = 'all';

/**
 * Reads habits from their names with commas between them, or `all`. Throws a UsageError that lists the names for any
 * other word.
 */
export function readHabits(text: string): Habits {
  const words = text.split(',').map((word) => word.trim());
  if (words.length === 1 && words[0] === ALL) return new Set(HABIT_NAMES);
  const unknown = words.find((word) => !isHabitName(word));
  if (unknown === undefined) return new Set(words.filter(isHabitName));
  const list = HABIT_NAMES.map((name) => `${name} (${HABITS[name]})`).join('; ');
  throw new UsageError(
    unknown === '' ? 'Empty name in the list of habits.' : `Unknown habit "${echoed(unknown)}".`,
    `Choose from these, separated by commas, or pass --rough alone for all: ${list}.`,
  );
}
