import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../files.ts';

/** Version of the program, from its package.json. Throws StorageError where there is none. */
export function programVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}

/** Where the pages lie; a single executable has none with it. */
export function placeOfPages(): string {
  const folder = join(packageFolder(), 'docs');
  return existsSync(folder) ? folder : 'the folder docs of the package swapctl';
}
