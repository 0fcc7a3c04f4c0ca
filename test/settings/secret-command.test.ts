import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secretFromCommand } from '../../src/settings/secret-command.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { profileEnv } from '../helpers/raw-server.ts';
import { runHere } from '../helpers/run-here.ts';
import { startSwapService } from '../helpers/swap-service.ts';

const PATH = { PATH: process.env['PATH'] };

describe('the command of SWAPCTL_SECRET_COMMAND', () => {
  it.each([
    ['printf the-secret', 'the-secret'],
    ['echo the-secret', 'the-secret'],
    ["printf 'the-secret\\r\\n'", 'the-secret'],
    ["printf 'two\\n\\n'", 'two\n'],
    ['echo "$A secret"', 'own secret'],
    ['printf in-time; sleep 0 &', 'in-time'],
  ])('%s prints %j', async (command, secret) => {
    expect(await secretFromCommand(command, { ...PATH, A: 'own' })).toBe(secret);
  });

  it.each([
    ['echo the-secret; exit 3', 'failed (exit code 3)'],
    ['kill -TERM $$', 'failed (SIGTERM)'],
    ['true', 'prints nothing'],
    ['echo', 'prints nothing'],
    ['no-such-program-2b7 2>&-', 'failed (exit code 127)'],
    ['head -c 9000 /dev/zero', 'prints more than any secret has'],
    ['yes the-secret', 'prints more than any secret has'],
  ])('%s: %s', async (command, words) => {
    await expect(secretFromCommand(command, PATH)).rejects.toMatchObject({
      code: 'no_credentials',
      exitCode: 4,
      message: `The command of SWAPCTL_SECRET_COMMAND ${words}.`,
      hint: expect.not.stringContaining('the-secret'),
    });
  });

  it('is not waited for longer than its time limit, whatever it started', async () => {
    await expect(secretFromCommand('sleep 1 & sleep 1', PATH, 50)).rejects.toMatchObject({
      code: 'no_credentials',
      message: 'The command of SWAPCTL_SECRET_COMMAND did not end within 0.05 s.',
    });
  });

  it('ends the run as Ctrl-C does where Ctrl-C ended it', async () => {
    await expect(secretFromCommand('kill -INT $$', PATH)).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('a profile whose secret a command prints', () => {
  it('signs with it, asks for it once, says where it comes from, and gives the command no secret', async () => {
    const home = await temporaryFolder();
    const log = join(home, 'log');
    const server = await startSwapService();
    const { SWAPCTL_SECRET, ...pair } = profileEnv(server.url);
    const command = `env | grep -c SWAPCTL_SECRET >> '${log}'; echo ${SWAPCTL_SECRET}`;
    const env = { ...PATH, ...pair, SWAPCTL_SECRET_COMMAND: command } as Record<string, string>;
    try {
      await writeFile(log, '');
      const run = await runHere(['auth', 'status', '--json'], { home, env });
      expect(JSON.parse(run.stdout)).toMatchObject({
        name: 'env',
        state: 'verified',
        secret: { place: 'the command of SWAPCTL_SECRET_COMMAND', plainText: false },
      });
      expect(await readFile(log, 'utf8')).toBe('0\n');
      const own = await runHere(['auth', 'status', '--json'], {
        home,
        env: { ...env, SWAPCTL_SECRET: SWAPCTL_SECRET ?? '', SWAPCTL_SECRET_COMMAND: 'exit 1' },
      });
      expect(JSON.parse(own.stdout)).toMatchObject({ secret: { place: 'environment variables' } });
    } finally {
      await server.close();
    }
  });

  it('is told of where the command fails, by the doctor too', async () => {
    const home = await temporaryFolder();
    const env = {
      ...profileEnv('https://api.example.com'),
      SWAPCTL_SECRET: '',
      SWAPCTL_SECRET_COMMAND: 'exit 2',
    };
    const run = await runHere(['quote', 'BTC', 'ETH', '1'], { home, env });
    expect(run.error).toMatchObject({ code: 'no_credentials', exitCode: 4, outcome: 'nothing-sent' });
    const doctor = await runHere(['doctor', '--json'], { home, env });
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; detail: string }[] };
    expect(checks.find(({ name }) => name === 'profile')?.detail).toContain('failed (exit code 2)');
  });
});
