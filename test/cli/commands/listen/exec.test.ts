import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { childEnvironment } from '../../../../src/base/environment.ts';
import { runCommand } from '../../../../src/cli/commands/listen/delivery.ts';
import { temporaryFolder } from '../../../helpers/home.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };

const run = (command: string, env: Readonly<Record<string, string>> = {}, timeoutMs = 5_000) =>
  runCommand({ command, input: '{"id":"evt_1"}\n', env: { ...ENV, ...env }, timeoutMs });

describe('the command of --exec', () => {
  it.each([
    ['exit 3', 'ended with 3'],
    ['echo first >&2; printf "\\033[31mno\\n" >&2; exit 1', 'ended with 1: <U+001B>[31mno'],
    ['kill -TERM $$', 'ended with SIGTERM'],
    ['/no/such/program 2>/dev/null', 'ended with 127'],
  ])('%j fails the delivery', async (command, problem) => {
    expect(await run(command)).toBe(problem);
  });

  it('delivers the event if it exits with 0, even without reading it', async () => {
    expect(await run('exec 0<&-; exit 0')).toBeNull();
    expect(await run('sleep 5 & exit 0')).toBeNull();
  });

  it('is killed with its child processes after the timeout', async () => {
    const file = join(await temporaryFolder(), 'started');
    expect(await run('sleep 60 & echo $! > "$FILE"; wait', { FILE: file }, 200)).toBe(
      'did not finish within 0.2 s',
    );
    const started = Number.parseInt(readFileSync(file, 'utf8'), 10);
    await vi.waitFor(() => expect(() => process.kill(started, 0)).toThrow('ESRCH'), 15_000);
  });

  it('fails the delivery if there is no shell', async () => {
    expect(await run('true', { PATH: '/nowhere' })).toMatch(/^could not be started: spawn sh ENOENT$/);
  });

  it('does not receive secrets of swapctl in its environment', () => {
    const secrets = {
      SWAPCTL_SECRET: 'a',
      SWAPCTL_SECRET_FILE: 'b',
      SWAPCTL_SECRET_COMMAND: 'c',
      PGPASSWORD: 'd',
      SWAPCTL_LEDGER: 'postgres://me:word@db.example.com/swaps',
    };
    const others = { ...ENV, SWAPCTL_PROFILE: 'shop', SWAPCTL_PUBLIC_KEY: 'pk' };
    expect(childEnvironment({ ...secrets, ...others })).toEqual(others);
    const plain = { SWAPCTL_LEDGER: 'postgres://me@db.example.com/swaps' };
    expect(childEnvironment(plain)).toEqual(plain);
    expect(childEnvironment({ SWAPCTL_LEDGER: 'postgres://db/x?password=w' })).toEqual({});
  });
});
