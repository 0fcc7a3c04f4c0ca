import { type Command, Option } from 'commander';
import type { Operator } from '../../../sandbox/operator/operator.ts';
import type { Context } from '../../context.ts';
import type { View } from '../../terminal/streams.ts';
import { type Flags, readFlags } from '../shared/arguments.ts';

/** Location of a sandbox: a file, a `postgres://` URL, or undefined for the built-in service's own file. */
export type SandboxDatabase = string | undefined;

/** Declares a verb that acts on a database, with examples of its arguments. */
export function verb(parent: Command, name: string, description: string, ...examples: string[]): Command {
  const command = parent.command(name).description(description);
  return withExamples(command, ...examples).addOption(databaseOption());
}

/** Adds examples to the help of a command, each given as what follows `swapctl sandbox`. */
export function withExamples(command: Command, ...examples: string[]): Command {
  const lines = examples.map((each) => `\n  $ swapctl sandbox ${each}`);
  return command.addHelpText('after', `\nExamples:${lines.join('')}`);
}

/** The option for a database other than the built-in service's. */
export function databaseOption(): Option {
  return new Option(
    '--database <location>',
    'file or postgres:// URL, with its password in PGPASSWORD or ~/.pgpass (default: sandbox.db of the built-in service)',
  );
}

/** Value of `--database`. */
export function databaseOf(flags: Flags): SandboxDatabase {
  return readFlags(flags).text('database') ?? undefined;
}

/** The result of a verb, and an optional sentence for people. */
export type VerbResult = View & { readonly note?: string | undefined };

export interface Acting {
  readonly operator: Operator;
  readonly context: Context;
  readonly flags: Flags;
}

/** The action of a verb: opens the operator of `--database`, and prints the outcome. */
export function acting<Args extends unknown[]>(
  context: () => Context,
  act: (acting: Acting, ...args: Args) => Promise<VerbResult>,
): (...args: unknown[]) => Promise<void> {
  return async (...all) => {
    const flags = (all.at(-1) as Command).opts<Flags>();
    const opened = context();
    const operator = await opened.operator(databaseOf(flags));
    const { note, ...view } = await act({ operator, context: opened, flags }, ...(all.slice(0, -2) as Args));
    await opened.streams.print(view);
    if (note !== undefined) opened.streams.note(note);
  };
}
