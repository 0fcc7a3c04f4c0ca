import { PassThrough } from 'node:stream';
import type { ProcessIo } from '../../src/cli/context.ts';
import { main } from '../../src/main.ts';
import { checkRun } from './json-schema.ts';
import './preload.ts';
import { type Run, type RunOptions, runResult } from './run.ts';
import { serviceEnv } from './services.ts';

/**
 * Runs a command line to its end as {@link runProgram} does, with no one at a terminal, but in this process: a tenth of
 * the cost of a process of its own. For what a run says and leaves behind; not for signals, limits and broken pipes,
 * nor for several runs at once, which share a process here.
 */
export async function runMain(
  args: readonly string[],
  {
    home,
    env = {},
    input = '',
    signal = new AbortController().signal,
    ...clock
  }: Pick<RunOptions, 'home' | 'env' | 'input'> & Partial<Pick<ProcessIo, 'signal' | 'sleep' | 'monotonic'>>,
): Promise<Run> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    streams[name].setEncoding('utf8').on('data', (part: string) => (text[name] += part));
  streams.stdin.end(input);
  const code = await main(args, {
    streams,
    env: { PATH: process.env['PATH'], HOME: home, ...serviceEnv(), ...env },
    platform: process.platform,
    processId: process.pid,
    signal,
    ...clock,
  });
  await new Promise(setImmediate);
  checkRun(args, { ...text, code });
  return runResult({ code, signal: null, ...text });
}
