import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Operator } from '../sandbox/operator.ts';

/** A verb's flag for another database than the built-in service's. */
export function onDatabase(command: Command): Command {
  return command.option(
    '--database <location>',
    'file or postgres:// URL (default: the sandbox.db of the built-in service)',
  );
}

/** Opens the operators' verbs where `--database` says. */
export function operatorOf(context: Context, flags: Record<string, unknown>): Promise<Operator> {
  return context.operator(typeof flags['database'] === 'string' ? flags['database'] : undefined);
}
