import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';

/** A pipe that a program writes to: the program's process, its PATH, and its file descriptor of the pipe. */
export interface WrittenPipe {
  readonly fd: number;
  readonly processId: number;
  readonly path: string | undefined;
}

/**
 * Calls back once nobody reads a pipe any more, within a second; returns a function that ends the looking.
 *
 * Node tells of it only at the next write (it never polls a pipe that it is not writing to), and a watch may have
 * nothing to write for hours. GNU tail does poll: since coreutils 8.28 it dies of SIGPIPE once its standard output is a
 * pipe without a reader. Without GNU tail, as outside of Linux, the next write tells.
 */
export function whenNobodyReads({ fd, processId, path }: WrittenPipe, callBack: () => void): () => void {
  if (!fstatSync(fd).isFIFO()) return () => undefined;
  const args = ['--follow', '--sleep-interval=0.5', `--pid=${processId}`, '/dev/null'];
  // No more of the environment than that: it may hold secrets.
  const tail = spawn('tail', args, { stdio: ['ignore', fd, 'ignore'], env: { PATH: path } });
  tail.unref();
  tail.on('error', () => undefined);
  tail.on('exit', (_code, signal) => {
    if (signal === 'SIGPIPE') callBack();
  });
  return () => void tail.removeAllListeners('exit').kill();
}
