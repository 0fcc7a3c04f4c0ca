import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { bundleProgram } from '../core/database/bundle.ts';
import type { Place } from './sandbox.ts';

/** A sandbox in a process of its own. */
export interface ServerProcess extends Place {
  readonly child: ChildProcess;
  /** Sends a signal, and returns the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** Starts such processes on a database, each with a rate limit; what is left of them ends with the test. */
export async function serverProcesses(name: string) {
  const program = await bundleProgram(new URL('./serve.ts', import.meta.url), name);
  return async (database: string, count = 1_000_000): Promise<ServerProcess> => {
    const child = fork(program, [database, String(count)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [place] = (await once(child, 'message')) as [Place];
    const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
      const exit = once(child, 'exit');
      child.kill(signal);
      return ((await exit) as [number | null])[0];
    };
    return { ...place, child, end };
  };
}
