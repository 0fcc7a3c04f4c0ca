import { userInfo } from 'node:os';
import { join, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolvePaths } from '../../../src/cli/settings/paths.ts';

describe('the files and folders of swapctl', () => {
  it.each(['linux', 'darwin', 'freebsd'] as const)('are in the XDG default folders on %s', (platform) => {
    expect(resolvePaths({ HOME: '/home/ada' }, platform)).toEqual({
      platform,
      configFolder: '/home/ada/.config/swapctl',
      configFile: '/home/ada/.config/swapctl/config.json',
      stateFolder: '/home/ada/.local/state/swapctl',
      ledgerFile: '/home/ada/.local/state/swapctl/ledger.db',
      sandboxFile: '/home/ada/.local/state/swapctl/sandbox.db',
      cacheFolder: '/home/ada/.cache/swapctl',
    });
  });

  it('are in the folders of the XDG variables', () => {
    const env = { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' };
    expect(resolvePaths(env)).toMatchObject({
      configFile: '/c/swapctl/config.json',
      ledgerFile: '/s/swapctl/ledger.db',
      sandboxFile: '/s/swapctl/sandbox.db',
      cacheFolder: '/k/swapctl',
    });
  });

  it.each(['', 'relative', './here', '~/config'])(
    'ignore XDG variables that are not absolute paths: %j',
    (value) => {
      const env = { HOME: '/h', XDG_CONFIG_HOME: value, XDG_STATE_HOME: value, XDG_CACHE_HOME: value };
      expect(resolvePaths(env)).toEqual(resolvePaths({ HOME: '/h' }));
    },
  );

  it('are in %AppData% and %LocalAppData% on Windows, regardless of XDG variables and HOME', () => {
    const env = {
      APPDATA: 'C:\\Users\\ada\\AppData\\Roaming',
      LOCALAPPDATA: 'D:\\Local',
      XDG_CONFIG_HOME: 'C:\\c',
      HOME: 'C:\\h',
    };
    expect(resolvePaths(env, 'win32', win32)).toEqual({
      platform: 'win32',
      configFolder: 'C:\\Users\\ada\\AppData\\Roaming\\swapctl',
      configFile: 'C:\\Users\\ada\\AppData\\Roaming\\swapctl\\config.json',
      stateFolder: 'D:\\Local\\swapctl',
      ledgerFile: 'D:\\Local\\swapctl\\ledger.db',
      sandboxFile: 'D:\\Local\\swapctl\\sandbox.db',
      cacheFolder: 'D:\\Local\\swapctl\\cache',
    });
  });

  it('are in the user profile on Windows if these variables are missing or relative', () => {
    const env = { USERPROFILE: 'C:\\Users\\ada', APPDATA: '', LOCALAPPDATA: 'Local' };
    expect(resolvePaths(env, 'win32', win32)).toMatchObject({
      configFile: 'C:\\Users\\ada\\AppData\\Roaming\\swapctl\\config.json',
      ledgerFile: 'C:\\Users\\ada\\AppData\\Local\\swapctl\\ledger.db',
    });
  });

  it("are in the system's home folder if HOME is missing or relative", () => {
    const folder = join(userInfo().homedir, '.config', 'swapctl');
    for (const env of [{}, { HOME: '' }, { HOME: 'relative' }, { HOME: '.' }])
      expect(resolvePaths(env).configFolder).toBe(folder);
  });
});
