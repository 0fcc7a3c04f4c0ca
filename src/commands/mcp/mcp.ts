import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';

/** Parsed options of `swapctl mcp`. */
export interface McpOptions {
  /** Names of the tools to serve; null for all. */
  readonly tools: readonly string[] | null;
}

/** Declares `swapctl mcp`. */
export function mcpCommand(command: Command, context: () => Context, run = runMcp): void {
  command
    .description(
      'Serve swapctl to an agent as tools, by the Model Context Protocol on standard input and output. Without -p the tools work on the built-in sandbox.',
    )
    .option('--tools <names>', 'serve only these tools, separated by commas')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl mcp\n  $ swapctl mcp -p prod\n  $ swapctl mcp --tools quote,swap_status',
    )
    .action(() => {
      const { profile, timeout, tools } = command.optsWithGlobals<Record<string, string | undefined>>();
      if (timeout !== undefined) throw new UsageError('mcp has no --timeout; each call has a limit.');
      // Neither a stored profile nor one of the environment is handed to an agent unless -p names it.
      if (profile === undefined) command.parent?.setOptionValue('sandbox', true);
      return run(context(), { tools: tools === undefined ? null : words(tools) });
    });
}

function words(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim());
}

/** Serves until the host closes standard input. */
async function runMcp(context: Context, { tools }: McpOptions): Promise<void> {
  const profile = await context.profile();
  const { serveTools } = await import('./serve.ts');
  await serveTools(context, { profile, named: tools });
}
