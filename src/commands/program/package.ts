import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REINSTALL, StorageError } from '../../errors.ts';

/** Version of the program, from its package.json. Throws StorageError where there is none. */
export function programVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}

/**
 * The folder of the nearest package.json above this file, which the bundler may have moved. Throws StorageError where
 * there is none.
 */
function packageFolder(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) {
      throw new StorageError('The program is not complete: its package.json is missing.', REINSTALL);
    }
    folder = dirname(folder);
  }
  return folder;
}

/** Where the pages lie; a single executable has none with it. */
export function placeOfPages(): string {
  const folder = join(packageFolder(), 'docs');
  return existsSync(folder) ? folder : 'the folder docs of the package swapctl';
}
