import { UsageError } from '../base/errors.ts';
import { echoed } from '../base/text.ts';
import { InMemory } from '../core/database/database.ts';
import { UncreatableError } from '../core/database/failures.ts';
import { HABIT_NAMES, HABITS, isHabitName } from '../core/partner-api/habits.ts';
import type { RateType } from '../core/swap/swap.ts';
import type { Habits } from './habits/decisions.ts';
import { type RunningSandbox, type SandboxOptions, startSandbox } from './server.ts';
import { DEPOSIT_WINDOW_MS } from './state/assumptions.ts';

/** What its answers say of a rate limit. It counts nothing: one command is its only client. */
const UNCOUNTED = { countsRequests: false, rateLimit: { count: 1_000_000, windowSeconds: 60 } } as const;

/**
 * Starts the service for one command, without a limit of requests; `rough` has the names of its habits. Where its database
 * cannot be created, for instance in a read-only home, it runs in memory, and `note` is called with a sentence that says so.
 * Throws StorageError, and UsageError for an unknown habit.
 */
export async function startBuiltIn(
  { rough, ...rest }: SandboxOptions & { readonly rough: string },
  note: (words: string) => void,
): Promise<RunningSandbox & { depositWindow(type: RateType): number }> {
  const options = { ...rest, ...UNCOUNTED, ...(rough === '' ? {} : { habits: readHabits(rough) }) };
  const depositWindow = (type: RateType) => DEPOSIT_WINDOW_MS[type];
  try {
    return { ...(await startSandbox(options)), depositWindow };
  } catch (error) {
    if (!(error instanceof UncreatableError)) throw error;
    const sandbox = await startInMemory(options).catch(() => Promise.reject(error));
    note(`${error.message} Using a temporary built-in service, which is discarded after this command.`);
    return { ...sandbox, depositWindow };
  }
}

/** Starts the service in memory: nothing is read or changed, and nothing of it stays. */
export function startInMemory(options: Omit<SandboxOptions, 'database'>): Promise<RunningSandbox> {
  return startSandbox({ ...options, database: new InMemory() });
}

/**
 * Reads habits from their names with commas between them, or `all`. Throws a UsageError that lists the names for any
 * other word.
 */
export function readHabits(text: string): Habits {
  const words = text.split(',').map((word) => word.trim());
  if (words.length === 1 && words[0] === 'all') return new Set(HABIT_NAMES);
  const unknown = words.find((word) => !isHabitName(word));
  if (unknown === undefined) return new Set(words.filter(isHabitName));
  const list = HABIT_NAMES.map((name) => `${name} (${HABITS[name]})`).join('; ');
  throw new UsageError(
    unknown === '' ? 'Empty name in the list of habits.' : `Unknown habit ${echoed(unknown)}.`,
    `Choose from these, separated by commas, or pass --rough alone for all: ${list}.`,
  );
}
