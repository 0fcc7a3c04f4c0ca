import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PROGRAM } from './program.ts';
import type { RunOptions } from './run.ts';

/** The built program at a terminal of its own, made by script(1). */
export interface TerminalRun {
  /** Waits until the screen has shown a text, or what fits a pattern. */
  shows(text: string | RegExp): Promise<void>;
  /** Types on the keyboard. */
  type(keys: string): void;
  /** Gives the terminal another size, as a person does with a window. */
  resize(columns: number, rows: number): void;
  /** Sends a signal to the program itself. */
  signal(name: NodeJS.Signals): void;
  /** Exit code, and all that the screen was sent. */
  readonly ended: Promise<{ readonly code: number | null; readonly screen: string }>;
}

/** Columns and rows of a terminal; one that is not given has none, as script(1) makes it. */
type Size = readonly [columns: number, rows: number];

const LOOKS = 400;
const LOOK_MS = 25;

/** Starts the built program at a terminal in an empty environment, in its home folder. */
export function startAtTerminal(
  args: readonly string[],
  home: string,
  { env = {}, program = PROGRAM, size }: Pick<RunOptions, 'env' | 'program'> & { readonly size?: Size } = {},
): TerminalRun {
  const line = `exec '${process.execPath}' '${program}' ${args.join(' ')}`;
  return atTerminal(size === undefined ? line : `stty cols ${size[0]} rows ${size[1]}; ${line}`, home, env);
}

/** Starts the built program several times, one run after the other, at one terminal. */
export function startEachAtTerminal(
  runs: readonly string[],
  home: string,
  { env = {}, program = PROGRAM }: Pick<RunOptions, 'env' | 'program'> = {},
): TerminalRun {
  return atTerminal(runs.map((args) => `'${process.execPath}' '${program}' ${args}`).join('; '), home, env);
}

/** Starts a line of sh at a terminal of its own. */
export function atTerminal(command: string, home: string, env: RunOptions['env']): TerminalRun {
  const pidFile = join(home, 'pid');
  const ttyFile = join(home, 'tty');
  const line = `echo $$ > '${pidFile}'; tty > '${ttyFile}'; ${command}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, TERM: 'xterm', SHELL: '/bin/sh', NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  return {
    shows: async (text) => {
      const isThere = () => (typeof text === 'string' ? screen.includes(text) : text.test(screen));
      for (let look = 0; !isThere(); look += 1) {
        if (look >= LOOKS) throw new Error(`The screen never showed ${text}: ${screen}`);
        await pause(LOOK_MS);
      }
    },
    type: (keys) => void child.stdin.write(keys),
    resize: (columns, rows) => {
      const tty = readFileSync(ttyFile, 'utf8').trim();
      execFileSync('stty', ['-F', tty, 'cols', String(columns), 'rows', String(rows)]);
    },
    signal: (name) => {
      if (existsSync(pidFile)) process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), name);
    },
    ended: new Promise((resolve, reject) => {
      child.on('error', reject).on('close', (code) => resolve({ code, screen }));
    }),
  };
}
