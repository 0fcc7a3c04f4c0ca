import { userInfo } from 'node:os';
import native from 'node:path';
import { isWindows } from '../../base/files.ts';

/** Folders and files of one person on one machine, and its system; resolving them creates none. */
export type Paths = ReturnType<typeof resolvePaths>;

/** Replaces a missing home folder, as of a service user: nothing can be found or created below it. */
const NO_HOME = { '/': '/dev/null', '\\': '\\\\.\\NUL' } as const;

/**
 * The home folder of the environment, or else the system's. A relative path is ignored: each working folder would get its
 * own ledger, and an idempotency key could create a second order.
 */
function homeFolder(named: string | undefined, { isAbsolute, sep }: PathRules): string {
  if (named !== undefined && isAbsolute(named)) return named;
  try {
    // Not `homedir()`, which returns the same HOME.
    const { homedir } = userInfo();
    if (isAbsolute(homedir)) return homedir;
  } catch {
    // This user has no entry in the user database.
  }
  return NO_HOME[sep];
}

type PathRules = Pick<typeof native, 'isAbsolute' | 'join' | 'sep'>;

type Folders = Readonly<Record<'configFolder' | 'stateFolder' | 'cacheFolder', string>>;

/**
 * Paths by the XDG rules, on macOS too. On Windows the configuration is stored in `%AppData%`, which roams with the user,
 * and everything else in `%LocalAppData%`, which does not: docs/command-line/environment.md#files. `path` has the rules of the
 * system's paths.
 */
export function resolvePaths(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = 'linux',
  path: PathRules = native,
) {
  const { join } = path;
  const folders = isWindows(platform) ? windowsFolders(env, path) : xdgFolders(env, path);
  return {
    platform,
    ...folders,
    configFile: join(folders.configFolder, 'config.json'),
    ledgerFile: join(folders.stateFolder, 'ledger.db'),
    sandboxFile: join(folders.stateFolder, 'sandbox.db'),
  };
}

function xdgFolders(env: NodeJS.ProcessEnv, path: PathRules): Folders {
  const home = homeFolder(env['HOME'], path);
  const folder = (name: string, fallback: string): string => {
    const given = env[name];
    // The XDG specification says to ignore relative paths.
    const base = given !== undefined && path.isAbsolute(given) ? given : path.join(home, fallback);
    return path.join(base, 'swapctl');
  };
  return {
    configFolder: folder('XDG_CONFIG_HOME', '.config'),
    stateFolder: folder('XDG_STATE_HOME', path.join('.local', 'state')),
    cacheFolder: folder('XDG_CACHE_HOME', '.cache'),
  };
}

function windowsFolders(env: NodeJS.ProcessEnv, path: PathRules): Folders {
  const folder = (name: string, fallback: string): string => {
    const given = env[name];
    if (given !== undefined && path.isAbsolute(given)) return path.join(given, 'swapctl');
    return path.join(homeFolder(env['USERPROFILE'], path), 'AppData', fallback, 'swapctl');
  };
  const stateFolder = folder('LOCALAPPDATA', 'Local');
  return {
    configFolder: folder('APPDATA', 'Roaming'),
    stateFolder,
    cacheFolder: path.join(stateFolder, 'cache'),
  };
}
