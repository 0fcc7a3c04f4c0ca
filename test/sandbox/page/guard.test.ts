import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { pageFiles } from '../../../src/sandbox/page/page.ts';
import { newOrder, testSandbox } from '../sandbox.ts';

const sandbox = await testSandbox({ page: { port: 0, files: pageFiles() }, keepsRequests: true });
const url = new URL(sandbox.pageUrl ?? '');
const [origin, token] = [url.origin, url.hash.slice(1)];

afterAll(() => sandbox.stop());

/** Sends a request, with Host if given, which `fetch` does not allow; null leaves a header out. */
async function ask(method: string, path: string, changes: Record<string, string | null> = {}, body = '') {
  const given = Object.entries({ authorization: `Bearer ${token}`, origin, ...changes });
  const headers = Object.fromEntries(given.filter(([, value]) => value !== null)) as Record<string, string>;
  const sent = request(`${origin}${path}`, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await textOf(response) };
}

describe('the sandbox page', () => {
  it('has a content security policy and loads only its own files', async () => {
    const { status, headers, text } = await ask('GET', '/', { authorization: null, origin: null });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    const assets = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(assets).toEqual(['/icon.svg', '/page.css', '/page.js']);
    let bytes = text.length;
    for (const path of assets) {
      const asset = await ask('GET', path ?? '', { authorization: null, origin: null });
      expect([path, asset.status, asset.headers['x-content-type-options']]).toEqual([path, 200, 'nosniff']);
      const code = asset.text.replaceAll('http://www.w3.org/2000/svg', '');
      expect(code).not.toMatch(/https?:\/\/|insertAdjacentHTML|\beval\(/);
      bytes += asset.text.length;
    }
    expect(bytes).toBeLessThan(50_000);
  });

  it.each([
    ['an unknown Host', 'GET', { host: 'evil.example' }, 403],
    ['a Host with another port', 'GET', { host: '127.0.0.1:1' }, 403],
    ['a foreign Origin', 'GET', { origin: 'http://evil.example' }, 403],
    ['the Origin null', 'GET', { origin: 'null' }, 403],
    ['an Origin on another port', 'POST', { origin: 'http://127.0.0.1:1' }, 403],
    ['a request of another site', 'GET', { origin: null, 'sec-fetch-site': 'cross-site' }, 403],
    ['a request of another port', 'GET', { origin: null, 'sec-fetch-site': 'same-site' }, 403],
    ['a change without an Origin', 'POST', { origin: null }, 403],
    ['no token', 'GET', { authorization: null }, 401],
    ['a wrong token', 'POST', { authorization: 'Bearer x' }, 401],
  ] as const)('rejects %s', async (_what, method, changes, status) => {
    const answer = await ask(method, method === 'GET' ? '/api/orders' : '/api/reset', changes);
    expect([answer.status, Object.keys(JSON.parse(answer.text))]).toEqual([status, ['error']]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('rejects an unknown Host header even for its files', async () => {
    for (const path of ['/', '/page.js', '/nowhere'])
      expect((await ask('GET', path, { host: 'evil.example', origin: null })).status).toBe(403);
  });

  it('lists the possible actions of an order, and makes a late deposit', async () => {
    const order = await newOrder(sandbox);
    const read = async () => JSON.parse((await ask('GET', `/api/orders/${order}`)).text);
    const amounts = { exact: '0.1', less: '0.05', more: '0.15' };
    expect((await read()).choices).toEqual({ moves: [], amounts, windowLeft: 1_800_000 });
    const late = JSON.parse((await ask('POST', `/api/orders/${order}/late-deposit`)).text);
    expect(late.transitions.map(({ to }: { to: number }) => to)).toEqual([5, 1]);
    const moves = ['pause', 'freeze', 'fail', 'succeed'];
    expect((await read()).choices).toMatchObject({ moves, windowLeft: 0 });
    expect((await ask('GET', '/api/orders/NOSUCH')).status).toBe(404);
    expect((await ask('POST', `/api/orders/${order}/move`, {}, '{"verb":"resume"}')).status).toBe(400);
  });
});
