import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { StorageError } from '../errors.ts';

/** Folders and files of one person on one machine, and its system; resolving them creates none. */
export interface Paths {
  readonly platform: NodeJS.Platform;
  readonly configFolder: string;
  readonly configFile: string;
  readonly stateFolder: string;
  readonly ledgerFile: string;
  readonly sandboxFile: string;
  readonly cacheFolder: string;
}

/**
 * The home folder of the environment, or else the system's. A relative HOME is ignored: it would make a ledger in every
 * folder that a person works in, and an idempotency key could make a second order.
 */
function homeFolder({ HOME: named }: NodeJS.ProcessEnv): string {
  if (named !== undefined && isAbsolute(named)) return named;
  try {
    // Not `homedir()`, which gives the same HOME back.
    const { homedir } = userInfo();
    if (isAbsolute(homedir)) return homedir;
  } catch {
    // This user has no entry in the system's list.
  }
  throw new StorageError('No home folder is known.', 'Set HOME to an absolute path.');
}

/** Paths by the XDG rules on every system but Windows, where everything lies below `%AppData%`: docs/command-line.md#files. */
export function resolvePaths(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux'): Paths {
  const home = homeFolder(env);
  const appData = platform === 'win32' ? env['APPDATA'] : undefined;
  const folder = (name: string, fallback: string): string => {
    if (appData !== undefined) return join(appData, 'swapctl');
    const given = env[name];
    // The XDG specification has relative paths ignored.
    return join(given !== undefined && isAbsolute(given) ? given : join(home, fallback), 'swapctl');
  };
  const configFolder = folder('XDG_CONFIG_HOME', '.config');
  const stateFolder = folder('XDG_STATE_HOME', join('.local', 'state'));
  const cacheFolder = folder('XDG_CACHE_HOME', '.cache');
  return {
    platform,
    configFolder,
    configFile: join(configFolder, 'config.json'),
    stateFolder,
    ledgerFile: join(stateFolder, 'ledger.db'),
    sandboxFile: join(stateFolder, 'sandbox.db'),
    cacheFolder,
  };
}
