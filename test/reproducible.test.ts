import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const MEGABYTE = 1024 * 1024;

let folder: string;
/** The package of this checkout, and its unpacked folder. */
let tarball: string;
let unpacked: string;

beforeAll(async () => {
  folder = await mkdtemp(join(process.env['SWAPCTL_TEST_DISK'] ?? tmpdir(), 'swapctl-reproducible-'));
  unpacked = join(folder, 'package');
  tarball = await packed(ROOT, folder);
  await run('tar', ['-xzf', tarball, '-C', folder]);
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds the package of a checkout in a folder. */
async function packed(checkout: string, out: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['build/package.mjs', 'owner/name', '--out', out], {
    ...{ cwd: checkout, maxBuffer: MEGABYTE },
  });
  return join(out, stdout.trim());
}

async function manifest(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'));
}

describe('the released package', () => {
  it('has the same bytes if it is built in another folder', async () => {
    const other = join(folder, 'elsewhere');
    await mkdir(other);
    const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
    });
    for (const file of stdout.split('\0').filter((path) => path !== '' && !path.startsWith('test/')))
      await cp(join(ROOT, file), join(other, file), { recursive: true });
    // A symbolic link would put paths of this checkout into the build.
    await run('cp', ['--archive', '--link', join(ROOT, 'node_modules'), other]);
    await run('npm', ['run', 'build'], { cwd: other, maxBuffer: MEGABYTE });
    const out = join(folder, 'out');
    await mkdir(out);
    const again = await readFile(await packed(other, out));
    expect(again.equals(await readFile(tarball))).toBe(true);
  }, 120_000);

  it('names its repository and has no scripts and dependencies in its manifest', async () => {
    expect(await manifest()).toMatchObject({
      repository: { type: 'git', url: 'git+https://github.com/owner/name.git' },
      homepage: 'https://github.com/owner/name#readme',
      bugs: { url: 'https://github.com/owner/name/issues' },
    });
    expect(
      Object.keys(await manifest()).filter((key) => /^(scripts|dependencies|devDependencies)$/.test(key)),
    ).toEqual([]);
  });

  it('has at most 5 MB without its optional packages', async () => {
    const files = await readdir(unpacked, { recursive: true, withFileTypes: true });
    const sizes = files
      .filter((each) => each.isFile())
      .map(async (each) => (await readFile(join(each.parentPath, each.name))).length);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(5_000_000);
  });

  it('has a bill of materials with the checksum of each bundled package', async () => {
    const bom = JSON.parse(await readFile(join(unpacked, 'sbom.cdx.json'), 'utf8'));
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { name: 'swapctl' } },
    });
    const listed = new Map<string, { hashes?: { alg: string; content: string }[] }>(
      bom.components.map((each: { name: string; version: string }) => [`${each.name} ${each.version}`, each]),
    );
    const licences = await readFile(join(unpacked, 'dist', 'THIRD-PARTY-LICENCES.txt'), 'utf8');
    const bundled = licences
      .split(`\n${'-'.repeat(78)}\n\n`)
      .flatMap((text) => text.split('\n\n')[0]?.trim().split('\n') ?? [])
      .map((line) => line.slice(0, line.indexOf(' (')));
    expect(bundled.length).toBeGreaterThan(80);
    const { optionalDependencies } = await manifest();
    expect([...listed.keys()]).toEqual(expect.arrayContaining(bundled));
    for (const name of Object.keys(optionalDependencies as object))
      expect(
        [...listed.keys()].some((each) => each.startsWith(`${name} `)),
        name,
      ).toBe(true);
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
    for (const each of bundled) {
      const [name, version] = each.split(' ');
      // Some packages are installed in several versions.
      const locked = Object.entries<{ version: string; integrity: string }>(lock.packages).find(
        ([path, found]) => path.endsWith(`node_modules/${name}`) && found.version === version,
      );
      const [hash] = listed.get(each)?.hashes ?? [];
      expect(`sha512-${Buffer.from(hash?.content ?? '', 'hex').toString('base64')}`, each).toBe(
        locked?.[1].integrity,
      );
    }
  });
});
