import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { replaceLocked } from '../../../src/cli/settings/lock.ts';
import { type Paths, resolvePaths } from '../../../src/cli/settings/paths.ts';
import { changeConfig, checkProfile, readConfig } from '../../../src/cli/settings/store.ts';
import { bundleProgram } from '../../core/database/bundle.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { rejection } from '../../helpers/refusal.ts';

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
  changeConfig(paths, (config) => ({
    ...config,
    current: name,
    profiles: { ...config.profiles, [name]: PROFILE },
  }));

/** Both ways to use the configuration. */
const USES = [async () => readConfig(paths), () => add('two')];

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

async function writeRaw(text: string): Promise<void> {
  await mkdir(paths.configFolder, { recursive: true, mode: 0o700 });
  await writeFile(paths.configFile, text, { mode: 0o600 });
}

describe('the config file', () => {
  it('is accessible only to its owner, like its folder', async () => {
    await add('one');
    await add('two');
    expect(await modeOf(paths.configFile)).toBe(0o600);
    expect(await modeOf(paths.configFolder)).toBe(0o700);
    expect(readConfig(paths)).toEqual({
      current: 'two',
      profiles: { one: PROFILE, two: PROFILE },
      settings: {},
      others: {},
    });
    expect(await readdir(paths.configFolder)).toEqual(['config.json']);
  });

  it('is quoted for the shell in the hint that fixes its mode', async () => {
    const home = join(await temporaryFolder(), "ann's files");
    await mkdir(home, { mode: 0o700 });
    paths = resolvePaths({ HOME: home });
    await add('one');
    await chmod(paths.configFile, 0o644);
    const { hint } = await rejection(add('two'));
    execFileSync('sh', ['-c', hint?.replace('Run: ', '') ?? 'false']);
    expect(readConfig(paths).current).toBe('one');
  });

  it('can be a symbolic link, and the mode of the target counts', async () => {
    await add('one');
    const real = join(dirname(paths.configFolder), 'dotfile.json');
    await writeFile(real, await readFile(paths.configFile), { mode: 0o600 });
    await rm(paths.configFile);
    await symlink(real, paths.configFile);
    await add('two');
    expect(Object.keys(readConfig(paths).profiles)).toEqual(['one', 'two']);
    await chmod(real, 0o644);
    expect((await rejection((async () => readConfig(paths))())).code).toBe('storage_failed');
  });

  it('is treated as empty if it is missing or has no settings', async () => {
    expect(readConfig(paths)).toEqual({ current: null, profiles: {}, settings: {}, others: {} });
    await writeRaw('{}');
    expect(readConfig(paths)).toEqual({ current: null, profiles: {}, settings: {}, others: {} });
  });

  it('can have a profile named __proto__', async () => {
    await writeRaw(`{"profiles":{"__proto__":${JSON.stringify(PROFILE)}}}`);
    const { profiles } = readConfig(paths);
    expect(Object.keys(profiles)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(profiles)).toBe(Object.prototype);
  });

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
    ['{"settings":[]}', 'settings is not an object'],
  ])('is rejected as invalid_config: %.40s', async (text, why) => {
    await writeRaw(text);
    for (const work of USES) {
      const error = await rejection(work());
      expect(error).toMatchObject({ code: 'invalid_config', exitCode: 2 });
      expect(error.message).toBe(`The configuration ${paths.configFile} cannot be used: ${why}.`);
    }
    expect(await readFile(paths.configFile, 'utf8')).toBe(text);
  });

  it.each([
    [5, 'invalid_config', 'it is not an object.'],
    [{ ...PROFILE, baseUrl: undefined }, 'invalid_config', 'baseUrl is missing.'],
    [{ ...PROFILE, secret: 5 }, 'invalid_config', 'publicKey or secret is missing.'],
    [{ ...PROFILE, environment: 'LIVE' }, 'invalid_config', 'environment must be sandbox or live.'],
    [
      { ...PROFILE, baseUrl: 'http://api.example.com' },
      'insecure_url',
      'The base URL must start with https: (http: is allowed only for loopback addresses).',
    ],
  ])('keeps an unusable profile and reports it when used: %j', async (bad, code, why) => {
    await writeRaw(JSON.stringify({ profiles: { bad } }));
    await add('two');
    const { profiles } = readConfig(paths);
    expect(profiles).toEqual({ bad: JSON.parse(JSON.stringify(bad)), two: PROFILE });
    expect(checkProfile('two', profiles['two'], paths)).toEqual(PROFILE);
    expect(checkProfile('bad', profiles['bad'], paths)).toMatchObject({
      code,
      message: `The configuration ${paths.configFile} cannot be used: profile bad: ${why}`,
      hint: 'Fix the file, or remove the profile with `swapctl auth logout -p bad`.',
    });
  });

  it('keeps unknown keys of a newer version', async () => {
    const newer = { budget: '60/60s', profiles: { one: { ...PROFILE, keychain: { id: 7 } } }, later: [1] };
    await writeRaw(JSON.stringify(newer));
    await add('two');
    expect(JSON.parse(await readFile(paths.configFile, 'utf8'))).toEqual({
      ...newer,
      current: 'two',
      profiles: { ...newer.profiles, two: PROFILE },
    });
  });

  it('that is a pipe is rejected immediately', async () => {
    await mkdir(paths.configFolder, { recursive: true, mode: 0o700 });
    execFileSync('mkfifo', ['-m', '600', paths.configFile]);
    for (const work of USES) {
      const error = await rejection(work());
      expect([error.code, error.message]).toEqual([
        'storage_failed',
        `The configuration ${paths.configFile} is not a file.`,
      ]);
    }
  });

  it.each([
    ['the file', () => paths.configFile],
    ['its folder', () => paths.configFolder],
    ['the folder above', () => dirname(paths.configFolder)],
  ])('is reported missing, not empty, if %s is a broken link', async (_name, place) => {
    const link = place();
    await mkdir(dirname(link), { recursive: true, mode: 0o700 });
    await symlink(join(dirname(link), 'away'), link);
    for (const work of USES) {
      const error = await rejection(work());
      expect(error.code).toBe('storage_failed');
      expect(error.message).toBe(
        `The configuration ${paths.configFile} is missing: ${link === paths.configFile ? 'it' : link} is a broken link.`,
      );
      expect(error.hint).toBe(`Restore the target of the link, or remove the link: rm ${link}`);
    }
  });

  it('cannot be a folder or inside a file', async () => {
    await mkdir(paths.configFile, { recursive: true, mode: 0o700 });
    expect((await rejection((async () => readConfig(paths))())).code).toBe('storage_failed');
    await rm(paths.configFolder, { recursive: true });
    await writeFile(paths.configFolder, '', { mode: 0o600 });
    expect((await rejection((async () => readConfig(paths))())).code).toBe('storage_failed');
    expect((await rejection(add('one'))).code).toBe('storage_failed');
  });
});

describe('simultaneous changes of the config file', () => {
  it('are all stored', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    await Promise.all(names.map(add));
    expect(Object.keys(readConfig(paths).profiles).toSorted()).toEqual(names.toSorted());
    expect(await readdir(paths.configFolder)).toEqual(['config.json']);
  });

  it('wait for each other across processes', async () => {
    await mkdir(paths.configFolder, { recursive: true, mode: 0o700 });
    const lock = `${paths.configFile}.lock`;
    const holder = spawn(process.execPath, [
      '-e',
      `require('fs').writeFileSync(${JSON.stringify(lock)}, ''); console.log('held'); setTimeout(() => require('fs').rmSync(${JSON.stringify(lock)}), 200)`,
    ]);
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    await add('one');
    expect(readConfig(paths).current).toBe('one');
    expect(await readdir(paths.configFolder)).toEqual(['config.json']);
  });

  it('lose nothing if one process is suspended and resumed', { timeout: 20_000 }, async () => {
    await add('first');
    const program = await bundleProgram(new URL('./add-stopped.ts', import.meta.url), 'add-stopped');
    const child = fork(program, [dirname(dirname(paths.configFolder))]);
    const ended = once(child, 'exit');
    // It stops in the midst of its change, with what it read in hand.
    while (!readFileSync(`/proc/${child.pid}/stat`, 'latin1').includes(') T ')) await setTimeout(10);
    await add('meanwhile');
    expect(Object.keys(readConfig(paths).profiles)).toEqual(['first', 'meanwhile']);
    child.kill('SIGCONT');
    expect(await ended).toEqual([0, null]);
    expect(Object.keys(readConfig(paths).profiles)).toEqual(['first', 'meanwhile', 'stopped']);
    expect(await readdir(paths.configFolder)).toEqual(['config.json']);
  });

  it.each(['before its change is written', 'while', 'after'])(
    'are retried if another process took over the lock %s',
    async (when) => {
      await mkdir(paths.configFolder, { recursive: true, mode: 0o700 });
      const [target, lock] = [join(paths.configFolder, 'x'), join(paths.configFolder, 'x.lock')];
      const drafts: string[] = [];
      await replaceLocked(target, lock, async (draft) => {
        drafts.push(draft);
        const finish = () => writeFile(draft, `first, try ${drafts.length}`);
        if (when === 'after' || drafts.length > 1) await finish();
        if (drafts.length > 1) return;
        if (when === 'while') await writeFile(`${draft}.tmp-59413430669896a2`, 'secret');
        // Whoever thinks this one is gone takes the lock, reads, writes, and lets go.
        await rm(lock);
        await replaceLocked(target, lock, async (other) => {
          expect(await readdir(paths.configFolder)).toEqual(['x.lock']);
          await writeFile(other, 'second');
        });
        expect(await readFile(target, 'utf8')).toBe('second');
        if (when === 'while') await rename(`${draft}.tmp-59413430669896a2`, draft);
        if (when !== 'after') await finish();
      });
      expect(drafts).toHaveLength(2);
      expect(await readFile(target, 'utf8')).toBe('first, try 2');
      expect(await readdir(paths.configFolder)).toEqual(['x']);
    },
  );

  it('leave no lock behind if the change fails', async () => {
    const work = changeConfig(paths, () => {
      throw new SwapctlError('usage', 'no');
    });
    expect((await rejection(work)).code).toBe('usage');
    expect(await readdir(paths.configFolder)).toEqual([]);
  });
});
