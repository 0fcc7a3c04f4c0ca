import { readFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { type Step, scriptedPrompter } from '../../helpers/prompter.ts';
import { rawServer, sendJson } from '../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { type Partner, startAuthService } from './auth-service.ts';

const auth = await startAuthService();
const { url, first, second, person } = auth;
afterAll(() => auth.stop());

async function asked(home: string, args: string, steps: readonly Step[]) {
  const prompter = scriptedPrompter(steps);
  const run = await runHere(args.split(' '), { home, terminals: AT_TERMINAL, prompter, env: { CI: '' } });
  prompter.done();
  return run.error;
}

it('auth login asks again only for the rejected answer', async () => {
  const { home, config } = await person();
  const right = { url: `${url}/v1`, key: first.publicKey };
  const prompter = scriptedPrompter([
    { input: 'Base URL', answer: right.url, refused: [['http://example.com', 'must start with https:']] },
    { input: 'Public key', answer: 'unknown-key', refused: [['', 'The public key is empty.']] },
    { password: 'Secret', answer: 'not-the-secret' },
    { input: 'Base URL', answer: url },
    { input: 'Public key', answer: first.publicKey },
    { password: 'Secret', answer: 'still-not-the-secret' },
    { password: 'Secret', answer: first.secret },
  ]);
  const run = await runHere(['auth', 'login'], { home, terminals: AT_TERMINAL, prompter, env: { CI: '' } });
  prompter.done();
  expect(run.error).toBeNull();
  const printed = run.stderr.replace(/\s+/g, ' ');
  expect(printed).toContain(`Nothing was found under the path /v1 of the base URL. Try ${url}, or`);
  expect(printed.match(/The service does not know this public key\./g)).toHaveLength(1);
  expect(printed.match(/The secret does not match this public key\./g)).toHaveLength(2);
  expect(`${run.stdout}${run.stderr}`).not.toContain('-secret-');
  expect(JSON.parse(await readFile(config, 'utf8'))).toMatchObject({
    profiles: { default: { baseUrl: url, publicKey: first.publicKey, secret: first.secret } },
  });
});

it('auth login hides the secret while it is typed, even with --with-secret', async () => {
  const { home } = await person();
  const login = `auth login --base-url ${url} --public-key ${first.publicKey} --with-secret`;
  expect(await asked(home, login, [{ password: 'Secret', answer: first.secret }])).toBeNull();
});

it('auth login fails if the rejected value came from a flag', async () => {
  const ugo = await person();
  await ugo.login('prod', first);
  const before = await readFile(ugo.config, 'utf8');
  const base = `auth login -p prod --base-url ${url}`;
  const wrongKey = `${base} --public-key unknown-key`;
  const replace = `Replace the key pair of profile prod at ${new URL(url).host}?`;
  const secret = { password: 'Secret', answer: first.secret };
  expect(await asked(ugo.home, wrongKey, [secret, { confirm: replace, answer: true }])).toMatchObject({
    code: 'invalid_public_key',
  });
  expect(await readFile(ugo.config, 'utf8')).toBe(before);
});

it('auth login asks before a corrected secret replaces a stored key pair', async () => {
  const zoe = await person();
  let isKnown = true;
  const server = await rawServer((_seen, response) =>
    isKnown
      ? sendJson(response, 200, { depositCoins: [], withdrawCoins: [], page: 1, limit: 1, total: 0 })
      : sendJson(response, 403, { message: 'Invalid signature.' }),
  );
  const login = `auth login -p prod --base-url ${server.url} --public-key key`;
  expect(await asked(zoe.home, login, [{ password: 'Secret', answer: 'stored' }])).toBeNull();
  isKnown = false;
  const before = await readFile(zoe.config, 'utf8');
  const steps: Step[] = [
    { password: 'Secret', answer: 'stored' },
    { password: 'Secret', answer: 'another' },
    { confirm: 'Replace the key pair of profile prod', answer: false },
  ];
  expect(await asked(zoe.home, login, steps)).toMatchObject({ code: 'declined' });
  expect([server.requests.length, await readFile(zoe.config, 'utf8')]).toEqual([2, before]);
});

it('auth login asks for a new profile name, and before replacing or removing a key pair', async () => {
  const oda = await person();
  await oda.login('prod', first);
  const base = `--base-url ${url} --public-key ${second.publicKey}`;
  const secret = { password: 'Secret', answer: second.secret };
  const name: Step = {
    input: 'Name of the new profile (existing: prod)',
    answer: 'spare',
    refused: [['env', 'reserved by swapctl']],
  };
  expect(await asked(oda.home, `auth login ${base}`, [name, secret])).toBeNull();
  const replace = `Replace the key pair of profile prod at ${new URL(url).host}?`;
  const declined = { code: 'declined', exitCode: 10 };
  const no = [secret, { confirm: replace, answer: false }];
  expect(await asked(oda.home, `auth login -p prod ${base}`, no)).toMatchObject(declined);
  const forget = (profile: string, answer: boolean) => [
    { confirm: `Remove the key pair of profile ${profile} at ${new URL(url).host}?`, answer },
  ];
  expect(await asked(oda.home, 'auth logout', forget('spare', false))).toMatchObject(declined);
  expect(await asked(oda.home, 'auth logout -p prod', forget('prod', true))).toBeNull();
  const list = (await oda.swapctl('auth list --json')).json<Partner[]>();
  expect(list).toMatchObject([{ name: 'spare', current: true, publicKey: second.publicKey }]);
});
