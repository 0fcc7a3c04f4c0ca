import { describe, expect, it } from 'vitest';
import { type ConnectProxy, connectProxy } from '../helpers/connect-proxy.ts';
import { runProgram } from '../helpers/program.ts';
import type { Run } from '../helpers/run.ts';
import { runMain } from '../helpers/run-main.ts';
import { CREATE, inScene, profileAt, type Scene, withoutSecrets } from '../helpers/scene.ts';
import { makeCertificate, tlsFront } from '../helpers/tls-front.ts';

const PASSWORD = 'hunter2';

interface Stage extends Scene {
  readonly proxy: ConnectProxy;
  /** Host of the service behind TLS. */
  readonly host: string;
  /** Runs the built program, which trusts the certificate of the service. */
  through(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
}

/** A service behind TLS, and a proxy in front of it with a user name and a password. */
async function onStage(act: (stage: Stage) => Promise<void>): Promise<void> {
  await inScene({}, async (scene) => {
    const { home, service } = scene;
    const certificate = makeCertificate(home);
    const [front, proxy] = [await tlsFront(service.url, certificate), await connectProxy()];
    const env = {
      ...profileAt(front.url),
      NODE_EXTRA_CA_CERTS: certificate.certFile,
      HTTPS_PROXY: `http://me:${PASSWORD}@${proxy.host}`,
    };
    const through: Stage['through'] = async (args, more = {}) => {
      const run = withoutSecrets(await runProgram(args, { home, env: { ...env, ...more } }));
      expect(`${run.stdout}${run.stderr}`).not.toContain(PASSWORD);
      return run;
    };
    try {
      await act({ ...scene, proxy, host: new URL(front.url).host, through });
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

  it('is never used for the built-in sandbox', () =>
    onStage(async ({ home, proxy }) => {
      const env = { HTTP_PROXY: proxy.host, http_proxy: proxy.host, HTTPS_PROXY: proxy.host };
      expect((await runMain(QUOTE, { home, env })).code).toBe(0);
      expect(proxy.asked).toEqual([]);
    }));
});
