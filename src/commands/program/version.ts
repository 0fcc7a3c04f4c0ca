import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { visible } from '../../text.ts';
import { programVersion } from './package.ts';

/** Declares `swapctl version`. */
export function versionCommand(command: Command, context: () => Context, run = runVersion): void {
  command
    .description('Print the version; with --json also the versions of Node.js and the system.')
    .addHelpText('after', '\nExamples:\n  $ swapctl version\n  $ swapctl version --json')
    .action(() => run(context()));
}

/** Prints the version as one line, or with what it runs on. */
export async function runVersion({ streams }: Context): Promise<void> {
  const version = programVersion();
  await streams.print({
    json: () => ({ version, node: process.versions.node, platform: `${process.platform} ${process.arch}` }),
    rows: () => [[version]],
    screen: () => visible(version),
  });
}
