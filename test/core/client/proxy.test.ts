import { describe, expect, it, onTestFinished } from 'vitest';
import { errorFromTransport } from '../../../src/core/client/error-mapping.ts';
import { isExempt, proxyFor } from '../../../src/core/client/proxy.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { connectProxy } from '../../helpers/connect-proxy.ts';
import { CREATE } from '../swap/requests.ts';
import { clientOf } from './test-client.ts';

const LIVE = 'https://api.example.com';
const LOCAL = 'http://127.0.0.1:4010';

it.each([
  // As curl's own test 1614 has them, and more of the same.
  ['https://www.example.com', 'localhost,.example.com,.example.de', true],
  ['https://www.example.com.', 'localhost,.example.com,.example.de', true],
  ['https://example.com', 'localhost,.example.com,.example.de', true],
  ['https://www.example.com', 'example.com.', true],
  ['https://www.example.com', 'ample.com', false],
  ['https://example.com.org', 'example.com', false],
  ['https://example.com', 'www.example.com', false],
  ['https://EXAMPLE.com', 'Example.COM', true],
  ['https://y.example.com', ' example.org\t.example.com ', true],
  ['https://example.com', '', false],
  ['https://example.com', ' , ,', false],
  ['https://example.com', '.', false],
  ['https://example.com', '*', true],
  ['https://192.168.1.7', '*', true],
  ['https://192.168.0.1', '192.168.0.0/16', true],
  ['https://192.160.0.1', '192.168.0.0/16', false],
  ['https://192.168.0.1', '192.168.0.1', true],
  ['https://192.168.0.1', '192.168.0.1,example.com', true],
  ['https://192.168.0.2', '192.168.0.1', false],
  ['https://192.168.0.1', '192.168.0.1/32', true],
  ['https://192.168.0.1', '192.168.0.0/31', true],
  ['https://192.168.0.2', '192.168.0.0/31', false],
  ['https://192.168.0.1', '0.0.0.0/0', true],
  ['https://192.168.0.1', '192.168.0.0/33', false],
  ['https://192.168.0.1', '192.168.0.0/x', false],
  ['https://192.168.0.1', '192.168.0.0/16/8', false],
  ['https://192.168.0.1', '0.1', false],
  ['https://192.168.0.1', '192.168.0.300', false],
  ['https://192.168.0.9', '192.168.0.8/29', true],
  ['https://192.168.0.7', '192.168.0.8/29', false],
  ['https://192.168.0.1', '192.168.0.0/', false],
  ['https://[::1]', '::1', true],
  ['https://[::1]', '::/128', false],
  ['https://[::1]', '::2/126', true],
  ['https://[::1]', '::/129', false],
  ['https://[::1]', '0.0.0.0/0', false],
  ['https://[::1]', '[::1]', true],
  ['https://[::1]', '0:0::1', true],
  ['https://[fd12:3456::7]', 'fc00::/7', true],
  ['https://[2001:db8::7]', '2001:db8::/32', true],
  ['https://[2001:db9::7]', '2001:db8::/32', false],
  ['https://[::ffff:1.2.3.4]', '1.2.3.4', false],
  ['https://api.example.com', 'api.example.com:443', true],
  ['https://api.example.com', 'example.com:8443', false],
  ['https://api.example.com:8443', 'example.com:8443', true],
  ['https://[::1]:8443', '[::1]:8443', true],
  ['https://[::1]:8443', '[::1]:443', false],
  ['http://127.0.0.1:4010', 'localhost', false],
  ['http://127.0.0.1', '127.0.0.0/8:80', true],
])('NO_PROXY exempts %s with %j: %s', (url, list, exempt) => {
  expect(isExempt(new URL(url), list)).toBe(exempt);
});

describe('the proxy of a base URL', () => {
  it.each<[string, NodeJS.ProcessEnv, string | null]>([
    [LIVE, {}, null],
    [LIVE, { HTTPS_PROXY: 'http://proxy:3128' }, 'proxy:3128 of HTTPS_PROXY'],
    [LIVE, { https_proxy: 'http://small:1', HTTPS_PROXY: 'http://big:2' }, 'small:1 of https_proxy'],
    [LIVE, { https_proxy: '', HTTPS_PROXY: 'http://big:2' }, 'big:2 of HTTPS_PROXY'],
    [LIVE, { HTTP_PROXY: 'http://proxy:3128', http_proxy: 'http://proxy:3128' }, null],
    [LIVE, { HTTPS_PROXY: 'proxy' }, 'proxy:1080 of HTTPS_PROXY'],
    [LIVE, { HTTPS_PROXY: 'http://proxy/' }, 'proxy:1080 of HTTPS_PROXY'],
    [LIVE, { HTTPS_PROXY: 'http://proxy:80' }, 'proxy:80 of HTTPS_PROXY'],
    [LIVE, { HTTPS_PROXY: 'https://me:pw@proxy' }, 'proxy:443 of HTTPS_PROXY'],
    [LIVE, { HTTPS_PROXY: 'http://me:pw@proxy:8' }, 'proxy:8 of HTTPS_PROXY'],
    [LIVE, { HTTPS_PROXY: 'http://proxy:1', NO_PROXY: 'example.com' }, null],
    [LIVE, { HTTPS_PROXY: 'http://p:1', no_proxy: 'example.org', NO_PROXY: '*' }, 'p:1 of HTTPS_PROXY'],
    ['https://127.0.0.1:1', { HTTPS_PROXY: 'http://proxy:1' }, 'proxy:1 of HTTPS_PROXY'],
    [LOCAL, { HTTPS_PROXY: 'http://localhost:1' }, null],
    [LOCAL, { http_proxy: 'http://localhost:1' }, 'localhost:1 of http_proxy'],
    [LOCAL, { HTTP_PROXY: 'http://127.0.0.1:1' }, '127.0.0.1:1 of HTTP_PROXY'],
    [LOCAL, { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' }, null],
    // The signature would leave this machine in the clear.
    [LOCAL, { HTTP_PROXY: 'http://proxy:3128' }, null],
    // A web server's CGI programs get a request's header of that name.
    [LOCAL, { HTTP_PROXY: 'http://127.0.0.1:1', REQUEST_METHOD: 'GET' }, null],
    [LOCAL, { http_proxy: 'http://127.0.0.1:1', REQUEST_METHOD: 'GET' }, '127.0.0.1:1 of http_proxy'],
  ])('for %s with %j is %s', (url, env, wanted) => {
    const proxy = proxyFor(url, env);
    expect(proxy === null ? null : `${proxy.host} of ${proxy.variable}`).toBe(wanted);
  });

  it('has port 1080 unless its URL names one or uses https', () => {
    const port = (text: string) => proxyFor(LIVE, { HTTPS_PROXY: text })?.url.port;
    // An empty port is the usual one of the protocol.
    expect(['http://p', 'http://p:80', 'http://p:3128'].map(port)).toEqual(['1080', '', '3128']);
    expect(['https://p', 'https://p:8443'].map(port)).toEqual(['', '8443']);
  });

  it.each([
    ['socks5://me:hunter2@proxy:1080', 'is a socks5: proxy; only http: and https: proxies are supported'],
    ['http://me:hunter2@:1', 'is not a URL'],
    ['http://me:hunter2@proxy:123456', 'is not a URL'],
  ])('throws without repeating its password if it is unusable: %s', (text, why) => {
    const message = `The proxy in HTTPS_PROXY ${why}.`;
    const hint = "Set it to http://host:port, unset it, or add the service's host to NO_PROXY.";
    expect(() => proxyFor(LIVE, { HTTPS_PROXY: text })).toThrow(
      expect.objectContaining({ code: 'usage', message, hint }),
    );
  });
});

it.each([
  [null, true],
  [403, false],
  [407, false],
  [429, true],
  [500, true],
])('a proxy error with status %j is retryable: %s', (status, retryable) => {
  const proxy = { host: 'proxy:3128', variable: 'HTTPS_PROXY', status };
  const failure = new TransportError('proxy', false, null, null, proxy);
  expect(errorFromTransport(failure, 'api.example.com').retryable).toBe(retryable);
});

it('a create is not sent through a proxy that does not respond', async () => {
  const proxy = await connectProxy();
  onTestFinished(() => proxy.close());
  proxy.keepSilent();
  const through = proxyFor(LIVE, { HTTPS_PROXY: `http://${proxy.host}` });
  const client = clientOf(LIVE, { proxy: through, timeoutMs: 50 });
  await expect(client.create(CREATE)).rejects.toMatchObject({ code: 'timeout', outcome: 'nothing-sent' });
  expect(proxy.asked).toEqual(['api.example.com:443']);
});
