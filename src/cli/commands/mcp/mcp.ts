import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { didYouMean } from '../../../base/suggest.ts';
import { echoed } from '../../../base/text.ts';
import type { Context } from '../../context.ts';
import type { OperationTable } from '../../operations/results.ts';
import { inputAt } from '../shared/described.ts';
import { PERMISSIONS, type Permission } from './tool.ts';

export interface McpOptions {
  readonly allowed: readonly Permission[];
  /** Names of the tools to serve; null for all. */
  readonly tools: readonly string[] | null;
}

export function mcpCommand(
  command: Command,
  context: () => Context,
  operations: () => Promise<OperationTable>,
  run = runMcp,
): void {
  command
    .description(
      'Run an MCP (Model Context Protocol) server on standard input and output, so that agents can use swapctl as tools. Without -p, the tools use the built-in sandbox.',
    )
    .option('--allow <what>', 'changes allowed on a live profile: create, refund or both')
    .option('--tools <names>', 'serve only these tools, separated by commas')
    .addHelpText(
      'after',
      '\nOn a live profile, creating needs --allow create and a stored policy (`swapctl policy set`).\n\nExamples:\n  $ swapctl mcp\n  $ swapctl mcp -p prod --allow create,refund\n  $ swapctl mcp --tools quote,swap_status',
    )
    .action(() => {
      const { profile, timeout, tools, allow } =
        command.optsWithGlobals<Record<string, string | undefined>>();
      if (timeout !== undefined)
        throw new UsageError('--timeout cannot be used with mcp; each call has its own time limit.');
      const allowed = words(allow ?? '').map(permission);
      // Neither a stored profile nor one of the environment is handed to an agent unless -p names it.
      if (profile === undefined) command.parent?.setOptionValue('sandbox', true);
      const options = { allowed, tools: tools === undefined ? null : words(tools) };
      return run(context(), options, { program: command.parent ?? command, operations });
    });
}

function words(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((word) => word.trim());
}

function permission(word: string): Permission {
  const found = PERMISSIONS.find((each) => each === word);
  if (found !== undefined) return found;
  throw new UsageError(
    `Unknown value ${echoed(word)} for --allow.`,
    didYouMean(PERMISSIONS, word, 'Use create, refund or create,refund.'),
  );
}

async function runMcp(
  context: Context,
  { allowed, tools }: McpOptions,
  { program, operations }: { readonly program: Command; readonly operations: () => Promise<OperationTable> },
): Promise<void> {
  const profile = await context.profile();
  const { serveTools } = await import('./serve.ts');
  const table = await operations();
  const input = (path: string) => inputAt(program, table, path);
  await serveTools(context, { input, table, profile, allowed, named: tools });
}
