import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { secretFromCommand } from '../../../src/cli/settings/env-profile.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { startProgram } from '../../helpers/program.ts';
import { profileEnv } from '../../helpers/raw-server.ts';
import { runHere } from '../../helpers/run-here.ts';
import { startSwapService } from '../../helpers/swap-service.ts';

const PATH = { PATH: process.env['PATH'] };
/** Of a run that no one interrupts. */
const GOES_ON = new AbortController().signal;

describe('SWAPCTL_SECRET_COMMAND', () => {
  it.each([
    ['printf the-secret', 'the-secret'],
    ['echo the-secret', 'the-secret'],
    ["printf 'the-secret\\r\\n'", 'the-secret'],
    ["printf 'two\\n\\n'", 'two\n'],
    ['echo "$A secret"', 'own secret'],
    ['printf in-time; sleep 0 &', 'in-time'],
  ])('`%s` gives the secret %j', async (command, secret) => {
    expect(await secretFromCommand(command, { ...PATH, A: 'own' }, GOES_ON)).toBe(secret);
  });

  it.each([
    ['echo the-secret; exit 3', 'failed (exit code 3)'],
    ['kill -TERM $$', 'failed (SIGTERM)'],
    ['true', 'printed nothing'],
    ['echo', 'printed nothing'],
    ['no-such-program-2b7 2>&-', 'failed (exit code 127)'],
    [' \t', 'printed nothing'],
    ['head -c 9000 /dev/zero', 'printed more than 8192 bytes'],
    ['yes the-secret', 'printed more than 8192 bytes'],
  ])('`%s` is rejected because it %s', async (command, words) => {
    await expect(secretFromCommand(command, PATH, GOES_ON)).rejects.toMatchObject({
      code: 'no_credentials',
      exitCode: 4,
      message: `The command of SWAPCTL_SECRET_COMMAND ${words}.`,
      hint: expect.not.stringContaining('the-secret'),
    });
  });

  it('is given up after its time limit, even if child processes continue', async () => {
    await expect(secretFromCommand('sleep 1 & sleep 1', PATH, GOES_ON, 50)).rejects.toMatchObject({
      code: 'no_credentials',
      message: 'The command of SWAPCTL_SECRET_COMMAND did not finish within 0.05 s.',
    });
  });

  it.each([
    ['kill -INT $$', 130],
    ['exit 130', 130],
    ['exit 143', 143],
  ])('interrupts the run if it was ended by a signal: %s', async (command, exitCode) => {
    await expect(secretFromCommand(command, PATH, GOES_ON)).rejects.toMatchObject({
      ...{ code: 'interrupted', exitCode, outcome: 'nothing-sent' },
    });
  });

  it('is not started once the run was interrupted', async () => {
    const reason = new InterruptedError('SIGTERM');
    const never = secretFromCommand('echo the-secret', PATH, AbortSignal.abort(reason));
    await expect(never).rejects.toBe(reason);
  });
});

// The last one ignores SIGTERM.
it.each([
  'sleep 60 & wait',
  '(sleep 60 &); sleep 61',
  'trap "" TERM; sleep 60; sleep 61',
  'sh -c "sleep 60; true"; true',
])('child processes of SWAPCTL_SECRET_COMMAND end when the run is interrupted: %s', async (command) => {
  const folder = await temporaryFolder();
  const [abort, reason] = [new AbortController(), new InterruptedError('SIGTERM')];
  const secret = secretFromCommand(`cd '${folder}'; touch begun; ${command}`, PATH, abort.signal);
  await vi.waitFor(() => expect(existsSync(join(folder, 'begun'))).toBe(true), 15_000);
  await vi.waitFor(() => expect(runningIn(folder)).toBeGreaterThan(1), 15_000);
  abort.abort(reason);
  await expect(secret).rejects.toBe(reason);
  await vi.waitFor(() => expect(runningIn(folder)).toBe(0), 15_000);
});

/** How many processes have a folder as their working directory. */
function runningIn(folder: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  }).length;
}

describe('a profile with SWAPCTL_SECRET_COMMAND', () => {
  it('runs the command once without secrets in its environment and signs with its output', async () => {
    const home = await temporaryFolder();
    const log = join(home, 'log');
    const server = await startSwapService();
    const { SWAPCTL_SECRET, ...pair } = profileEnv(server.url);
    const command = `env | grep -c SWAPCTL_SECRET >> '${log}'; echo ${SWAPCTL_SECRET}`;
    const env = { ...PATH, ...pair, SWAPCTL_SECRET_COMMAND: command } as Record<string, string>;
    onTestFinished(() => server.close());
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
  });

  it('is rejected if the variable is blank', async () => {
    const env = { ...profileEnv('https://api.example.com'), SWAPCTL_SECRET: '', SWAPCTL_SECRET_COMMAND: ' ' };
    const run = await runHere(['quote', 'BTC', 'ETH', '1'], { home: await temporaryFolder(), env });
    expect(run.error).toMatchObject({ code: 'no_credentials', message: 'SWAPCTL_SECRET_COMMAND is blank.' });
  });

  it('can be interrupted while the command runs', async () => {
    const home = await temporaryFolder();
    const begun = join(home, 'begun');
    const env = {
      ...profileEnv('https://api.example.com'),
      ...{ SWAPCTL_SECRET: '', SWAPCTL_SECRET_COMMAND: `echo > '${begun}'; exec sleep 60` },
    };
    const run = startProgram(['quote', 'BTC', 'ETH', '1'], { home, env });
    await vi.waitFor(() => expect(existsSync(begun)).toBe(true), 15_000);
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect([code, stderr]).toEqual([130, 'error: Interrupted; nothing was sent.\n']);
  });
});
