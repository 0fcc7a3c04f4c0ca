import type { JsonSchema } from './schema.ts';

/** One of the forms in which a command prints its result: one object, an array of objects, or an object per line. */
export interface Form {
  readonly as: 'one' | 'list' | 'lines';
  /** Names of shapes; more than one where items differ. */
  readonly shapes: readonly string[];
}

/** What a command does, beyond what its declaration says. */
export interface Operation {
  /** Forms of what it prints with `--json`, the usual one first; none if it prints text, or what a service sent. */
  readonly result: readonly Form[];
  /** Exit codes it can end with, ascending. */
  readonly exitCodes: readonly number[];
  /**
   * What it may change: settings, the ledger, files or the sandbox of this machine, or something at the service. The
   * default is nothing but caches, and what the ledger knows of swaps.
   */
  readonly changes?: 'local' | 'service';
  /** Closed lists of values by the long flag or the name of the argument, where commander does not know them. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/** What `shape.ts` of a command's folder says; the list of commands loads it when it is asked for. */
export interface CommandShape {
  /** Every command of the folder that can be run, by its path. */
  readonly operations: Readonly<Record<string, Operation>>;
  /** The JSON of one thing, by its name in docs/command-line/output.md#json. */
  readonly shapes: Readonly<Record<string, JsonSchema>>;
}

export const one = (...shapes: readonly string[]): Form => ({ as: 'one', shapes });
export const list = (...shapes: readonly string[]): Form => ({ as: 'list', shapes });
export const lines = (...shapes: readonly string[]): Form => ({ as: 'lines', shapes });

/** What `--watch` prints. */
export const WATCH = lines('statusLine', 'retryLine', 'endLine');

/** Exit codes of commands that read only the program's own text. */
export const TEXT_EXIT_CODES = [0, 1, 2];
/** Exit codes of commands that read the settings. */
export const SETTINGS = [0, 1, 2, 11];
/** Exit codes of commands that can be interrupted. */
export const SIGNALS = [130, 143];
/** Exit codes of commands that use only the ledger; 4 for an unknown profile. */
export const LEDGER = [0, 1, 2, 4, 11, ...SIGNALS];
/** Exit codes of commands that read from the service. */
export const READS = [0, 1, 2, 3, 4, 5, 6, 11, ...SIGNALS];

/** Exit codes, and further ones, ascending. */
export const and = (codes: readonly number[], ...more: readonly number[]): readonly number[] =>
  [...new Set([...codes, ...more])].sort((a, b) => a - b);
