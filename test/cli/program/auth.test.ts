import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { profileEnv } from '../../helpers/raw-server.ts';
import { expectNoSecret, type Partner, startAuthService } from './auth-service.ts';

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const auth = await startAuthService();
const { url, first, second, person } = auth;
afterAll(() => auth.stop());

describe('swapctl auth login', () => {
  it('verifies the key pair, stores it readable only by its owner, and uses it afterwards', async () => {
    const ada = await person();
    const run = await ada.login('prod', first);
    expect(run.code, run.stderr).toBe(0);
    expect(run.json()).toEqual({
      name: 'prod',
      current: true,
      environment: 'sandbox',
      baseUrl: url,
      publicKey: first.publicKey,
      secret: { place: ada.config, plainText: true },
      verified: true,
      state: 'verified',
    });
    expect(run.stderr).toContain('with the secret in plain text, readable only by you');
    expect([
      (await stat(ada.config)).mode & 0o777,
      (await stat(join(ada.config, '..'))).mode & 0o777,
    ]).toEqual([0o600, 0o700]);
    expect(await readFile(ada.config, 'utf8')).toContain(first.secret);
    const quote = await ada.swapctl('quote BTC ETH 0.1 --json');
    expect(quote.json()).toMatchObject({ profile: 'prod', environment: 'sandbox' });
  });

  it('reports a wrong public key and a wrong secret differently and stores neither', async () => {
    const bob = await person();
    const key = await bob.login('prod', { ...first, publicKey: 'nobody' });
    expect([key.code, key.error().code]).toEqual([4, 'invalid_public_key']);
    const secret = await bob.login('prod', { ...first, secret: 'wrong' });
    expect([secret.code, secret.error().code]).toEqual([4, 'invalid_signature']);
    expect(key.error().hint).not.toBe(secret.error().hint);
    for (const run of [key, secret]) expect(run.error().message).toMatch(/\. Nothing was stored\.$/);
    expect((await bob.swapctl('auth list --json')).json()).toEqual([]);
  });

  it.each([
    ['auth login --json', 'usage', 2],
    ['auth login --base-url http://example.com --json', 'insecure_url', 2],
    ['auth login -p env --json', 'usage', 2],
    [
      'auth login --base-url https://127.0.0.1:1 --public-key k --with-secret --timeout 3s --json',
      'no_credentials',
      4,
    ],
  ])('`swapctl %s` fails with %s', async (line, code, exit) => {
    const run = await (await person()).swapctl(line);
    expect([run.code, run.stdout, run.error().code]).toEqual([exit, '', code]);
  });

  it('with --environment live stores a live profile, which rejects test network addresses', async () => {
    const dora = await person();
    const run = await dora.login('prod', first, ' --environment live');
    expect(run.json()).toMatchObject({ environment: 'live' });
    const refused = await dora.swapctl(
      `create ETH BTC 1 -a tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h --yes --json`,
    );
    expect(refused.error()).toMatchObject({ code: 'invalid_address', exitCode: 2 });
  });
});

describe('a stored key pair', () => {
  it('is replaced without a terminal only with --yes, but removed without it', async () => {
    const mia = await person();
    await mia.login('prod', first);
    const before = await readFile(mia.config, 'utf8');
    const other = await mia.login('prod', second);
    expect([other.code, other.error().message]).toEqual([2, 'Profile prod already has a key pair.']);
    expect(await readFile(mia.config, 'utf8')).toBe(before);
    expect((await mia.login('prod', first)).code).toBe(0);
    expect((await mia.login('prod', second, ' --yes')).json()).toMatchObject({ publicKey: second.publicKey });
    expect((await mia.swapctl('auth logout --json')).json()).toEqual({ profile: 'prod', removed: true });
  });

  it('is not replaced by a login without a profile name', async () => {
    const nia = await person();
    const flags = (partner: Partner) =>
      `auth login --base-url ${url} --public-key ${partner.publicKey} --with-secret --json`;
    const one = await nia.swapctl(flags(first), { input: first.secret });
    expect(one.json()).toMatchObject({ name: 'default', current: true });
    const two = await nia.swapctl(flags(second), { input: second.secret });
    expect(two.error()).toMatchObject({ code: 'usage', exitCode: 2 });
    expect(two.error().message).toBe('Name the new profile with -p; default already exists.');
  });
});

describe('two stored profiles', () => {
  it('can be listed, switched, shown and removed', async () => {
    const eve = await person();
    await eve.login('one', first);
    await eve.login('two', second);
    const list = async () =>
      (await eve.swapctl('auth list --json'))
        .json<Record<string, unknown>[]>()
        .map(({ name, current }) => `${name} ${current}`);
    expect(await list()).toEqual(['one false', 'two true']);
    expect((await eve.swapctl('auth switch one --json')).json()).toEqual({ profile: 'one', current: true });
    expect((await eve.swapctl('auth list')).stdout).toBe(
      `one\tcurrent\tsandbox\t${url}\t${first.publicKey}\t${eve.config}\ntwo\t\tsandbox\t${url}\t${second.publicKey}\t${eve.config}\n`,
    );
    const status = await eve.swapctl('auth status --json');
    expect(status.json()).toMatchObject({
      name: 'one',
      verified: true,
      secret: { place: eve.config, plainText: true },
    });
    expect(status.json()).toMatchObject({ current: true });
    expect((await eve.swapctl('auth status -p two --json')).json()).toMatchObject({
      name: 'two',
      current: false,
    });
    expect((await eve.swapctl('auth status -p one --json')).json()).toMatchObject({ current: true });
    expect((await eve.swapctl('auth status --sandbox --json')).json()).toMatchObject({ current: false });
    expect((await eve.swapctl('auth list -p two --json')).json()).toMatchObject([
      { name: 'one', current: true },
      { name: 'two', current: false },
    ]);
    expect((await eve.swapctl('auth switch nope --json')).error().code).toBe('no_credentials');
    expect((await eve.swapctl('auth logout --yes --json')).json()).toEqual({ profile: 'one', removed: true });
    expect(await readFile(eve.config, 'utf8')).not.toContain(first.secret);
    const unchosen = await eve.swapctl('quote BTC ETH 0.1 --json');
    expect(unchosen.error()).toMatchObject({ code: 'no_credentials', hint: expect.stringContaining('two') });
    expect(await list()).toEqual(['two false']);
    await eve.swapctl('auth switch sandbox');
    expect((await eve.swapctl('auth status --json')).json()).toMatchObject({
      name: 'sandbox',
      baseUrl: null,
    });
    expect((await eve.swapctl('auth logout --yes --json')).error().code).toBe('usage');
  });

  it('have lower precedence than the environment, and the environment lower than flags', async () => {
    const fay = await person();
    await fay.login('one', first);
    const env = profileEnv(url, second);
    const list = await fay.swapctl('auth list --json', { env });
    expect(list.json()).toMatchObject([
      { name: 'env', current: true, baseUrl: url, publicKey: second.publicKey },
      { name: 'one', current: false },
    ]);
    const warning =
      'warning: the environment takes precedence: with SWAPCTL_PUBLIC_KEY, SWAPCTL_SECRET, SWAPCTL_BASE_URL set, commands use profile env. Unset them to use profile one.\n';
    const chosen = await fay.swapctl('auth switch one', { env });
    expect([chosen.stdout, chosen.stderr]).toEqual(['Stored profile one as the current profile.\n', warning]);
    const again = await fay.login('one', first, ' --yes', env);
    expect(again.json()).toMatchObject({ name: 'one', current: false, verified: true });
    expect(again.stderr).toContain(warning);
    expect(again.stderr).not.toContain('Commands now use it');
  });
});

describe('the config file', () => {
  it('with an unusable profile names the command to remove the profile, which works', async () => {
    const kim = await person();
    await kim.login('two', second);
    await kim.login('one', first);
    const config = JSON.parse(await readFile(kim.config, 'utf8'));
    config.profiles.one = { baseUrl: url, publicKey: first.publicKey, environment: 'sandbox' };
    await writeFile(kim.config, JSON.stringify(config));
    const broken = await kim.swapctl('quote BTC ETH 0.1 --json');
    expect(broken.error()).toMatchObject({
      code: 'invalid_config',
      hint: 'Fix the file, or remove the profile with `swapctl auth logout -p one`.',
    });
    expect((await kim.swapctl('quote BTC ETH 0.1 -p two --json')).json()).toMatchObject({ profile: 'two' });
    const list = await kim.swapctl('auth list --json');
    expect(list.json()).toMatchObject([{ name: 'two', current: false }]);
    expect(list.stderr).toBe(
      `warning: The configuration ${kim.config} cannot be used: profile one: publicKey or secret is missing. Fix the file, or remove the profile with \`swapctl auth logout -p one\`.\n`,
    );
    expect((await kim.swapctl('auth logout --yes --json')).json()).toEqual({ profile: 'one', removed: true });
    expect((await kim.swapctl('auth list --json')).json()).toMatchObject([{ name: 'two', current: false }]);
    expect((await kim.swapctl('auth logout -p one --yes --json')).error()).toMatchObject({
      code: 'no_credentials',
      exitCode: 4,
    });
  });

  it('with an empty secret can be logged out of', async () => {
    const lea = await person();
    await lea.login('one', first);
    const config = JSON.parse(await readFile(lea.config, 'utf8'));
    config.profiles.one.secret = '';
    await writeFile(lea.config, JSON.stringify(config));
    expect((await lea.swapctl('auth status --json')).error().code).toBe('no_credentials');
    const run = await lea.swapctl('auth logout --yes');
    expect([run.code, run.stdout]).toEqual([0, 'Removed the key pair of profile one.\n']);
  });
});

describe('--debug', () => {
  it('prints neither secret nor signature, even on failure', async () => {
    const jan = await person();
    await jan.login('one', first);
    for (const line of [
      'quote BTC ETH 0.1',
      'status NOSUCH',
      'quote BTC ETH 1000000',
      `create BTC ETH 0.1 -a ${ETH} --yes`,
    ])
      await jan.swapctl(`${line} --debug --json`);
    const env = profileEnv('http://127.0.0.1:1', first);
    const run = await jan.swapctl('quote BTC ETH 0.1', { env: { ...env, SWAPCTL_DEBUG: '1' } });
    expect(run.code).toBe(6);
    expect(run.stderr).toMatch(/debug: 127\.0\.0\.1:1 could not be reached.*\n(.|\n)*\n {4}at /);
  });

  it('keeps the log of the sandbox free of keys, queries and signatures', async () => {
    const { stdout, stderr } = await auth.stop();
    expectNoSecret(`${stdout}${stderr}`, [first, second]);
    const [, ...lines] = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) expect(line).toMatch(/^\S+Z \S+ (GET|POST|PATCH) [a-z-]+ \d{3} \d+ms$/);
  });
});
