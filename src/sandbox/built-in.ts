import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UncreatableError } from '../database/failures.ts';
import type { RunningSandbox, SandboxOptions } from './server.ts';
import { startSandbox } from './server.ts';

/**
 * Starts the service for one command. Where its database cannot be created, for instance in a read-only home, the
 * database goes into a temporary folder that is removed with the command, and `note` is called with a sentence that
 * says so. Throws StorageError.
 */
export async function startBuiltIn(
  options: SandboxOptions,
  note: (words: string) => void,
): Promise<RunningSandbox> {
  try {
    return await startSandbox(options);
  } catch (error) {
    if (!(error instanceof UncreatableError)) throw error;
    const sandbox = await startPassing(options).catch(() => Promise.reject(error));
    note(`${error.message} The built-in service is a new one and forgets everything with this command.`);
    return sandbox;
  }
}

/** Starts the service in a temporary folder that is removed when it closes; nothing else is read or changed. */
export async function startPassing(options: Omit<SandboxOptions, 'database'>): Promise<RunningSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'swapctl-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const sandbox = await startSandbox({ ...options, database: join(folder, 'sandbox.db') });
    return {
      ...sandbox,
      close: async () => {
        await sandbox.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
