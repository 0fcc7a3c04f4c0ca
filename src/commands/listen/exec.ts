import { spawn } from 'node:child_process';
import { isWindows } from '../../files.ts';
import { shellCall, stopCommand } from '../../settings/shell.ts';
import { visible } from '../../text.ts';

/** An event as a command gets it. */
export interface ExecRequest {
  /** For the system's shell. */
  readonly command: string;
  /** On its standard input. */
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
  /** After so many milliseconds the command is killed, with all that it started. */
  readonly timeoutMs: number;
}

/** So much of what a command says on standard error is kept. */
const MAX_SAID = 4096;
const MAX_TOLD = 200;

/**
 * Runs a command with an event on its standard input, in a process group of its own: a Ctrl-C at the terminal does
 * not end it. Null where it ended with 0, else why it did not, as a clause.
 */
export function runCommand({ command, input, env, timeoutMs }: ExecRequest): Promise<string | null> {
  return new Promise((resolve) => {
    const { file, args, ...how } = shellCall(command, env);
    // On Windows it would open a console of its own.
    const detached = !isWindows();
    const child = spawn(file, args, { ...how, env, detached, stdio: ['pipe', 'ignore', 'pipe'] });
    let said = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void stopCommand(child, detached);
    }, timeoutMs);
    const end = (problem: string | null) => {
      clearTimeout(timer);
      child.stderr.destroy();
      // Else what a failed command left running would pile up with each attempt.
      if (problem === null) resolve(null);
      else void stopCommand(child, detached).finally(() => resolve(problem));
    };
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-MAX_SAID)));
    // A command that does not read its input is none that failed.
    child.stdin.on('error', () => undefined).end(input);
    child.once('error', ({ message }) => end(`could not be started: ${message}`));
    // Not `close`: something that the command left running may keep its outputs open.
    child.once('exit', (code, signal) => {
      if (late) end(`did not end within ${timeoutMs / 1000} s`);
      else if (code === 0) end(null);
      // What it said last may be on its way still.
      else setImmediate(() => end(`ended with ${code ?? signal}${lastLine(said)}`));
    });
  });
}

function lastLine(said: string): string {
  const line = said.trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${visible(line).slice(0, MAX_TOLD)}`;
}
