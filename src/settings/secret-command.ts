import { spawn } from 'node:child_process';
import { InterruptedError, SwapctlError } from '../errors.ts';
import { isWindows } from '../files.ts';
import { hasTerminal, shellCall, stopCommand } from './shell.ts';

/** Time limit of the command: it may be a password manager that asks a person. */
const MAX_COMMAND_MS = 60_000;

/** More than any secret has, in bytes; whatever prints more prints something else. */
const MAX_OUTPUT_BYTES = 8192;

/**
 * The standard output of `SWAPCTL_SECRET_COMMAND`, run by the system's shell, without one line break at its end. `env` is
 * what the command gets, without secrets; its standard error is the terminal's, for a password manager to ask there. Throws
 * `no_credentials`, or `interrupted` as soon as `signal` is aborted or a signal has ended the command; no message repeats
 * the command or its output.
 */
export function secretFromCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  limitMs = MAX_COMMAND_MS,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { file, args, ...how } = shellCall(command, env);
    // A group of its own has no terminal, on which a password manager may have to ask.
    const detached = !isWindows() && !hasTerminal();
    const child = spawn(file, args, { ...how, env, detached, stdio: ['ignore', 'pipe', 'inherit'] });
    const parts: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      // Whatever it left running may keep the pipe open, which would keep this process from ending.
      child.stdout.destroy();
      settle();
    };
    const stop = (error: Error) => end(() => void stopCommand(child, detached).finally(() => reject(error)));
    const refuse = (what: string) => stop(failed(what));
    const interrupt = () => stop(signal.reason as Error);
    signal.addEventListener('abort', interrupt, { once: true });
    const timer = setTimeout(() => refuse(`did not end within ${limitMs / 1000} s`), limitMs);
    child.once('error', () => refuse(`could not be started: there is no ${file}`));
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > MAX_OUTPUT_BYTES) refuse('prints more than any secret has');
    });
    child.once('close', (code, endedBy) => {
      const interruption = interruptionOf(code, endedBy);
      if (interruption !== null) return end(() => reject(new InterruptedError(interruption)));
      if (code !== 0) return refuse(`failed (${endedBy ?? `exit code ${code}`})`);
      const secret = Buffer.concat(parts)
        .toString()
        .replace(/\r?\n$/, '');
      return secret.trim() === '' ? refuse('prints nothing') : end(() => resolve(secret));
    });
  });
}

/** The signal that a person or the system sent to all of the terminal's programs; a shell tells it as an exit code. */
function interruptionOf(code: number | null, endedBy: NodeJS.Signals | null): 'SIGINT' | 'SIGTERM' | null {
  if (endedBy === 'SIGINT' || code === 130) return 'SIGINT';
  return code === 143 ? 'SIGTERM' : null;
}

function failed(what: string): SwapctlError {
  return new SwapctlError('no_credentials', `The command of SWAPCTL_SECRET_COMMAND ${what}.`, {
    hint: 'Run it by itself: it has to print the secret, and nothing else, on standard output. It gets neither standard input nor the secrets in the environment.',
  });
}
