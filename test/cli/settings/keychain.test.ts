import { cp, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/library/testing.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { startKeyring } from '../../helpers/keyring.ts';
import { PROGRAM, runProgram } from '../../helpers/program.ts';
import type { Run } from '../../helpers/run.ts';
import { runMain } from '../../helpers/run-main.ts';
import { hasTool } from '../../helpers/tools.ts';

const sandbox = await startSandbox();
const { host } = new URL(sandbox.baseUrl);

afterAll(() => sandbox.close());

/** A person, whose runs are searched for the secret. */
async function person(env: Readonly<Record<string, string>>, program?: string) {
  const home = await temporaryFolder();
  const swapctl = async (args: string, input = ''): Promise<Run> => {
    const run = await runProgram([...args.split(' '), '--json'], {
      ...{ home, env, input },
      ...(program === undefined ? {} : { program }),
    });
    expect(run.stdout + run.stderr).not.toContain(sandbox.secret);
    return run;
  };
  /** A command that must not need the keychain: this process cannot reach that. */
  const without = (args: string, input = '') => runMain([...args.split(' '), '--json'], { home, input });
  const login = (flags: string, { baseUrl, publicKey, secret } = sandbox) =>
    swapctl(
      `auth login -p prod --base-url ${baseUrl} --public-key ${publicKey} --with-secret${flags}`,
      `${secret}\n`,
    );
  const config = async () => readFile(join(home, '.config/swapctl/config.json'), 'utf8').catch(() => null);
  return { swapctl, without, login, config };
}

const NO_BUS = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };

const hasKeyring = ['gnome-keyring-daemon', 'dbus-daemon', 'secret-tool'].every(hasTool);

describe.skipIf(!hasKeyring)('a secret in the system keychain', () => {
  it('is stored only there, used by every command and removed with its profile', async () => {
    const keyring = await startKeyring();
    const ada = await person(keyring.env);
    const account = `prod@${host}`;
    const secret = { place: `the system keychain (service swapctl, account ${account})`, plainText: false };
    const login = await ada.login(' --keychain');
    expect(login.json(), login.stderr).toMatchObject({ name: 'prod', secret, state: 'verified' });
    expect(login.stderr).toContain(`its secret is stored in ${secret.place}.`);
    expect(keyring.lookUp(account)).toBe(sandbox.secret);
    expect(JSON.parse((await ada.config()) ?? '')).toEqual({
      current: 'prod',
      profiles: {
        prod: {
          baseUrl: sandbox.baseUrl,
          publicKey: sandbox.publicKey,
          environment: 'sandbox',
          keychain: true,
        },
      },
    });
    expect((await ada.swapctl('quote BTC ETH 0.1')).json()).toMatchObject({ profile: 'prod' });
    expect((await ada.without('auth list')).json()).toMatchObject([{ name: 'prod', secret }]);
    const doctor = await ada.swapctl('doctor');
    expect(doctor.json<{ checks: unknown[] }>().checks).toContainEqual({
      name: 'secret',
      state: 'ok',
      detail: `from ${secret.place}; no whitespace, byte order mark or quotes around it`,
      remedy: null,
    });
    expect((await ada.swapctl('auth logout --yes')).json()).toEqual({ profile: 'prod', removed: true });
    expect(keyring.lookUp(account)).toBeNull();
  });

  it('moves to plain text only with --yes, and is then removed from the keychain', async () => {
    const keyring = await startKeyring();
    const bob = await person(keyring.env);
    await bob.login(' --keychain');
    const { baseUrl, publicKey, secret } = sandbox;
    const plain = `auth login -p prod --base-url ${baseUrl} --public-key ${publicKey} --with-secret`;
    const refused = await bob.without(plain, secret);
    expect(refused.error()).toMatchObject({
      code: 'usage',
      hint: 'Pass --keychain to keep it there, --yes to store it in plain text, or use another name.',
    });
    expect(await bob.config()).not.toContain(sandbox.secret);
    // The same pair again loses nothing, so no one has to be asked.
    expect((await bob.login(' --keychain')).code).toBe(0);
    const elsewhere = { ...sandbox, baseUrl: sandbox.baseUrl.replace('127.0.0.1', 'localhost') };
    expect((await bob.login(' --keychain --yes', elsewhere)).code).toBe(0);
    expect(keyring.lookUp(`prod@${host}`)).toBeNull();
    expect(keyring.lookUp(`prod@${new URL(elsewhere.baseUrl).host}`)).toBe(sandbox.secret);
    expect((await bob.login(' --yes')).json()).toMatchObject({ secret: { plainText: true } });
    expect(keyring.lookUp(`prod@${new URL(elsewhere.baseUrl).host}`)).toBeNull();
    expect(await bob.config()).toContain(sandbox.secret);
  });

  it('is read for requests only, and a locked keychain is reported', async () => {
    const keyring = await startKeyring();
    const cid = await person(keyring.env);
    await cid.login(' --keychain');
    expect((await cid.swapctl('coins BTC')).code).toBe(0);
    keyring.lock();
    for (const line of ['coins BTC', 'auth list', 'auth switch sandbox', 'auth switch prod', 'history'])
      expect((await cid.without(line)).code, line).toBe(0);
    const quote = await cid.swapctl('quote BTC ETH 0.1');
    expect(quote.error()).toMatchObject({ code: 'no_credentials', exitCode: 4 });
    expect(quote.error().message).toMatch(/^The system keychain is locked or denied access \(/);
    expect(quote.error().hint).toMatch(/^Unlock the keychain, /);
    const login = await cid.login(' --keychain --yes');
    expect(login.error()).toMatchObject({ code: 'storage_failed', exitCode: 11 });
    const logout = await cid.swapctl('auth logout --yes');
    expect(logout.error()).toMatchObject({
      ...{ code: 'storage_failed', exitCode: 11, outcome: 'done' },
      hint: `Remove it manually: secret-tool clear service swapctl username prod@${host}`,
    });
    expect(JSON.parse((await cid.config()) ?? '')).toMatchObject({ profiles: {} });
  });

  it('that was removed from the keychain is reported with the command to store it again', async () => {
    const keyring = await startKeyring();
    const dan = await person(keyring.env);
    await dan.login(' --keychain');
    keyring.clear(`prod@${host}`);
    const status = await dan.swapctl('auth status');
    expect(status.json()).toMatchObject({ name: 'prod', state: 'unreadable', verified: null });
    expect(status.error()).toMatchObject({
      code: 'no_credentials',
      message: `The secret of profile prod is not in the system keychain (service swapctl, account prod@${host}).`,
      hint: 'Store it again: swapctl auth login -p prod --keychain',
    });
  });
});

describe('auth login --keychain', () => {
  it('stores nothing if there is no keychain, and names alternatives', async () => {
    const fay = await person(NO_BUS);
    const { code, error } = await fay.login(' --keychain');
    expect(code).toBe(11);
    expect(error().message).toMatch(/^No system keychain is available \(/);
    expect(error().hint).toMatch(/^Start a Secret Service .*SWAPCTL_SECRET_COMMAND/);
    expect(await fay.config()).toBeNull();
  });

  it('names the missing package and how to install it', async () => {
    const copy = join(await temporaryFolder(), 'swapctl');
    for (const part of ['bin', 'dist', 'package.json'])
      await cp(join(dirname(PROGRAM), '..', part), join(copy, part), { recursive: true });
    const gus = await person(NO_BUS, join(copy, 'bin', 'swapctl.js'));
    const { code, error } = await gus.login(' --keychain');
    expect(code).toBe(11);
    expect(error().message).toBe(
      'The package @napi-rs/keyring, which is needed to use the keychain, is not installed.',
    );
    expect(error().hint).toContain('from the same package file, without --omit=optional');
    expect(await gus.config()).toBeNull();
  });
});
