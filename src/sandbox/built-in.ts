import { InMemory } from '../database/database.ts';
import { UncreatableError } from '../database/failures.ts';
import type { RateType } from '../swap/swap.ts';
import { readHabits } from './habits/read-habits.ts';
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
    const sandbox = await startPassing(options).catch(() => Promise.reject(error));
    note(`${error.message} Using a temporary built-in service, which is discarded after this command.`);
    return { ...sandbox, depositWindow };
  }
}

/** Starts the service in memory: nothing is read or changed, and nothing of it stays. */
export function startPassing(options: Omit<SandboxOptions, 'database'>): Promise<RunningSandbox> {
  return startSandbox({ ...options, database: new InMemory() });
}

/** A place in the memory of this process for a new sandbox, whose server and operators share it by this object. */
export function sandboxMemory(): InMemory {
  return new InMemory();
}
