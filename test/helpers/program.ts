import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkRun } from './json-schema.ts';
import { type Run, type RunOptions, runResult } from './run.ts';
import { serviceEnv } from './services.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const PLANTED = process.env['SWAPCTL_TEST_PROGRAM'];

/** The program as `npm run build` made it, or a copy with a planted bug. */
export const PROGRAM = PLANTED ?? join(ROOT, 'bin', 'swapctl.js');

let isFresh = false;

/** Throws if `dist` is missing or older than a source file, because program tests would then test an old program. */
function refuseOldBuild(): void {
  if (isFresh) return;
  const built = statSync(join(ROOT, 'dist', 'main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newer = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).find(
    (file) => statSync(join(ROOT, 'src', file)).mtimeMs > built,
  );
  if (newer !== undefined)
    throw new Error(
      `dist is older than src/${newer}. Run \`npm run build\`, or keep \`npm run dev\` running.`,
    );
  isFresh = true;
}

/** A run under way. */
export interface StartedRun {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
  /** Everything on standard output so far. */
  stdout(): string;
  stderr(): string;
}

/** Starts the built program in an empty environment, in its home folder. */
export function startProgram(args: readonly string[], options: RunOptions): StartedRun {
  if (options.program === undefined && PLANTED === undefined) refuseOldBuild();
  const program = [process.execPath, options.program ?? PROGRAM, ...args];
  const [command = '', ...rest] =
    options.shell === undefined ? program : ['bash', '-c', options.shell, ...program];
  const child = spawn(command, rest, {
    cwd: options.home,
    env: { PATH: process.env['PATH'], HOME: options.home, ...serviceEnv(), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  const ended = new Promise<Run>((resolve, reject) => {
    child
      .on('error', reject)
      .on('close', (code, signal) => resolve(runResult({ code, signal, stdout, stderr })));
  }).then((run) => {
    // A script around the program may cut what it writes, or show more.
    checkRun(args, { ...run, isWrapped: options.shell !== undefined });
    return run;
  });
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

/** Runs the built program to its end. */
export function runProgram(args: readonly string[], options: RunOptions): Promise<Run> {
  return startProgram(args, options).ended;
}

/** The URL that `sandbox start` names in its first line, once it is there. */
export async function listeningUrl({ stdout, stderr }: StartedRun): Promise<string> {
  for (let look = 0; look < 200; look += 1) {
    const url = /^listening on (\S+)/.exec(stdout())?.[1];
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The sandbox did not start: ${stderr()}`);
}
