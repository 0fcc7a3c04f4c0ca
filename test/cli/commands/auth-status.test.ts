import { writeFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { profileEnv, rawServer, refusing } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';

const KNOWN = {
  name: 'env',
  current: true,
  environment: 'sandbox',
  publicKey: 'public-key',
  secret: { place: 'environment variables', plainText: true },
};

describe('auth status', () => {
  it.each([
    [403, 'Invalid public key.', 'refused', false, 'invalid_public_key', 4],
    [403, 'Invalid signature.', 'refused', false, 'invalid_signature', 4],
    [429, 'Slow down.', 'unproven', null, 'rate_limited', 6],
    [500, 'Server error.', 'unproven', null, 'service_error', 6],
  ])('reports the account after HTTP %d %s', async (status, message, state, verified, code, exitCode) => {
    const { url } = await rawServer(refusing(status, message));
    const home = await temporaryFolder();
    const how = { home, env: profileEnv(url), sleep: async () => undefined };
    const run = await runHere(['auth', 'status', '--json'], how);
    expect(JSON.parse(run.stdout)).toEqual({ ...KNOWN, baseUrl: url, verified, state });
    expect(run.error).toMatchObject({ code, exitCode });
  });

  it('shows the account and the URL when the service cannot be reached', async () => {
    const server = await rawServer(() => undefined);
    await server.close();
    const how = { home: await temporaryFolder(), env: profileEnv(server.url), sleep: async () => undefined };
    const run = await runHere(['auth', 'status', '--json'], how);
    expect(JSON.parse(run.stdout)).toMatchObject({ ...KNOWN, state: 'unreachable', verified: null });
    expect(run.error).toMatchObject({ code: 'network_error', exitCode: 6 });
    const screen = await runHere(['auth', 'status'], { ...how, terminals: AT_TERMINAL });
    expect(screen.stdout).toContain('not checked: the service could not be reached');
  });
});

describe('a key pair from the environment', () => {
  it('is rejected with a hint that names the variable of its secret', async () => {
    const home = await temporaryFolder();
    const file = join(home, 'secret');
    writeFileSync(file, 'the-secret', { mode: 0o600 });
    const { url } = await rawServer(refusing(403, 'Invalid signature.'));
    const { SWAPCTL_SECRET: _, ...pair } = profileEnv(url);
    for (const [variable, value] of Object.entries({
      SWAPCTL_SECRET: 'the-secret',
      SWAPCTL_SECRET_FILE: file,
      SWAPCTL_SECRET_COMMAND: 'echo the-secret',
    })) {
      const env = { PATH: process.env['PATH'] ?? '', ...pair, [variable]: value };
      const { error } = await runHere(['coins'], { home, env });
      expect([error?.code, error?.hint]).toEqual([
        'invalid_signature',
        `The secret does not belong to this public key. Both come from the environment: fix ${variable} or SWAPCTL_PUBLIC_KEY.`,
      ]);
    }
  });

  it.each([
    ['pk 1', 'the-secret'],
    ['pk', 'the\nsecret'],
    [' ', 'the-secret'],
  ])('with characters that no header allows is rejected: %j, %j', async (publicKey, secret) => {
    const env = profileEnv('https://api.example.com', { publicKey, secret });
    const { error } = await runHere(['coins'], { env });
    expect(error).toMatchObject({
      code: 'no_credentials',
      hint: 'Both come from the environment: fix SWAPCTL_PUBLIC_KEY or SWAPCTL_SECRET.',
    });
  });
});

it('auth login warns about quotes around a secret before it sends a request', async () => {
  const { url } = await rawServer(refusing(403, 'Invalid signature.'));
  const login = ['auth', 'login', '--base-url', url, '--public-key', 'pk', '--with-secret'];
  const run = await runHere(login, { input: '"the-secret"\n' });
  expect(run.stderr).toContain('warning: the secret has quotes around it; swapctl uses it as it is.\n');
  expect(run.error).toMatchObject({ code: 'invalid_signature' });
  expect(run.stderr + run.error?.hint).not.toContain('the-secret');
});

/** A home in which everybody may read everything, as modes say that mean nothing on Windows. */
async function windowsHome(content: string) {
  const home = await temporaryFolder();
  const folder = join(home, 'swapctl');
  await mkdir(folder);
  await writeFile(join(folder, 'config.json'), content, { mode: 0o644 });
  await chmod(folder, 0o755);
  const env = { APPDATA: home, LOCALAPPDATA: join(home, 'local') };
  const run = (args: string) => runHere(args.split(' '), { home, env, platform: 'win32' });
  return { folder, run };
}

describe('on Windows', () => {
  it('auth status and doctor ignore file modes and point to the access list', async () => {
    const { url } = await rawServer(refusing(403, 'Invalid signature.'));
    const prod = { baseUrl: url, publicKey: 'pk', secret: 'the-secret', environment: 'sandbox' };
    const { folder, run } = await windowsHome(JSON.stringify({ current: 'prod', profiles: { prod } }));
    const reported = `Windows has no file modes: the access list of ${folder} decides who may read it, by default you, the administrators and the system. See it with: icacls "${folder}"`;
    const status = await run('auth status');
    expect(status.stderr).toContain(reported);
    expect(status.error).toMatchObject({ code: 'invalid_signature' });
    const doctor = await run('doctor --json');
    const { checks } = JSON.parse(doctor.stdout);
    expect(checks).toContainEqual({ name: 'modes', state: 'ok', detail: reported, remedy: null });
    expect(doctor.stdout).not.toContain('chmod');
  });

  it('the hint for an unusable configuration moves it away with the Windows `move` command', async () => {
    const { folder, run } = await windowsHome('[');
    const file = join(folder, 'config.json');
    expect((await run('auth list')).error?.hint).toBe(
      `Fix the file, or move it away: move "${file}" "${file}.old"`,
    );
  });
});
