import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../src/errors.ts';
import { withLock } from '../../src/settings/lock.ts';
import type { Paths } from '../../src/settings/paths.ts';
import { resolvePaths } from '../../src/settings/paths.ts';
import { changeConfig, readConfig } from '../../src/settings/store.ts';
import { temporaryFolder } from '../helpers/home.ts';

let paths: Paths;
beforeEach(async () => {
  paths = resolvePaths({ HOME: await temporaryFolder() });
});

const PROFILE = {
  baseUrl: 'https://api.example.com',
  publicKey: 'pk',
  secret: 'sk',
  environment: 'live',
} as const;

const add = (name: string) =>
  changeConfig(paths, ({ profiles }) => ({ current: name, profiles: { ...profiles, [name]: PROFILE } }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

async function refusal(work: Promise<unknown>): Promise<SwapctlError> {
  const error = await work.then(
    () => expect.fail('nothing was refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof SwapctlError) return error;
  throw error;
}

async function writeRaw(text: string): Promise<void> {
  await mkdir(paths.configFolder, { recursive: true, mode: 0o700 });
  await writeFile(paths.configFile, text, { mode: 0o600 });
}

describe('the configuration file', () => {
  it('is readable by its owner alone, in a folder of its owner alone', async () => {
    await add('one');
    await add('two');
    expect(await modeOf(paths.configFile)).toBe(0o600);
    expect(await modeOf(paths.configFolder)).toBe(0o700);
    expect(await readConfig(paths)).toEqual({ current: 'two', profiles: { one: PROFILE, two: PROFILE } });
    expect(await readdir(paths.configFolder)).toEqual(['config.json']);
  });

  it('is JSON that anyone can read and mend', async () => {
    await add('one');
    expect(JSON.parse(await readFile(paths.configFile, 'utf8'))).toEqual({
      current: 'one',
      profiles: { one: PROFILE },
    });
  });

  it.each([0o644, 0o640, 0o604, 0o620, 0o666])(
    'is refused with mode %o, for reading and for writing',
    async (mode) => {
      await add('one');
      await chmod(paths.configFile, mode);
      for (const work of [() => readConfig(paths), () => add('two')]) {
        const error = await refusal(work());
        expect(error).toMatchObject({ code: 'storage_failed', exitCode: 11 });
        expect(error.message).toBe(`Others can read ${paths.configFile}, which holds secrets.`);
        expect(error.hint).toBe(`Run: chmod 600 '${paths.configFile}'`);
      }
      await chmod(paths.configFile, 0o600);
      expect((await readConfig(paths)).current).toBe('one');
    },
  );

  it.each([0o755, 0o750, 0o711])('is refused in a folder with mode %o', async (mode) => {
    await add('one');
    await chmod(paths.configFolder, mode);
    for (const work of [() => readConfig(paths), () => add('two')]) {
      const error = await refusal(work());
      expect(error.message).toBe(`Others can read ${paths.configFolder}, which holds secrets.`);
      expect(error.hint).toBe(`Run: chmod 700 '${paths.configFolder}'`);
    }
  });

  it('may be a link to a file elsewhere, whose mode counts', async () => {
    await add('one');
    const real = join(dirname(paths.configFolder), 'dotfile.json');
    await writeFile(real, await readFile(paths.configFile), { mode: 0o600 });
    await rm(paths.configFile);
    await symlink(real, paths.configFile);
    await add('two');
    expect(Object.keys((await readConfig(paths)).profiles)).toEqual(['one', 'two']);
    await chmod(real, 0o644);
    expect((await refusal(readConfig(paths))).code).toBe('storage_failed');
  });

  it('that is not there is empty, and so is one without content of ours', async () => {
    expect(await readConfig(paths)).toEqual({ current: null, profiles: {} });
    await writeRaw('{}');
    expect(await readConfig(paths)).toEqual({ current: null, profiles: {} });
  });

  it('takes a profile of any name as a name and no more', async () => {
    await writeRaw(`{"profiles":{"__proto__":${JSON.stringify(PROFILE)}}}`);
    const { profiles } = await readConfig(paths);
    expect(Object.keys(profiles)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(profiles)).toBe(Object.prototype);
  });

  const profile = (change: object) => JSON.stringify({ profiles: { one: { ...PROFILE, ...change } } });
  it.each([
    ['{', 'it is not JSON'],
    ['not json', 'it is not JSON'],
    ['', 'it is not JSON'],
    ['[]', 'it is not an object'],
    ['5', 'it is not an object'],
    ['"text"', 'it is not an object'],
    ['null', 'it is not an object'],
    ['{"current":5}', 'current is not a name'],
    ['{"profiles":[]}', 'profiles is not an object'],
    ['{"profiles":{"one":5}}', 'profile one: it is not an object'],
    [profile({ baseUrl: undefined }), 'profile one: baseUrl is missing'],
    [profile({ secret: 5 }), 'profile one: publicKey or secret is missing'],
    [profile({ environment: 'LIVE' }), 'profile one: environment is neither sandbox nor live'],
  ])('is invalid_config where it cannot be ours: %.40s', async (text, why) => {
    await writeRaw(text);
    for (const work of [() => readConfig(paths), () => add('two')]) {
      const error = await refusal(work());
      expect(error).toMatchObject({ code: 'invalid_config', exitCode: 2 });
      expect(error.message).toBe(`The configuration ${paths.configFile} cannot be used: ${why}.`);
    }
    expect(await readFile(paths.configFile, 'utf8')).toBe(text);
  });

  it('is refused with an insecure base URL in it', async () => {
    await writeRaw(profile({ baseUrl: 'http://api.example.com' }));
    expect((await refusal(readConfig(paths))).code).toBe('insecure_url');
  });

  it('cannot be a folder, nor lie in a file', async () => {
    await mkdir(paths.configFile, { recursive: true, mode: 0o700 });
    expect((await refusal(readConfig(paths))).code).toBe('storage_failed');
    await rm(paths.configFolder, { recursive: true });
    await writeFile(paths.configFolder, '', { mode: 0o600 });
    expect((await refusal(readConfig(paths))).code).toBe('storage_failed');
    expect((await refusal(add('one'))).code).toBe('storage_failed');
  });
});

describe('two that change the configuration at once', () => {
  it('both get their way, whatever their number', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    await Promise.all(names.map(add));
    expect(Object.keys((await readConfig(paths)).profiles).toSorted()).toEqual(names.toSorted());
    expect(await readdir(paths.configFolder)).toEqual(['config.json']);
  });

  it('wait for each other in separate processes too', async () => {
    await mkdir(paths.configFolder, { recursive: true, mode: 0o700 });
    const lock = `${paths.configFile}.lock`;
    const holder = spawn(process.execPath, [
      '-e',
      `require('fs').writeFileSync(${JSON.stringify(lock)}, ''); console.log('held'); setTimeout(() => require('fs').rmSync(${JSON.stringify(lock)}), 200)`,
    ]);
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    await add('one');
    expect((await readConfig(paths)).current).toBe('one');
    expect(await readdir(paths.configFolder)).toEqual(['config.json']);
  });

  it('are not held up by the lock of a process that died', async () => {
    await mkdir(paths.configFolder, { recursive: true, mode: 0o700 });
    const lock = `${paths.configFile}.lock`;
    await writeFile(lock, '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(lock, longAgo, longAgo);
    await add('one');
    expect((await readConfig(paths)).current).toBe('one');
  });

  it('leave no lock behind when the change is refused', async () => {
    const work = changeConfig(paths, () => {
      throw new SwapctlError('usage', 'no');
    });
    expect((await refusal(work)).code).toBe('usage');
    expect(await readdir(paths.configFolder)).toEqual([]);
    expect(await withLock(join(paths.configFolder, 'x.lock'), async () => 5)).toBe(5);
  });
});
