import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { PROGRAM } from '../../helpers/program.ts';

interface CompileCache {
  privateFolder(env: NodeJS.ProcessEnv, platform: string, user: number | undefined): string | undefined;
}

const { privateFolder } = createRequire(PROGRAM)('./compile-cache.js') as CompileCache;

const ME = process.geteuid?.();

describe.runIf(ME !== undefined)('the private compile cache folder', () => {
  const chosen = (env: NodeJS.ProcessEnv, user = ME) => privateFolder(env, 'linux', user);

  it("is created in the user's cache with mode 700", async () => {
    const home = await temporaryFolder();
    const folder = join(home, '.cache', 'swapctl', 'compile-cache');
    expect(chosen({ HOME: home })).toBe(folder);
    for (const each of [folder, join(folder, '..'), join(folder, '..', '..')]) {
      expect(statSync(each).mode & 0o777).toBe(0o700);
    }
    expect(chosen({ HOME: home })).toBe(folder);
    const elsewhere = await temporaryFolder();
    expect(chosen({ HOME: home, XDG_CACHE_HOME: elsewhere })).toBe(
      join(elsewhere, 'swapctl', 'compile-cache'),
    );
    expect(chosen({ HOME: home, XDG_CACHE_HOME: 'relative' })).toBe(folder);
  });

  it('is not used without a home folder or on Windows', () => {
    expect(chosen({})).toBeUndefined();
    expect(chosen({ HOME: 'relative' })).toBeUndefined();
    expect(privateFolder({ HOME: '/root' }, 'win32', ME)).toBeUndefined();
  });
});

describe.runIf(ME !== undefined)('the program on a Node version with a compile cache', () => {
  /** Puts what Node 22 has in the place of what this one may lack, and notes what it is called with. */
  async function asked(prepare: (cache: string) => void): Promise<string[]> {
    const home = await temporaryFolder();
    const [notes, preload] = [join(home, 'notes'), join(home, 'preload.cjs')];
    writeFileSync(
      preload,
      `require('node:module').enableCompileCache = (...folders) =>
        require('node:fs').appendFileSync(${JSON.stringify(notes)}, JSON.stringify(folders) + '\\n');`,
    );
    const cache = join(home, '.cache');
    mkdirSync(cache);
    prepare(cache);
    const run = spawnSync(process.execPath, ['--require', preload, PROGRAM, 'help', 'statuses'], {
      env: { HOME: home },
    });
    expect(run.status).toBe(0);
    if (!existsSync(notes)) return [];
    return readFileSync(notes, 'utf8').trim().replaceAll(home, '~').split('\n');
  }

  it('passes the private folder to Node or leaves the cache off', async () => {
    expect(await asked(() => undefined)).toEqual(['["~/.cache/swapctl/compile-cache"]']);
    expect(await asked((cache) => mkdirSync(join(cache, 'swapctl'), { mode: 0o755 }))).toEqual([]);
  });
});
