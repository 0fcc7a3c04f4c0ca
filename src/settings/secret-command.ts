import { spawn } from 'node:child_process';
import { InterruptedError, SwapctlError } from '../errors.ts';
import { shellCall } from './shell.ts';

/** Time limit of the command: it may be a password manager that asks a person. */
const MAX_COMMAND_MS = 60_000;

/** More than any secret has, in bytes; whatever prints more prints something else. */
const MAX_OUTPUT_BYTES = 8192;

/**
 * The standard output of `SWAPCTL_SECRET_COMMAND`, run by the system's shell, without one line break at its end. `env` is what the
 * command gets, without secrets; its standard error is the terminal's, for a password manager to ask there. Throws
 * `no_credentials`; no message repeats the command or its output.
 */
export function secretFromCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  limitMs = MAX_COMMAND_MS,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { file, args, ...how } = shellCall(command, env);
    const child = spawn(file, args, { ...how, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const parts: Buffer[] = [];
    let size = 0;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      // Whatever it left running may keep the pipe open, which would keep this process from ending.
      child.stdout.destroy();
      child.kill();
      settle();
    };
    const refuse = (what: string) => end(() => reject(failed(what)));
    const timer = setTimeout(() => refuse(`did not end within ${limitMs / 1000} s`), limitMs);
    child.once('error', () => refuse(`could not be started: there is no ${file}`));
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > MAX_OUTPUT_BYTES) refuse('prints more than any secret has');
    });
    child.once('close', (code, signal) => {
      if (signal === 'SIGINT') return end(() => reject(new InterruptedError('SIGINT')));
      if (code !== 0) return refuse(`failed (${signal ?? `exit code ${code}`})`);
      const secret = Buffer.concat(parts)
        .toString()
        .replace(/\r?\n$/, '');
      return secret.trim() === '' ? refuse('prints nothing') : end(() => resolve(secret));
    });
  });
}

function failed(what: string): SwapctlError {
  return new SwapctlError('no_credentials', `The command of SWAPCTL_SECRET_COMMAND ${what}.`, {
    hint: 'Run it by itself: it has to print the secret, and nothing else, on standard output. It gets neither standard input nor the secrets in the environment.',
  });
}
