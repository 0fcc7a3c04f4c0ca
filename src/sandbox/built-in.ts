import { InMemory } from '../database/database.ts';
import { UncreatableError } from '../database/failures.ts';
import type { RunningSandbox, SandboxOptions } from './server.ts';
import { startSandbox } from './server.ts';

/** What its answers say of a rate limit. It counts nothing: one command is its only client. */
const UNCOUNTED = { countsRequests: false, rateLimit: { count: 1_000_000, windowSeconds: 60 } } as const;

/**
 * Starts the service for one command, without a limit of requests. Where its database cannot be created, for instance in a read-only home, it runs in
 * memory, and `note` is called with a sentence that says so. Throws StorageError.
 */
export async function startBuiltIn(
  options: SandboxOptions,
  note: (words: string) => void,
): Promise<RunningSandbox> {
  try {
    return await startSandbox({ ...options, ...UNCOUNTED });
  } catch (error) {
    if (!(error instanceof UncreatableError)) throw error;
    const sandbox = await startPassing({ ...options, ...UNCOUNTED }).catch(() => Promise.reject(error));
    note(`${error.message} The built-in service is a new one and forgets everything with this command.`);
    return sandbox;
  }
}

/** Starts the service in memory: nothing is read or changed, and nothing of it stays. */
export function startPassing(options: Omit<SandboxOptions, 'database'>): Promise<RunningSandbox> {
  return startSandbox({ ...options, database: new InMemory() });
}
