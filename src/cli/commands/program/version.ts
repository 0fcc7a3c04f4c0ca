import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { packageFolder, programVersion } from '../../../base/files.ts';
import type { Context } from '../../context.ts';
import { textView } from '../../terminal/streams.ts';

export function versionCommand(command: Command, context: () => Context): void {
  command
    .description('Print the version; with --json also the versions of Node.js and the system.')
    .addHelpText('after', '\nExamples:\n  $ swapctl version\n  $ swapctl version --json')
    .action(() => runVersion(context()));
}

async function runVersion({ streams }: Context): Promise<void> {
  const version = programVersion();
  const platform = `${process.platform} ${process.arch}`;
  await streams.print(textView({ version, node: process.versions.node, platform }, version));
}

/** Where the documentation is; a single executable does not include it. */
export function documentationFolder(): string {
  const folder = join(packageFolder(), 'docs');
  return existsSync(folder) ? folder : 'the folder docs of the package swapctl';
}
