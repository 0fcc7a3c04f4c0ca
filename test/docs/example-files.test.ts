import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { PROGRAM, startProgram } from '../helpers/program.ts';
import { hasTool } from '../helpers/tools.ts';

const run = promisify(execFile);
const EXAMPLES = join(import.meta.dirname, '..', '..', 'docs', 'examples');
const INSTALLED = '/usr/local/bin/swapctl';

const textOf = (name: string) => readFile(join(EXAMPLES, `swapctl-${name}.service`), 'utf8');

/** The values of a key in a systemd unit. */
const valuesOf = (text: string, key: string) =>
  [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

describe.skipIf(!hasTool('systemd-analyze'))('a systemd unit in docs/examples', () => {
  it.each(['listen', 'sandbox'])('passes systemd-analyze verify and security: %s', async (name) => {
    const file = join(await temporaryFolder(), `swapctl-${name}.service`);
    // systemd-analyze requires the program to exist.
    await writeFile(file, (await textOf(name)).replace(INSTALLED, process.execPath));
    expect(await run('systemd-analyze', ['verify', file])).toEqual({ stdout: '', stderr: '' });
    // The score is 0 for a service without any access and 10 for full access; the threshold is ten times the score.
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=15', file]);
  });
});

describe('the command of a systemd unit in docs/examples', () => {
  /** Starts the command of a unit with its environment, in another folder and with replaced texts. */
  async function started(name: string, replaced: Readonly<Record<string, string>>) {
    const home = await temporaryFolder();
    await mkdir(join(home, 'state'));
    const replacing = Object.entries({
      ...replaced,
      [`/var/lib/swapctl${name === 'sandbox' ? '-sandbox' : ''}`]: join(home, 'state'),
    });
    const text = replacing.reduce((whole, [from, to]) => whole.replaceAll(from, to), await textOf(name));
    const [command = ''] = valuesOf(text, 'ExecStart');
    const [program, ...args] = command.split(' ');
    expect(program).toBe(INSTALLED);
    const env = Object.fromEntries(
      valuesOf(text, 'Environment').map((each) => each.split(/=(.*)/s).slice(0, 2)),
    );
    return startProgram(args, { home, env });
  }

  it('serves the sandbox until SIGTERM', async () => {
    const { child, ended, stdout } = await started('sandbox', { 4010: '0' });
    await expect.poll(stdout, { timeout: 15_000 }).toContain('http://127.0.0.1:');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('listens with the key of the unit until SIGTERM, and ends with a code of SuccessExitStatus', async () => {
    const secret = join(await temporaryFolder(), 'secret');
    await writeFile(secret, 'a secret of a test\n', { mode: 0o600 });
    const sandbox = {
      'https://api.example.com': 'http://127.0.0.1:9',
      '%d/secret': secret,
      '--metrics-port 9464': '--metrics-port 0',
    };
    const { child, ended, stderr } = await started('listen', sandbox);
    await expect.poll(stderr, { timeout: 15_000 }).toContain('127.0.0.1');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 143 });
    expect(valuesOf(await textOf('listen'), 'SuccessExitStatus')).toEqual(['143']);
  });
});

const EXAMPLE = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'partner.py');

// Needs Debian's package python3.
it.skipIf(!hasTool('python3'))('the tests of the Python partner in docs/examples pass', async () => {
  const env = {
    PATH: process.env['PATH'],
    HOME: await temporaryFolder(),
    SWAPCTL: `'${process.execPath}' '${PROGRAM}'`,
  };
  const reported = execFileSync('bash', ['-c', `python3 '${EXAMPLE}' 2>&1`], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(reported).toMatch(/^\.{6}\n-+\nRan 6 tests in .*\n\nOK\n$/);
});
