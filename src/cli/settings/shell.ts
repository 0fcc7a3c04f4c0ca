import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isWindows, type System } from '../../base/files.ts';

/** Runs a command line by `sh -c`, on Windows by `cmd.exe` as Node's own `shell: true` does. */
export function shellCall(command: string, env: NodeJS.ProcessEnv, system: System = process.platform) {
  if (!isWindows(system)) return { file: 'sh', args: ['-c', command], windowsVerbatimArguments: false };
  const file = env['ComSpec'] || env['COMSPEC'] || 'cmd.exe';
  return { file, args: ['/d', '/s', '/c', `"${command}"`], windowsVerbatimArguments: true };
}

/** Whether this process has a terminal, regardless of its streams; a password manager prompts there. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false;
  }
}

/** Time that a command has to end after SIGTERM, in milliseconds. */
const GRACE_MS = 500;
const STEP_MS = 20;

/**
 * Stops a command and its descendants: SIGTERM, then SIGKILL for those still running. `leadsGroup` says that it was
 * spawned `detached`; without a group its descendants are found in /proc, and on other systems the terminal signals them.
 */
export async function stopCommand({ pid }: ChildProcess, leadsGroup: boolean): Promise<void> {
  if (pid === undefined) return;
  if (isWindows()) {
    // There are no process groups; taskkill finds the descendants by their parent.
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).once('error', () => undefined);
    return;
  }
  const targets = leadsGroup ? [-pid] : withDescendants(pid);
  let left = targets.filter((target) => signalled(target, 'SIGTERM'));
  for (let waited = 0; left.length > 0 && waited < GRACE_MS; waited += STEP_MS) {
    await pause(STEP_MS);
    left = left.filter((target) => signalled(target, 0));
  }
  for (const target of left) signalled(target, 'SIGKILL');
}

/** A process and its descendants, as far as the system lists them. */
function withDescendants(pid: number): readonly number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return [pid, ...children.flatMap((child) => withDescendants(Number.parseInt(child, 10)))];
  } catch {
    return [pid];
  }
}

/** Sends a signal to a process or, with a negative number, to its group; false if it no longer exists. */
function signalled(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}
