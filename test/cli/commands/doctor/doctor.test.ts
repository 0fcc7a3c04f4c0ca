import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCheck } from '../../../../src/cli/commands/doctor/doctor.ts';
import { ENDPOINT_NAMES } from '../../../../src/core/partner-api/endpoints.ts';
import { sign } from '../../../../src/core/partner-api/signature.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { profileEnv, rawServer, refusing, sendJson } from '../../../helpers/raw-server.ts';
import { AT_TERMINAL, type RunHere, runHere } from '../../../helpers/run-here.ts';
import type { Plan } from '../../../helpers/swap-service.ts';
import { words } from '../../../helpers/words.ts';
import { deskWith } from '../batch/desk.ts';
import { checksIn } from './checks.ts';

const EVERY_CHECK =
  words(`node terminal settings modes ledger profile secret proxy tls key-pair get-all-coins get-coin-network
  exchange-coin get-transaction clock`);

const SECRET = 'the-secret-of-the-doctor';

/** Runs the doctor, and holds its output against what must hold of any: no secret, a remedy for each failure. */
async function examine(how: RunHere, secret = SECRET, flags: readonly string[] = []) {
  const run = await runHere(['doctor', '--json', ...flags], how);
  const { checks, ok, of } = checksIn(run);
  const all = `${run.stdout}${run.stderr}${run.error?.message}${run.error?.hint}`;
  for (const hidden of [secret.trim(), ...ENDPOINT_NAMES.map((name) => sign(name, secret.trim()))])
    expect(all).not.toContain(hidden);
  for (const check of checks) {
    expect(Object.keys(check)).toEqual(['name', 'state', 'detail', 'remedy']);
    if (check.state === 'fail') expect(check.remedy).toMatch(/\S/);
  }
  const failed = checks.filter(({ state }) => state === 'fail').map(({ name }) => name);
  expect(ok).toBe(failed.length === 0);
  if (!ok) expect(run.error).toMatchObject({ code: 'internal', outcome: 'nothing-sent' });
  return { checks, ok, of, failed, exit: run.error?.exitCode ?? 0 };
}

/** A service that is well, and the environment of a profile there. */
async function service(secret = SECRET, others: Plan = {}) {
  const { service: server } = await deskWith({
    'get-coin-network': (_, response) => sendJson(response, 200, { deposit: [], withdraws: [] }),
    'get-transaction': refusing(404, 'Transaction not found or access denied'),
    ...others,
  });
  return { server, env: { ...profileEnv(server.url), SWAPCTL_SECRET: secret } };
}

describe('swapctl doctor', () => {
  it('passes every check on a new machine with the built-in service and creates no files', async () => {
    const home = await temporaryFolder();
    const { ok, exit, checks, of } = await examine({ home });
    expect([ok, exit]).toEqual([true, 0]);
    expect(checks.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual(EVERY_CHECK.toSpliced(5, 0, 'sandbox'));
    expect(of('key-pair')?.detail).toContain('Signed text: "get-all-coins" (13 bytes');
    expect(await readdir(home)).toEqual([]);
  });

  it('passes every check with a key pair from the environment and sends only GET requests', async () => {
    const { server, env } = await service();
    const { ok, checks, of } = await examine({ env });
    expect(ok).toBe(true);
    expect(checks.map(({ name }) => name)).toEqual(EVERY_CHECK);
    expect(of('get-transaction')?.state).toBe('ok');
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('suggests a base URL without its path if the coin list responds with 404', async () => {
    const { url } = await rawServer(refusing(404, 'Not found.'));
    const env = { ...profileEnv(url), SWAPCTL_BASE_URL: `${url}/v1` };
    const { failed, of } = await examine({ env });
    expect(failed).toEqual(['get-all-coins', 'get-coin-network']);
    for (const name of ['key-pair', ...failed])
      expect(of(name)?.remedy).toContain(`under the path /v1 of the base URL. Try ${url},`);
  });

  it.each([
    [` ${SECRET}\n`, 'leading or trailing whitespace or byte order mark is removed'],
    [`\uFEFF${SECRET}`, 'leading or trailing whitespace or byte order mark is removed'],
    [`${SECRET} twice`, 'whitespace inside'],
    [`'${SECRET}'`, 'quotes around it'],
  ])('warns about whitespace, a byte order mark or quotes in the secret %j', async (secret, words) => {
    const { env } = await service(secret);
    const { of, ok } = await examine({ env }, secret);
    expect([ok, of('secret')?.state]).toEqual([true, 'warn']);
    expect(of('secret')?.detail).toContain(words);
  });

  it('runs every check with an invalid config, open modes and a ledger that is no database', async () => {
    const home = await temporaryFolder();
    const [config, ledger] = [join(home, '.config', 'swapctl'), join(home, 'ledger.db')];
    await mkdir(config, { recursive: true, mode: 0o700 });
    await writeFile(join(config, 'config.json'), '{', { mode: 0o600 });
    await chmod(config, 0o755);
    await writeFile(ledger, 'no database at all', { mode: 0o644 });
    const { exit, failed, of, checks } = await examine({ home, env: { SWAPCTL_LEDGER: ledger } });
    expect([exit, failed]).toEqual([1, ['settings', 'modes', 'ledger']]);
    expect(of('ledger')?.detail).toBe(`The file ${ledger} is not a database.`);
    expect(of('profile')).toMatchObject({ state: 'warn', detail: 'not checked: see settings' });
    expect(of('settings')?.remedy).toContain(`mv ${join(config, 'config.json')}`);
    expect(of('modes')?.remedy).toBe(`Run: chmod 700 ${config}`);
    expect(checks.map(({ name }) => name)).toEqual(EVERY_CHECK);
  });

  it.each([
    ['.config/swapctl/config.json', '{}', ['settings', 'ledger', 'profile']],
    ['.config/swapctl/approver.pem', '', []],
    ['.config/swapctl', null, ['settings', 'ledger', 'profile']],
    ['.local/state/swapctl/ledger.db', '', ['ledger']],
    ['.local/state/swapctl/sandbox.db', '', ['sandbox']],
    ['.local/state/swapctl', null, ['ledger', 'sandbox']],
  ])('reports a single failure if others can access %s', async (path, text, dependent) => {
    const home = await temporaryFolder();
    for (const folder of ['.config', '.local/state'])
      await mkdir(join(home, folder, 'swapctl'), { recursive: true, mode: 0o700 });
    await writeFile(join(home, '.config/swapctl/config.json'), '{}', { mode: 0o600 });
    if (text !== null) await writeFile(join(home, path), text, { mode: 0o600 });
    await chmod(join(home, path), text === null ? 0o755 : 0o644);
    const { exit, failed, checks } = await examine({ home });
    expect([exit, failed]).toEqual([1, ['modes']]);
    const unmade = checks.filter(({ detail }) => detail === 'not checked: see modes');
    expect(unmade.map(({ name, state, remedy }) => [name, state, remedy])).toEqual(
      dependent.map((name) => [name, 'warn', 'Fix the failed checks first.']),
    );
  });

  it('warns about a cache folder that others can access', async () => {
    const home = await temporaryFolder();
    const cache = join(home, '.cache', 'swapctl');
    await mkdir(cache, { recursive: true, mode: 0o700 });
    await writeFile(join(cache, 'coins-1.json'), '{}', { mode: 0o666 });
    await chmod(join(cache, 'coins-1.json'), 0o666);
    expect((await examine({ home })).of('modes')?.detail).toMatch(
      /coins-1\.json belongs to another user or is accessible to others/,
    );
    await chmod(cache, 0o777);
    const { of } = await examine({ home });
    expect(of('modes')).toMatchObject({ state: 'warn', remedy: expect.stringContaining('XDG_CACHE_HOME') });
  });

  it('reports a rejected key pair once, but a single rejecting endpoint by name', async () => {
    const home = await temporaryFolder();
    const wrong = await rawServer(refusing(403, 'Invalid signature.'));
    const run = await runHere(['doctor'], { home, env: profileEnv(wrong.url) });
    expect(run.error?.message).toBe('1 of 15 checks failed: key-pair.');
    const rows = run.stdout.split('\n').map((line) => line.split('\t').slice(0, 3).join(' '));
    expect(rows.filter((row) => row.includes('not checked'))).toEqual(
      ['get-all-coins', 'get-coin-network', 'exchange-coin', 'get-transaction'].map(
        (name) => `warn ${name} not checked: see key-pair`,
      ),
    );
    const { env } = await service(SECRET, { 'exchange-coin': refusing(403, 'Invalid payload.') });
    expect((await examine({ home, env })).failed).toEqual(['exchange-coin']);
  });

  it.runIf(process.getuid?.() === 0)('suggests one command that fixes owners and modes', async () => {
    const home = await temporaryFolder();
    const [config, ledger] = [join(home, '.config', 'swapctl'), join(home, "the desk's ledger.db")];
    await mkdir(config, { recursive: true, mode: 0o755 });
    await writeFile(ledger, '', { mode: 0o600 });
    await chown(ledger, 12_345, 12_345);
    const how = { home, env: { SWAPCTL_LEDGER: ledger } };
    const remedy = (await examine(how)).of('modes')?.remedy ?? '';
    const lead = 'Run swapctl as that user, or run: ';
    expect(remedy.startsWith(lead)).toBe(true);
    execFileSync('bash', ['-c', `sudo() { "$@"; }; ${remedy.slice(lead.length)}`]);
    expect((await examine(how)).of('modes')).toMatchObject({ state: 'ok' });
  });

  it('shows the schema version of the ledger without changing the file', async () => {
    const home = await temporaryFolder();
    await runHere(['history'], { home });
    const folder = join(home, '.local', 'state', 'swapctl');
    const before = await readFile(join(folder, 'ledger.db'));
    expect((await examine({ home })).of('ledger')?.detail).toMatch(
      /ledger\.db: version (\d+), this swapctl uses \1$/,
    );
    expect(before.equals(await readFile(join(folder, 'ledger.db')))).toBe(true);
    expect(await readdir(folder)).not.toContain('sandbox.db');
  });

  it('reports that the service or the proxy cannot be reached', async () => {
    const home = await temporaryFolder();
    const { server, env } = await service();
    await server.close();
    const away = await examine({ home, env });
    expect([away.exit, away.failed]).toEqual([1, ['get-all-coins']]);
    for (const name of ['get-coin-network', 'exchange-coin', 'get-transaction'])
      expect(away.of(name)).toMatchObject({ state: 'warn', detail: 'not checked: see get-all-coins' });
    expect(away.of('get-all-coins')).toMatchObject({ detail: expect.stringContaining('ECONNREFUSED') });
    expect(away.of('key-pair')?.state).toBe('warn');

    const dead = server.url.replace('http://', '');
    const through = {
      ...env,
      SWAPCTL_BASE_URL: 'https://api.example.com',
      https_proxy: `http://me:pw-1234@${dead}`,
    };
    const refused = await examine({ home, env: through }, 'pw-1234');
    expect(refused.of('proxy')).toMatchObject({ state: 'fail' });
    expect(`${refused.of('proxy')?.detail} ${refused.of('proxy')?.remedy}`).toMatch(
      new RegExp(`The proxy ${dead} could not be used \\(ECONNREFUSED\\)\\. .*https_proxy`),
    );

    const wrong = await examine({ home, env: { ...through, https_proxy: 'socks5://localhost:1' } });
    expect(wrong.failed).toEqual(['proxy']);
    expect(wrong.of('proxy')?.remedy).toContain('http://host:port');
    expect(wrong.of('get-all-coins')).toMatchObject({
      state: 'warn',
      remedy: 'Fix the failed checks first.',
    });
  });

  it.each([
    [3_600_000, 'fail', /^360\d s ahead of/],
    [-3_600_000, 'fail', /^(?:359|360)\d s behind/],
    [120_000, 'warn', /^1[12]\d s ahead of/],
    [0, 'ok', /^within \d+ s of/],
  ])('reports a clock that is off by %d ms as %s', async (offset, state, words) => {
    const { env } = await service();
    const now = () => Date.now() + offset;
    const { of, exit } = await examine({ env, now });
    expect([of('clock')?.state, exit]).toEqual([state, state === 'fail' ? 1 : 0]);
    expect(of('clock')?.detail).toMatch(words);
    expect(of('clock')?.remedy === null).toBe(state === 'ok');
  });

  it('names the missing variable if the environment has only half a key pair', async () => {
    const env = { SWAPCTL_PUBLIC_KEY: 'pk_1', SWAPCTL_BASE_URL: 'https://api.example.com' };
    const { failed, of } = await examine({ env });
    expect(failed).toEqual(['profile']);
    expect(of('profile')?.detail).toContain('needs SWAPCTL_SECRET');
  });

  it('fails without a request if NODE_DEBUG is set, which would print the signature', async () => {
    const { server, env } = await service();
    const { failed } = await examine({ env: { ...env, NODE_DEBUG: 'http' } });
    expect([failed, server.requests.length]).toEqual([['node'], 0]);
  });

  it('prints a line per check in a pipe, and a table on a terminal', async () => {
    const home = await temporaryFolder();
    const lines = (await runHere(['doctor'], { home })).stdout.slice(0, -1).split('\n');
    expect(lines.map((line) => line.split('\t').slice(0, 2))).toEqual(
      EVERY_CHECK.toSpliced(5, 0, 'sandbox').map((name) => ['ok', name]),
    );
    expect(lines.map((line) => line.split('\t').length)).toEqual(lines.map(() => 4));
    // The folder of a test may have a long name.
    const screen = (await runHere(['doctor'], { home, terminals: AT_TERMINAL, columns: 200 })).stdout;
    expect(screen).toMatch(/^ ?STATE {2}CHECK +FOUND +REMEDY\n/);
    expect(screen).toContain('TERM=dumb');
  });

  it('prints the remedy below the finding on a terminal of 80 columns', async () => {
    // A longer name leaves a table no room.
    const home = '/h';
    const env = { SWAPCTL_BASE_URL: 'http://127.0.0.1:1' };
    const { stdout } = await runHere(['doctor'], { home, env, terminals: AT_TERMINAL, columns: 80 });
    expect(stdout).toMatch(/^ ?STATE {2}CHECK +FOUND\n/);
    expect(stdout).toMatch(
      /\n fail +profile +The environment profile needs(.|\n)*?\n +→ Set all of them, or/,
    );
    expect(stdout.match(/not checked: there is no usable profile\n/g)).toHaveLength(9);
    expect(stdout.match(/→ Fix the failed checks first\.\n/g)).toHaveLength(1);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});

it.each([
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
  ['20.18.9', 'fail'],
  ['18.20.4', 'fail'],
])('the Node version check rates version %s as %s', (version, state) => {
  expect(nodeCheck(version, 'linux x64').state).toBe(state);
});
