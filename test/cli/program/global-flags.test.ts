import { describe, expect, it } from 'vitest';
import { folderOfFile } from '../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { runMain } from '../../helpers/run-main.ts';
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

  it('--sandbox takes precedence over SWAPCTL_PROFILE and can be combined with -p sandbox', async () => {
    const options = { home, env: { SWAPCTL_PROFILE: 'prod' } };
    const run = await runMain(words('auth status --json --sandbox -p sandbox'), options);
    expect(run.json(), run.stderr).toMatchObject({ name: 'sandbox', current: false });
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
