import { PassThrough } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { BatchOptions } from '../../../src/cli/commands/batch/options.ts';
import type { CreateFlags } from '../../../src/cli/commands/create/flags.ts';
import type { Context, GlobalFlags } from '../../../src/cli/context.ts';
import { createContext } from '../../../src/cli/wiring.ts';
import { words } from '../../helpers/words.ts';

type Run<O> = (context: Context, options: O) => Promise<void>;

/** A command's declaration with what it runs as its third parameter. */
export type Declare<O> = (command: Command, context: () => Context, run: Run<O>) => void;

function contextWith(flags: GlobalFlags): Context {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const signal = new AbortController().signal;
  return createContext({ streams, env: {}, platform: 'linux', processId: 1, signal }, flags);
}

/** The options that a command line makes, or `code: message` of what it throws. */
export async function optionsOf<O>(declare: Declare<O>, line: readonly string[], flags: GlobalFlags = {}) {
  const program = new Command('swapctl');
  let options: O | undefined;
  const keep: Run<O> = async (_context, given) => {
    options = given;
  };
  declare(program.command(line[0] ?? ''), () => contextWith(flags), keep);
  throwErrors(program);
  try {
    await program.parseAsync([...line], { from: 'user' });
    return options;
  } catch (error) {
    if (error instanceof SwapctlError) return `${error.code}: ${error.message}`;
    if (error instanceof CommanderError) return error.message;
    throw error;
  }
}

function throwErrors(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  for (const child of command.commands) throwErrors(child);
}

/** Defines a test for each row: what stands behind the name of a command, the options or the error that it makes, and global flags. */
export function itReads<O>(
  declare: Declare<O>,
  name: string,
  rows: readonly (readonly [line: string | readonly string[], expected: unknown, flags?: GlobalFlags])[],
): void {
  it.for(rows)(`\`${name} %s\` makes options or a usage error`, async ([line, expected, flags]) => {
    const args = [...words(name), ...(typeof line === 'string' ? words(line) : line)];
    expect(await optionsOf(declare, args, flags)).toEqual(expected);
  });
}

/** The options of `create` without arguments and flags. */
export const NO_CREATE_OPTIONS: CreateFlags = {
  from: null,
  to: null,
  amount: null,
  lastSource: null,
  type: null,
  address: null,
  memo: null,
  memoWaived: false,
  refundAddress: null,
  minReceive: null,
  tolerance: null,
  idempotencyKey: null,
  labels: {},
  savedPayout: null,
  savedRefund: null,
  like: null,
  dryRun: false,
  yes: false,
  qr: null,
  watch: false,
  exitStatus: false,
  approval: null,
  wait: false,
};

/** The options of `batch` for a file without flags. */
export const NO_BATCH_OPTIONS: BatchOptions = {
  file: 'rows.csv',
  output: null,
  tolerance: null,
  labels: {},
  yes: false,
  dryRun: false,
  budget: null,
  map: new Map(),
  resume: false,
  repeat: false,
};
