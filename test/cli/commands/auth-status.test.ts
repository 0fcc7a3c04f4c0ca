import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { profileEnv, rawServer, sendJson } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';

const KNOWN = {
  ...{ name: 'env', current: true, environment: 'sandbox', publicKey: 'public-key' },
  secret: { place: 'environment variables', plainText: true },
};

describe('auth status', () => {
  it.each([
    [403, 'Invalid public key.', 'refused', false, 'invalid_public_key', 4],
    [403, 'Invalid signature.', 'refused', false, 'invalid_signature', 4],
    [429, 'Slow down.', 'unproven', null, 'rate_limited', 6],
    [500, 'Server error.', 'unproven', null, 'service_error', 6],
  ])('says who and where after HTTP %d %s', async (status, message, state, verified, code, exitCode) => {
    const { url } = await rawServer((_, response) =>
      sendJson(response, status, { statusCode: status, message }),
    );
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

  it('names what is odd about a secret that the service does not take, and no part of it', async () => {
    const { url } = await rawServer((_, response) =>
      sendJson(response, 403, { statusCode: 403, message: 'Invalid signature.' }),
    );
    const env = { ...profileEnv(url), SWAPCTL_SECRET: '“the-secret”' };
    const run = await runHere(['auth', 'status', '--json'], { home: await temporaryFolder(), env });
    expect(run.error?.hint).toBe(
      'The secret has quotes around it: set it again without that, unless it is part of the secret. The secret does not belong to this public key. Both come from the environment: fix SWAPCTL_SECRET or SWAPCTL_PUBLIC_KEY.',
    );
    const printed = `${run.stdout}${run.stderr}${run.error?.message}${run.error?.hint}`;
    for (const hidden of ['the-secret', sign('get-all-coins', '“the-secret”')])
      expect(printed).not.toContain(hidden);
  });
});

describe('a key pair of the environment', () => {
  const refusing = (message: string) =>
    rawServer((_, response) => sendJson(response, 403, { statusCode: 403, message }));

  it('is refused with the variable to correct, wherever its secret comes from', async () => {
    const home = await temporaryFolder();
    const file = join(home, 'secret');
    writeFileSync(file, 'the-secret', { mode: 0o600 });
    const { url } = await refusing('Invalid signature.');
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

  it('is distinguished from a stored one, which is stored again', async () => {
    const home = await temporaryFolder();
    const folder = join(home, '.config', 'swapctl');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { url } = await refusing('Invalid signature.');
    const prod = { baseUrl: url, publicKey: 'pk', secret: 'the-secret', environment: 'sandbox' };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ current: 'prod', profiles: { prod } }), {
      mode: 0o600,
    });
    const { error } = await runHere(['coins'], { home });
    expect(error?.hint).toBe(
      'The secret does not belong to this public key. Check the key pair with `swapctl auth status`, or store it again with `swapctl auth login`.',
    );
  });

  it('that the service does not know is its public key, or the wrong service', async () => {
    const { url } = await refusing('Invalid public key.');
    const { error } = await runHere(['coins'], { home: await temporaryFolder(), env: profileEnv(url) });
    expect(error?.hint).toBe(
      'The service does not know this public key. Check that it belongs to this environment. It comes from the environment: fix SWAPCTL_PUBLIC_KEY, or SWAPCTL_BASE_URL if this is the wrong service.',
    );
  });

  it.each([
    ['pk 1', 'the-secret'],
    ['pk', 'the\nsecret'],
    [' ', 'the-secret'],
  ])('that no header can hold is refused with its variables: %j, %j', async (publicKey, secret) => {
    const env = {
      ...profileEnv('https://api.example.com'),
      SWAPCTL_PUBLIC_KEY: publicKey,
      SWAPCTL_SECRET: secret,
    };
    const { error } = await runHere(['coins'], { home: await temporaryFolder(), env });
    expect(error).toMatchObject({
      code: 'no_credentials',
      hint: 'Both come from the environment: fix SWAPCTL_PUBLIC_KEY or SWAPCTL_SECRET.',
    });
  });
});

describe('auth login', () => {
  it('warns of quotes round a secret before it asks the service', async () => {
    const { url } = await rawServer((_, response) =>
      sendJson(response, 403, { statusCode: 403, message: 'Invalid signature.' }),
    );
    const login = ['auth', 'login', '--base-url', url, '--public-key', 'pk', '--with-secret'];
    const run = await runHere(login, { home: await temporaryFolder(), input: '"the-secret"\n' });
    expect(run.stderr).toContain('warning: the secret has quotes around it; swapctl uses it as it is.\n');
    expect(run.error).toMatchObject({ code: 'invalid_signature' });
    expect(run.stderr + run.error?.hint).not.toContain('the-secret');
  });
});
