import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { sandboxStartCommand } from './sandbox-start.ts';

/** Declares `swapctl sandbox` and its verbs. */
export function sandboxCommand(program: Command, context: () => Context): void {
  const sandbox = program
    .command('sandbox')
    .summary('the built-in service')
    .description(
      'The whole service of the partner API, built in: run it, and play the parts of the customer, the chain and the operator.',
    );
  sandbox.helpCommand(false);
  sandboxStartCommand(sandbox, context);
}
