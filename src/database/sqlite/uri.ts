import { platform } from 'node:os';
import { pathToFileURL } from 'node:url';

/**
 * A file that is there already as SQLite is to open it: never made where it is missing, and a file whatever its name,
 * for SQLite takes `:memory:` for something else. `how` are SQLite's own parameters.
 */
export function sqliteUri(path: string, how = 'mode=rw'): string {
  // SQLite's URIs have no place for a Windows network share.
  return platform() === 'win32' ? path : `${pathToFileURL(path).href}?${how}`;
}
