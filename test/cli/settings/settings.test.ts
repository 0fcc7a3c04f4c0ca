import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, win32 } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProfileFlags } from '../../../src/base/errors.ts';
import { type Paths, resolvePaths } from '../../../src/cli/settings/paths.ts';
import { checkProfileName, profileHost } from '../../../src/cli/settings/profile.ts';
import { createSettings } from '../../../src/cli/settings/settings.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { refusal, rejection } from '../../helpers/refusal.ts';

let paths: Paths;
let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
  paths = resolvePaths({ HOME: home });
});

const settings = (env: NodeJS.ProcessEnv = {}, flags: ProfileFlags = {}) => createSettings(env, paths, flags);
const nameOf = async (env: NodeJS.ProcessEnv, flags: ProfileFlags = {}) =>
  (await settings(env, flags).profile()).name;

const stored = (name: string) =>
  ({ baseUrl: `https://${name}.example.com`, publicKey: 'k', secret: 's', environment: 'live' }) as const;

const ENV = { SWAPCTL_PUBLIC_KEY: 'pk', SWAPCTL_SECRET: 'sk', SWAPCTL_BASE_URL: 'http://127.0.0.1:4010/' };

describe('the current profile', () => {
  it('is the built-in sandbox by default', async () => {
    expect(await settings().profile()).toEqual({ kind: 'built-in', name: 'sandbox', environment: 'sandbox' });
  });

  it('is the last stored profile or the profile switched to', async () => {
    await settings().save('one', stored('one'));
    await settings().save('two', stored('two'));
    expect(await nameOf({})).toBe('two');
    await settings().switchTo('one');
    expect(await nameOf({})).toBe('one');
    await settings().switchTo('sandbox');
    expect(await nameOf({})).toBe('sandbox');
  });

  it('is chosen by flag, then environment, then stored choice, then default', async () => {
    for (const name of ['one', 'two']) await settings().save(name, stored(name));
    const all = { ...ENV, SWAPCTL_PROFILE: 'one' };
    expect(await nameOf(all, { sandbox: true })).toBe('sandbox');
    expect(await nameOf(all, { sandbox: true, profile: 'sandbox' })).toBe('sandbox');
    expect(await nameOf(all, { profile: 'two' })).toBe('two');
    expect(await nameOf(all, { profile: 'sandbox' })).toBe('sandbox');
    expect(await nameOf(all, { profile: 'env' })).toBe('env');
    expect(await nameOf(all)).toBe('env');
    expect(await nameOf({ SWAPCTL_PROFILE: 'one' })).toBe('one');
    expect(await nameOf({ SWAPCTL_PROFILE: '' })).toBe('two');
  });

  it('contains the stored values and the path of the config file', async () => {
    await settings().save('one', stored('one'));
    expect(await settings().profile()).toEqual({
      kind: 'remote',
      name: 'one',
      source: paths.configFile,
      ...stored('one'),
    });
  });

  it.each([[{ profile: 'nope' }], [{ profile: '__proto__' }], [{ profile: 'constructor' }]])(
    'cannot be a name that is not stored: %j',
    async (flags) => {
      await settings().save('one', stored('one'));
      const error = await rejection(settings({}, flags).profile());
      expect(error.message).toBe(`Profile ${flags.profile} does not exist.`);
      expect(error).toMatchObject({ code: 'no_credentials', exitCode: 4 });
      expect(error.hint).toBe(
        `Stored profiles: one. To add it, run \`swapctl auth login -p ${flags.profile}\`.`,
      );
    },
  );

  it('is replaced by the sandbox when removed', async () => {
    await settings().save('one', stored('one'));
    await settings().remove('one');
    expect(await nameOf({})).toBe('sandbox');
    expect(await settings().list()).toEqual([]);
    expect(await rejection(settings().remove('one'))).toMatchObject({
      code: 'no_credentials',
      message: 'Profile one does not exist.',
      hint: 'No profiles are stored. To add it, run `swapctl auth login -p one`.',
    });
  });

  it.each([
    ['that is not an object', 5],
    ['without a secret', { ...stored('one'), secret: undefined }],
  ])('can be removed by name, including an entry %s', async (_, entry) => {
    await settings().save('two', stored('two'));
    await writeFile(
      paths.configFile,
      JSON.stringify({ current: 'one', profiles: { one: entry, two: stored('two') } }),
      { mode: 0o600 },
    );
    await rejection(settings().profile());
    expect(await nameOf({}, { profile: 'two' })).toBe('two');
    expect((await settings().list()).map(({ name }) => name)).toEqual(['one', 'two']);
    expect(await settings().profileName()).toBe('one');
    await settings().remove('one');
    expect(JSON.parse(await readFile(paths.configFile, 'utf8'))).toEqual({
      current: null,
      profiles: { two: stored('two') },
    });
    expect(await nameOf({}, { profile: 'two' })).toBe('two');
  });

  it.each(['one', 'env', 'nope'])('cannot be both --sandbox and --profile %s', (profile) => {
    expect(() => settings({}, { sandbox: true, profile })).toThrow(
      `--sandbox and --profile ${profile} cannot be combined.`,
    );
  });

  it('without flags is the profile of the environment, the stored choice or the sandbox', async () => {
    const current = (env: NodeJS.ProcessEnv) => settings(env, { profile: 'two' }).current();
    expect(await current({})).toBe('sandbox');
    for (const name of ['one', 'two']) await settings().save(name, stored(name));
    await settings().switchTo('one');
    expect(await current({})).toBe('one');
    expect(await current({ SWAPCTL_PROFILE: 'nope' })).toBe('nope');
    expect(await current({ SWAPCTL_SECRET: 'alone' })).toBe('env');
    await settings().remove('one');
    expect(await current({})).toBeNull();
  });
});

describe('the environment profile', () => {
  it('consists of public key, secret and base URL', async () => {
    expect(await settings(ENV).profile()).toEqual({
      kind: 'remote',
      name: 'env',
      source: 'environment variables',
      baseUrl: 'http://127.0.0.1:4010',
      publicKey: 'pk',
      secret: 'sk',
      environment: 'sandbox',
      variables: { publicKey: 'SWAPCTL_PUBLIC_KEY', secret: 'SWAPCTL_SECRET' },
    });
  });

  it('is live unless the base URL is a loopback address', async () => {
    const profile = await settings({ ...ENV, SWAPCTL_BASE_URL: 'https://api.example.com' }).profile();
    expect(profile.environment).toBe('live');
  });

  it.each([
    [['SWAPCTL_PUBLIC_KEY'], 'SWAPCTL_PUBLIC_KEY'],
    [['SWAPCTL_SECRET'], 'SWAPCTL_SECRET, SWAPCTL_SECRET_FILE or SWAPCTL_SECRET_COMMAND'],
    [['SWAPCTL_BASE_URL'], 'SWAPCTL_BASE_URL'],
    [['SWAPCTL_PUBLIC_KEY', 'SWAPCTL_BASE_URL'], 'SWAPCTL_PUBLIC_KEY and SWAPCTL_BASE_URL'],
    [
      ['SWAPCTL_PUBLIC_KEY', 'SWAPCTL_SECRET'],
      'SWAPCTL_PUBLIC_KEY and SWAPCTL_SECRET, SWAPCTL_SECRET_FILE or SWAPCTL_SECRET_COMMAND',
    ],
  ])('is rejected without %j, even if a profile is stored', async (missing, words) => {
    await settings().save('one', stored('one'));
    const env = Object.fromEntries(Object.entries(ENV).filter(([name]) => !missing.includes(name)));
    const error = await rejection(settings(env).profile());
    expect(error).toMatchObject({ code: 'no_credentials', exitCode: 4 });
    expect(error.message).toBe(`The environment profile needs ${words}.`);
  });

  it('can read its secret from a file and removes surrounding whitespace', async () => {
    const file = join(home, 'secret');
    const { SWAPCTL_SECRET: _, ...others } = ENV;
    for (const [text, secret] of [
      ['from a file\n', 'from a file'],
      ['crlf\r\n', 'crlf'],
      [' spaces ', 'spaces'],
    ]) {
      await writeFile(file, text ?? '', { mode: 0o600 });
      expect(await settings({ ...others, SWAPCTL_SECRET_FILE: file }).profile()).toMatchObject({
        secret,
        source: file,
      });
    }
    const both = await settings({ ...ENV, SWAPCTL_SECRET_FILE: file }).profile();
    expect(both).toMatchObject({ secret: 'sk', source: 'environment variables' });
  });

  it('is rejected if its secret file is missing, a folder or empty', async () => {
    const { SWAPCTL_SECRET: _, ...others } = ENV;
    const ask = (file: string) => rejection(settings({ ...others, SWAPCTL_SECRET_FILE: file }).profile());
    expect(await ask(join(home, 'nowhere'))).toMatchObject({ code: 'storage_failed', exitCode: 11 });
    expect((await ask(home)).message).toBe('The file of SWAPCTL_SECRET_FILE could not be read (EISDIR).');
    await writeFile(join(home, 'empty'), '\n');
    expect((await ask(join(home, 'empty'))).code).toBe('no_credentials');
  });

  it('can read its secret from a pipe that has a writer', async () => {
    const { SWAPCTL_SECRET: _, ...others } = ENV;
    const pipe = join(home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const ask = () => settings({ ...others, SWAPCTL_SECRET_FILE: pipe }).profile();
    const error = await rejection(ask());
    expect([error.code, error.message]).toEqual([
      'storage_failed',
      'The file of SWAPCTL_SECRET_FILE is a pipe without a writer.',
    ]);
    const writer = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const asked = ask();
    await new Promise(setImmediate);
    writeSync(writer, 'from a pipe\n');
    closeSync(writer);
    expect(await asked).toMatchObject({ secret: 'from a pipe' });
    expect(
      (await rejection(settings({ ...others, SWAPCTL_SECRET_FILE: '/dev/null' }).profile())).message,
    ).toBe('The file of SWAPCTL_SECRET_FILE is neither a file nor a pipe.');
  });

  it('never shows the secret in an error', async () => {
    const secret = 'line one\nline two';
    const error = await rejection(settings({ ...ENV, SWAPCTL_SECRET: secret }).profile());
    expect(JSON.stringify([error.message, error.hint, error.details, error.stack])).not.toContain('line two');
  });
});

it('the ledger location is in the state folder unless SWAPCTL_LEDGER is set', () => {
  expect(settings().ledgerLocation).toBe(paths.ledgerFile);
  expect(settings({ SWAPCTL_LEDGER: '' }).ledgerLocation).toBe(paths.ledgerFile);
  expect(settings({ SWAPCTL_LEDGER: 'postgres://h/d' }).ledgerLocation).toBe('postgres://h/d');
});

it('the list of stored profiles is empty at first, and reading it creates no file', async () => {
  await mkdir(paths.configFolder, { recursive: true });
  expect(await settings().list()).toEqual([]);
  expect(await readdir(paths.configFolder)).toEqual([]);
});

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

it('the base URL of a profile is displayed as its host', () => {
  const remote = { ...stored('p'), kind: 'remote', name: 'p', source: '' } as const;
  expect(profileHost({ ...remote, baseUrl: 'https://api.example.com:8443/v1' })).toBe('api.example.com:8443');
  expect(profileHost({ kind: 'built-in', name: 'sandbox', environment: 'sandbox' })).toBe(
    'the built-in service',
  );
});

describe('a profile name', () => {
  it.each(['prod', 'A', '0', 'my.prod_2-x', 'a'.repeat(64)])('can be %s', (name) => {
    expect(checkProfileName(name)).toBe(name);
  });

  it.each(['', '-p', '.hidden', 'a b', 'a/b', '../x', 'ü', 'a\n', 'a'.repeat(65)])('cannot be %j', (name) => {
    expect(refusal(() => checkProfileName(name))?.code).toBe('usage');
  });

  it.each(['env', 'sandbox'])('cannot be the reserved name %s', (name) => {
    expect(refusal(() => checkProfileName(name))?.message).toBe(
      `The profile name ${name} is reserved by swapctl; choose another.`,
    );
  });
});
