import { statSync } from 'node:fs';
import { platform } from 'node:os';
import { basename } from 'node:path';
import { StorageError } from '../errors.ts';

const OTHERS = 0o077;

/** Whose database it is may decide about money: one that another user made is not ours. */
function refuseOthersOwn(path: string, what: string): void {
  const own = process.getuid?.();
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  if (own === undefined || owner === undefined || owner === own) return;
  throw new StorageError(
    `${what} belongs to another user (uid ${owner}).`,
    `Run swapctl as that user, or make it yours: sudo chown ${own} ${shellWord(path)}`,
  );
}

/** The program's own folder is nobody else's; one that a person names for a database may well be shared. */
export function refuseOpenFolder(folder: string): void {
  if (basename(folder) !== 'swapctl') return;
  refuseOthersOwn(folder, `The folder ${folder}`);
  if (!isOpenToOthers(folder)) return;
  throw new StorageError(`Other users can look into ${folder}.`, `Run: chmod 700 ${shellWord(folder)}`);
}

/** Refuses a file that others can read, with the chmod that mends it; a missing one is fine. */
export function refuseOpenFile(path: string): void {
  refuseOthersOwn(path, `The database ${path}`);
  if (!isOpenToOthers(path)) return;
  throw new StorageError(`Other users can read the database ${path}.`, `Run: chmod 600 ${shellWord(path)}`);
}

function isOpenToOthers(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && platform() !== 'win32' && (found.mode & OTHERS) !== 0;
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
