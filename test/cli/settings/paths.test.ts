import { userInfo } from 'node:os';
import { join, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolvePaths } from '../../../src/cli/settings/paths.ts';

describe('files and folders', () => {
  it.each(['linux', 'darwin', 'freebsd'] as const)(
    'lie in the XDG folders below the home folder on %s',
    (platform) => {
      expect(resolvePaths({ HOME: '/home/ada' }, platform)).toEqual({
        platform,
        configFolder: '/home/ada/.config/swapctl',
        configFile: '/home/ada/.config/swapctl/config.json',
        stateFolder: '/home/ada/.local/state/swapctl',
        ledgerFile: '/home/ada/.local/state/swapctl/ledger.db',
        sandboxFile: '/home/ada/.local/state/swapctl/sandbox.db',
        cacheFolder: '/home/ada/.cache/swapctl',
      });
    },
  );

  it('are where the XDG variables say', () => {
    const env = { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' };
    expect(resolvePaths(env)).toMatchObject({
      configFile: '/c/swapctl/config.json',
      ledgerFile: '/s/swapctl/ledger.db',
      sandboxFile: '/s/swapctl/sandbox.db',
      cacheFolder: '/k/swapctl',
    });
  });

  it.each(['', 'relative', './here', '~/config'])(
    'are not where an XDG variable is no absolute path: %j',
    (value) => {
      const env = { HOME: '/h', XDG_CONFIG_HOME: value, XDG_STATE_HOME: value, XDG_CACHE_HOME: value };
      expect(resolvePaths(env)).toEqual(resolvePaths({ HOME: '/h' }));
    },
  );

  it('are below %AppData% and %LocalAppData% on Windows, whatever XDG and HOME say', () => {
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

  it("are below the user's profile on Windows if those are not set, or relative", () => {
    const env = { USERPROFILE: 'C:\\Users\\ada', APPDATA: '', LOCALAPPDATA: 'Local' };
    expect(resolvePaths(env, 'win32', win32)).toMatchObject({
      configFile: 'C:\\Users\\ada\\AppData\\Roaming\\swapctl\\config.json',
      ledgerFile: 'C:\\Users\\ada\\AppData\\Local\\swapctl\\ledger.db',
    });
  });

  it("are below the system's home folder if none, or no absolute one, is named", () => {
    const folder = join(userInfo().homedir, '.config', 'swapctl');
    for (const env of [{}, { HOME: '' }, { HOME: 'relative' }, { HOME: '.' }])
      expect(resolvePaths(env).configFolder).toBe(folder);
  });
});
