import type { Context, GlobalFlags, ProcessIo } from '../../../src/cli/context.ts';

/** What makes the context of a command line, by the process id that it is started with. */
export const wirings = new Map<number, (parts: ProcessIo, flags: GlobalFlags) => Context>();

/** The context of a command line in a world: its ports are those of the program that types it. */
export function createContext(parts: ProcessIo, flags: GlobalFlags): Context {
  const wired = wirings.get(parts.processId);
  if (wired === undefined) throw new TypeError('This command line belongs to no program of a world.');
  return wired(parts, flags);
}
