import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { PROGRAM } from '../helpers/program.ts';

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
        env: { HOME: folder },
        encoding: 'utf8',
        timeout: 15_000,
      }),
  };
}

describe('a program of which a part is missing', () => {
  it('says that SQLite cannot be loaded, and what to do', async () => {
    const { run } = await copyOfProgram();
    for (const args of [['quote', 'BTC', 'ETH', '0.1'], ['history']]) {
      const { status, stderr } = run(...args, '--json');
      const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
      expect([status, error.code, error.outcome]).toEqual([11, 'storage_failed', 'nothing-sent']);
      expect(error.message).toBe(
        "The program is not complete: SQLite cannot be loaded (Cannot find module '@photostructure/sqlite').",
      );
      expect(error.hint).toBe('Install it again: npm install --global swapctl');
    }
  });

  it('ends when it is asked for its version without a package.json', async () => {
    const { run } = await copyOfProgram();
    const words =
      'error: The program is not complete: its package.json is missing.\nInstall it again: npm install --global swapctl\n';
    for (const args of [['--version'], ['--version', '--no-input']]) {
      expect(run(...args)).toMatchObject({ status: 11, stderr: words });
    }
  });
});
