import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadOperations } from '../../../src/cli/command-list.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { profileAt, SECRET } from '../../helpers/scene.ts';

const { operations } = await loadOperations();

/** Flags without which a command does not look at the others. */
const NEEDED: Readonly<Record<string, readonly string[]>> = { 'history sent': ['--tx', 'x'] };

describe('--yes', () => {
  const paths = [...operations].flatMap(([path, { changes }]) => (changes === undefined ? [] : [path]));

  it.each(paths)('is accepted by %s', async (path) => {
    const run = await runHere([...path.split(' '), '--yes', '--no-such-flag', ...(NEEDED[path] ?? [])]);
    expect(run.error?.message).toContain('--no-such-flag');
  });

  it('does not become the reason of policy stop', async () => {
    const [home, env] = [await temporaryFolder(), profileAt('http://127.0.0.1:9')];
    expect((await runHere(['policy', 'stop', '--yes'], { home, env })).error).toBeNull();
    const shown = await runHere(['policy', 'show', '--json'], { home, env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ stop: { reason: null } });
  });

  it('is required to log out of a live profile without a terminal', async () => {
    const home = await temporaryFolder();
    const folder = `${home}/.config/swapctl`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const pair = { baseUrl: 'https://api.example.com', publicKey: 'pk', secret: SECRET };
    const profiles = { x: { ...pair, environment: 'live' }, y: { ...pair, environment: 'sandbox' } };
    await writeFile(`${folder}/config.json`, JSON.stringify({ current: 'x', profiles }), { mode: 0o600 });
    const logout = (...args: readonly string[]) => runHere(['auth', 'logout', ...args], { home });
    expect((await logout()).error).toMatchObject({
      code: 'usage',
      hint: 'Pass --yes to remove it. Nothing was changed.',
    });
    expect((await runHere(['auth', 'list'], { home })).stdout).toMatch(/^x\t.*\ny\t/);
    expect((await logout('--yes')).error).toBeNull();
    expect((await logout('-p', 'y')).error).toBeNull();
  });
});
