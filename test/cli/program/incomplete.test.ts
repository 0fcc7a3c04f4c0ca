import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { PROGRAM } from '../../helpers/program.ts';

/** Takes a newer Node's own SQLite from it; Node 20 has none, and refuses the flag. */
const WITHOUT_SQLITE = process.allowedNodeEnvironmentFlags.has('--experimental-sqlite')
  ? '--no-experimental-sqlite'
  : '';

/** A copy of the built program as it lies in a package, without anything that is installed beside it. */
async function copyOfProgram(): Promise<{
  run(...args: string[]): { status: number | null; stderr: string };
}> {
  const folder = await temporaryFolder();
  const root = dirname(dirname(PROGRAM));
  for (const part of ['bin', 'dist']) cpSync(join(root, part), join(folder, part), { recursive: true });
  return {
    run: (...args) =>
      spawnSync(process.execPath, [join(folder, 'bin', 'swapctl.js'), ...args], {
        cwd: folder,
        env: { HOME: folder, NODE_OPTIONS: WITHOUT_SQLITE },
        encoding: 'utf8',
        timeout: 15_000,
      }),
  };
}

describe('an incomplete installation', () => {
  it('reports missing SQLite support and how to install it', async () => {
    const { run } = await copyOfProgram();
    for (const args of [['quote', 'BTC', 'ETH', '0.1'], ['history']]) {
      const { status, stderr } = run(...args, '--json');
      const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
      expect([status, error.code, error.outcome]).toEqual([11, 'storage_failed', 'nothing-sent']);
      expect(error.message).toBe(
        `SQLite is missing: Node ${process.versions.node} has no usable SQLite, and the optional package @photostructure/sqlite is not installed.`,
      );
      expect(error.hint).toBe(
        'Use Node 22.16 or newer, or reinstall swapctl from the same package file as before, without --omit=optional.',
      );
    }
  });

  it('fails with exit code 11 for --version if package.json is missing', async () => {
    const { run } = await copyOfProgram();
    const words =
      'error: The installation is incomplete: package.json is missing.\nReinstall swapctl from the same package file as before.\n';
    for (const args of [['--version'], ['--version', '--no-input']]) {
      expect(run(...args)).toMatchObject({ status: 11, stderr: words });
    }
  });
});
