import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { createSwapClient } from '../../../src/library/swap-client.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';
import { type TestSandbox, testSandbox } from '../../sandbox/sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.stop());

const hint = () =>
  `Nothing was found under the path /v1 of the base URL. Try ${sandbox.url}, or the path under which the service serves /api/private.`;

/** Runs a command with a base URL whose path is wrong. */
async function run(line: string, input?: string) {
  const { publicKey, secret } = sandbox.credentials;
  const isLogin = line.startsWith('auth login');
  const env = {
    SWAPCTL_BASE_URL: `${sandbox.url}/v1`,
    SWAPCTL_PUBLIC_KEY: publicKey,
    SWAPCTL_SECRET: secret,
  };
  const options = { home: await temporaryFolder(), ...(isLogin ? {} : { env }) };
  return runHere(line.split(' '), input === undefined ? options : { ...options, input });
}

describe('a base URL with a wrong path gets the same hint', () => {
  it.each([
    'quote BTC ETH 0.1',
    'coins',
    'coins BTC',
    'status KQWZPA',
    'status KQWZPA --watch',
    `create BTC ETH 0.1 -a ${ADDRESSES.eth} --yes`,
    `refund KQWZPA ${ADDRESSES.btcRefund} --yes`,
    'api get-all-coins',
    'listen KQWZPA',
  ])('from %s', async (line) => {
    expect((await run(line)).error).toMatchObject({ code: 'not_found', hint: hint() });
  });

  it('from doctor, for each endpoint that was not found', async () => {
    const { stdout } = await run('doctor --json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; remedy: string | null }[] };
    const hintOf = (name: string) => checks.find((check) => check.name === name)?.remedy;
    for (const name of ['key-pair', 'get-all-coins', 'get-coin-network', 'exchange-coin'])
      expect([name, hintOf(name)]).toEqual([name, hint()]);
  });

  it('from auth login, which stores nothing', async () => {
    const { publicKey, secret } = sandbox.credentials;
    const { error } = await run(
      `auth login -p p1 --base-url ${sandbox.url}/v1 --public-key ${publicKey} --with-secret`,
      secret,
    );
    expect(error?.hint).toContain(hint());
  });

  it('from the library', async () => {
    const client = createSwapClient({ baseUrl: `${sandbox.url}/v1`, ...sandbox.credentials });
    const [from, to] = [{ coin: 'BTC' }, { coin: 'ETH' }];
    const calls = [
      () => client.quote({ from, to, amount: '0.1' }),
      () => client.coins(),
      () => client.status('KQWZPA'),
      () => client.create({ from, to, amount: '0.1', address: ADDRESSES.eth }),
      () => client.setRefundAddress('KQWZPA', ADDRESSES.btcRefund),
    ];
    for (const call of calls) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SwapctlError);
      expect(error).toMatchObject({ hint: hint() });
    }
  });
});
