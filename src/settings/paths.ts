import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The process environment, or a test's. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Folders and files of one person on one machine; nothing in here is created by asking. */
export interface Paths {
  readonly configFolder: string;
  readonly configFile: string;
  readonly stateFolder: string;
  readonly ledgerFile: string;
  readonly sandboxFile: string;
  readonly cacheFolder: string;
}

/** Paths by the XDG rules on every system but Windows, where all lies below `%AppData%`. */
export function resolvePaths(env: Env, platform: NodeJS.Platform = 'linux'): Paths {
  const home = env['HOME'] !== undefined && isAbsolute(env['HOME']) ? env['HOME'] : homedir();
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
    configFolder,
    configFile: join(configFolder, 'config.json'),
    stateFolder,
    ledgerFile: join(stateFolder, 'ledger.db'),
    sandboxFile: join(stateFolder, 'sandbox.db'),
    cacheFolder,
  };
}
