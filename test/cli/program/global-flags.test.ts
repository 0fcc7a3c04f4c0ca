import { describe, expect, it } from 'vitest';
import { loadOperations } from '../../../src/cli/command-list.ts';
import { writeConfig } from '../../helpers/config.ts';
import { folderOfFile, temporaryFolder } from '../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { runMain } from '../../helpers/run-main.ts';
import { profileAt, SECRET } from '../../helpers/scene.ts';
import { words } from '../../helpers/words.ts';

const home = await folderOfFile();

const swapctl = (line: string) => runMain(line.split(' '), { home });

describe('a global flag', () => {
  it.for(['--json networks USDD', 'networks --json USDD', 'networks USDD --json'])(
    'is accepted before and after the command: %s',
    async (line) => {
      expect((await swapctl(`${line} --sandbox`)).json()).toMatchObject({ coin: 'USDD' });
    },
  );

  it('-p selects the profile at any position', async () => {
    for (const line of ['-p nope coins', 'coins -p nope', 'coins --profile=nope', 'status -wp nope'])
      expect((await swapctl(`${line} --json`)).error()).toMatchObject({
        code: 'no_credentials',
        exitCode: 4,
      });
  });

  it('--no-color equals --color never, and the last one wins', async () => {
    const options = { home, terminals: AT_TERMINAL, env: { NO_COLOR: '', TERM: 'xterm' } };
    const screen = async (flags: string) =>
      (await runHere(words(`networks USDD --sandbox ${flags}`), options)).stdout;
    const never = await screen('--color never');
    expect(await screen('')).not.toBe(never);
    expect(await screen('--no-color')).toBe(never);
    expect(await screen('--color always --no-color')).toBe(never);
    expect(await screen('--no-color --color always')).not.toBe(never);
  });

  it('--debug prints no stack for a usage error', async () => {
    const { code, stderr } = await swapctl('coins --nope --debug');
    expect([code, stderr]).toEqual([2, 'error: Unknown flag --nope.\nSee `swapctl coins --help`.\n']);
  });

  it('--timeout accepts durations above the limit of setTimeout', async () => {
    const run = await swapctl('quote BTC ETH 0.1 --timeout 365d');
    expect([run.code, run.stderr]).toEqual([0, '']);
  });

  it('--quiet hides notices but not results and errors', async () => {
    expect((await swapctl('coins nosuchcoin')).stderr).toBe('No coin matches.\n');
    expect((await swapctl('coins nosuchcoin -q')).stderr).toBe('');
    expect((await swapctl('status -wq')).stderr).toBe('');
    expect((await swapctl('coins usdd -q')).stdout).toBe('USDD\tDecentralized USD\tTRX\t\t\n');
    expect((await swapctl('-q nope')).stderr).toContain('Unknown command nope.');
  });
});

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
    const pair = { baseUrl: 'https://api.example.com', publicKey: 'pk', secret: SECRET };
    const profiles = { x: { ...pair, environment: 'live' }, y: { ...pair, environment: 'sandbox' } };
    writeConfig(home, { current: 'x', profiles });
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
