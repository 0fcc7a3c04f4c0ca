import type { System } from '../files.ts';
import { isWindows } from '../files.ts';

/** A program and its arguments that run a command line of a person in the system's shell. */
export interface ShellCall {
  readonly file: string;
  readonly args: readonly string[];
  /** For `spawn`: cmd.exe reads its line by rules of its own, which quoting by Node would break. */
  readonly windowsVerbatimArguments: boolean;
}

/** Runs a command line by `sh -c`, on Windows by `cmd.exe` as Node's own `shell: true` does. */
export function shellCall(
  command: string,
  env: NodeJS.ProcessEnv,
  system: System = process.platform,
): ShellCall {
  if (!isWindows(system)) return { file: 'sh', args: ['-c', command], windowsVerbatimArguments: false };
  const file = env['ComSpec'] || env['COMSPEC'] || 'cmd.exe';
  return { file, args: ['/d', '/s', '/c', `"${command}"`], windowsVerbatimArguments: true };
}
