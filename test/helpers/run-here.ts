import { PassThrough } from 'node:stream';
import { SwapctlError } from '../../src/base/errors.ts';
import type { GlobalFlags } from '../../src/cli/context.ts';
import { parseCommandLine, type RunState } from '../../src/cli/program.ts';
import type { Prompter } from '../../src/cli/terminal/questions.ts';
import { checkRun } from './json-schema.ts';
import './preload.ts';
import { temporaryFolder } from './home.ts';
import { serviceEnv } from './services.ts';

/** Which streams are terminals, and what stands around the run. */
export interface RunHere {
  /** Default: a folder of its own, which is gone after the test. */
  readonly home?: string;
  readonly prompter?: Prompter;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: none is. */
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[];
  readonly columns?: number;
  readonly input?: string;
  readonly now?: () => number;
  /** Stands for every pause; default: the real one. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly monotonic?: () => number;
  /** Default: Linux. */
  readonly platform?: NodeJS.Platform;
  /** Stands for Ctrl-C, with the error that the program would end with as its reason. */
  readonly signal?: AbortSignal;
  /** Called with everything on standard output so far, whenever more is there. */
  readonly onOutput?: (stdout: string) => void;
}

/** How a command line ended that ran in this process. */
export interface RanHere {
  readonly stdout: string;
  readonly stderr: string;
  readonly error: SwapctlError | null;
}

/** All three streams, for a person who sits at a terminal. */
export const AT_TERMINAL = ['stdin', 'stdout', 'stderr'] as const;

/** A clock that only the pauses of runs move: none of them waits, and `--timeout` is up by their sum. */
export function pausedClock(start = 1_790_000_000_000) {
  let at = start;
  return {
    now: () => at,
    monotonic: () => at - start,
    sleep: async (milliseconds: number) => {
      at += milliseconds;
    },
  };
}

/** What a spinner asks of a terminal; none turns unless a test says that its terminal is not dumb. */
const CURSOR = { cursorTo: () => true, clearLine: () => true, moveCursor: () => true };

/** Runs a command line in this process with its own streams, environment and home folder. */
export async function runHere(args: readonly string[], options: RunHere = {}): Promise<RanHere> {
  const {
    home = await temporaryFolder(),
    prompter,
    env = {},
    terminals = [],
    columns = 80,
    input,
    now,
    monotonic,
    onOutput,
  } = options;
  const stream = (name: 'stdin' | 'stdout' | 'stderr') =>
    Object.assign(new PassThrough(), terminals.includes(name) ? { isTTY: true, columns, ...CURSOR } : {});
  const streams = { stdin: stream('stdin'), stdout: stream('stdout'), stderr: stream('stderr') };
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    streams[name].setEncoding('utf8').on('data', (part: string) => {
      text[name] += part;
      if (name === 'stdout') onOutput?.(text.stdout);
    });
  streams.stdin.end(input ?? '');
  const soFar: RunState = { flags: {} satisfies GlobalFlags };
  let error: SwapctlError | null = null;
  try {
    await parseCommandLine(args, soFar, {
      streams,
      env: { HOME: home, TERM: 'dumb', NO_COLOR: '1', ...serviceEnv(), ...env },
      platform: options.platform ?? 'linux',
      processId: process.pid,
      signal: options.signal ?? new AbortController().signal,
      ...(prompter === undefined ? {} : { prompter }),
      ...(now === undefined ? {} : { now }),
      ...(options.sleep === undefined ? {} : { sleep: options.sleep }),
      ...(monotonic === undefined ? {} : { monotonic }),
    });
  } catch (thrown) {
    if (!(thrown instanceof SwapctlError)) throw thrown;
    error = thrown;
  }
  await new Promise(setImmediate);
  checkRun(args, { ...text, code: error?.exitCode ?? 0 });
  return { ...text, error };
}
