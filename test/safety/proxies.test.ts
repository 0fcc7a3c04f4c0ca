import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConnectProxy, connectProxy } from '../helpers/connect-proxy.ts';
import { runProgram } from '../helpers/program.ts';
import { sendJson } from '../helpers/raw-server.ts';
import type { Run } from '../helpers/run.ts';
import { runMain } from '../helpers/run-main.ts';
import { CREATE, inScene, profileAt, type Scene, withoutSecrets } from '../helpers/scene.ts';
import { type Certificate, makeCertificate, tlsFront } from '../helpers/tls-front.ts';

const PASSWORD = 'hunter2';

let folder: string;
let certificate: Certificate;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'swapctl-proxies-'));
  certificate = makeCertificate(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

type Start = (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Run>;

interface Stage extends Scene {
  readonly proxy: ConnectProxy;
  /** Host of the service behind TLS. */
  readonly host: string;
  /** Runs the built program, which trusts the certificate of the service. */
  through: Start;
  /**
   * Runs the program in this process, which does not trust the certificate, for cases that never reach the service.
   * Its pauses take no time, and 900 ms pass as it starts.
   */
  upTo: Start;
}

/** A service behind TLS, and a proxy in front of it with a user name and a password. */
async function onStage(act: (stage: Stage) => Promise<void>): Promise<void> {
  await inScene({}, async (scene) => {
    const [front, proxy] = [await tlsFront(scene.service.url, certificate), await connectProxy()];
    const env = {
      ...profileAt(front.url),
      NODE_EXTRA_CA_CERTS: certificate.certFile,
      HTTPS_PROXY: `http://me:${PASSWORD}@${proxy.host}`,
    };
    const startOf =
      (start: typeof runMain): Start =>
      async (args, more = {}) => {
        const run = withoutSecrets(await start(args, { home: scene.home, env: { ...env, ...more } }));
        expect(`${run.stdout}${run.stderr}`).not.toContain(PASSWORD);
        return run;
      };
    try {
      const upTo = startOf((args, options) => {
        let looks = 0;
        const monotonic = () => (looks++ === 0 ? 0 : 900);
        return runMain(args, { ...options, sleep: async () => undefined, monotonic });
      });
      const through = startOf(runProgram);
      await act({ ...scene, proxy, host: new URL(front.url).host, through, upTo });
    } finally {
      await proxy.close();
      await front.close();
    }
  });
}

const QUOTE = ['quote', 'BTC', 'ETH', '0.1', '--json'];

describe.concurrent('a proxy', () => {
  it('is used for reads and creates with its password, and named by --debug', () =>
    onStage(async ({ proxy, host, through, service }) => {
      const quote = await through([...QUOTE, '--debug']);
      expect([quote.code, quote.json()]).toMatchObject([0, { pair: 'BTC_ETH' }]);
      expect(quote.stderr.replace(/\d+ ms/g, 'n ms')).toBe(
        `debug: through the proxy ${proxy.host} of HTTPS_PROXY\ndebug: GET /api/private/exchange-coin 200 n ms, attempt 1\n`,
      );
      expect((await through(CREATE)).json()).toMatchObject({ order: 'KQWZPA' });
      expect(service.posts()).toBe(1);
      expect(new Set(proxy.asked)).toEqual(new Set([host]));
      const basic = `Basic ${Buffer.from(`me:${PASSWORD}`).toString('base64')}`;
      expect(new Set(proxy.passwords)).toEqual(new Set([basic]));
    }));

  it('is not used for hosts in NO_PROXY, and no_proxy takes precedence over NO_PROXY', () =>
    onStage(async ({ proxy, through }) => {
      expect((await through(QUOTE, { NO_PROXY: 'localhost, 127.0.0.0/8' })).code).toBe(0);
      expect(proxy.asked).toEqual([]);
      expect((await through(QUOTE, { NO_PROXY: '*', no_proxy: 'example.com' })).code).toBe(0);
      expect(proxy.asked).toHaveLength(1);
    }));

  it.each([
    [407, false, /^Nothing was sent. Set the user name and password of the proxy: HTTPS_PROXY=/],
    [403, false, /^Nothing was sent\. The proxy is set by HTTPS_PROXY; hosts in NO_PROXY /],
    [502, true, /^Nothing was sent\. The proxy is set by HTTPS_PROXY; hosts in NO_PROXY /],
  ])('that rejects CONNECT with %i is reported as an error of the proxy', (status, retryable, hint) =>
    onStage(async ({ proxy, host, upTo, service }) => {
      proxy.refuseWith(status);
      expect((await upTo([...QUOTE, '--timeout', '20s'])).error()).toMatchObject({
        code: 'network_error',
        exitCode: 6,
        outcome: 'nothing-sent',
        httpStatus: null,
        retryable,
        message: `The proxy ${proxy.host} refused to connect to ${host} (HTTP status ${status}).`,
        hint: expect.stringMatching(hint),
      });
      expect(proxy.asked).toHaveLength(retryable ? 3 : 1);
      expect(service.requests).toEqual([]);
    }),
  );

  it.each([407, 503])('that rejects only the create with %i leaves it recorded as not sent', (status) => {
    let refuse = () => {};
    const plan = {
      'exchange-coin': (_seen: unknown, response: Parameters<typeof sendJson>[0]) => {
        refuse();
        const quote = { pair: 'BTC_ETH', amount: 0.1, exchangeRate: 25, receive: 2.5 };
        sendJson(response, 200, { ...quote, minAmount: 0.001, maxAmount: 10 });
      },
    };
    return inScene(plan, async ({ home, service, history }) => {
      const [front, proxy] = [await tlsFront(service.url, certificate), await connectProxy()];
      refuse = () => proxy.refuseWith(status);
      const env = {
        ...profileAt(front.url),
        NODE_EXTRA_CA_CERTS: certificate.certFile,
        https_proxy: proxy.host,
      };
      const run = await runProgram(CREATE, { home, env });
      expect(run.error()).toMatchObject({ code: 'network_error', exitCode: 6, outcome: 'nothing-sent' });
      expect(await history()).toMatchObject([{ outcome: 'not-sent' }]);
      expect(service.posts()).toBe(0);
      await proxy.close();
      await front.close();
    });
  });

  it('that does not respond causes a timeout, and a create is not sent', () =>
    onStage(async ({ proxy, upTo, history }) => {
      proxy.keepSilent();
      const run = await upTo([...CREATE, '--timeout', '1s']);
      expect(run.error()).toMatchObject({ code: 'timeout', exitCode: 6, outcome: 'nothing-sent' });
      expect(await history()).toEqual([]);
    }));

  it('is never used for the built-in sandbox', () =>
    onStage(async ({ home, proxy }) => {
      const env = { HTTP_PROXY: proxy.host, http_proxy: proxy.host, HTTPS_PROXY: proxy.host };
      expect((await runMain(QUOTE, { home, env })).code).toBe(0);
      expect(proxy.asked).toEqual([]);
    }));
});

describe.concurrent('a certificate that is not trusted', () => {
  it.each([
    ['directly', { HTTPS_PROXY: '' }, 0],
    ['through a proxy', {}, 2],
  ])('%s causes an error that names NODE_EXTRA_CA_CERTS before anything is sent', (_way, env, tunnels) =>
    onStage(async ({ host, upTo, service, history, proxy }) => {
      const bare = { ...env, NODE_EXTRA_CA_CERTS: '' };
      const problem = {
        code: 'network_error',
        exitCode: 6,
        outcome: 'nothing-sent',
        retryable: false,
        message: `${host} has a TLS certificate that could not be verified (DEPTH_ZERO_SELF_SIGNED_CERT).`,
        hint: 'Nothing was sent. Check the URL and the clock. If your network uses its own certificate authority, set NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
      };
      expect((await upTo(QUOTE, bare)).error()).toMatchObject(problem);
      expect((await upTo(CREATE, bare)).error()).toMatchObject(problem);
      expect([service.requests, await history()]).toEqual([[], []]);
      expect(proxy.asked).toHaveLength(tunnels);
    }),
  );
});
